# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# add_subdirectory(gpuenv) gives targets and changes nothing of the parent project. [B84] [B88] [B89]
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

set(work "${WORK_DIR}/subfolder")
file(REMOVE_RECURSE "${work}")
foreach(name IN ITEMS CUDACXX CUDAARCHS CXXFLAGS CUDAFLAGS)
  unset(ENV{${name}})
endforeach()

# configure_parent(<name> <argument>...)
macro(configure_parent name)
  run("parent '${name}': configure" "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/parent" -B "${work}/${name}" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DGPUENV_SOURCE=${SOURCE_DIR}" ${ARGN})
endmacro()

# Once more, with what the first run left in the cache.
macro(configure_again name)
  run("parent '${name}': configure again" "${CMAKE_COMMAND}" "${work}/${name}")
endmacro()

# expect_compiler(<name> <value>...): the parent's cache entry for the CUDA compiler; no value: there is none.
function(expect_compiler name)
  file(STRINGS "${work}/${name}/CMakeCache.txt" lines REGEX "^CMAKE_CUDA_(HOST_)?COMPILER:")
  list(TRANSFORM lines REPLACE "^[^=]*=" "")
  expect("${lines}" "${ARGN}" "compiler in the cache of the parent '${name}'")
endfunction()

# expect_architectures(<name> <list>): what gpuenv builds for below that parent.
function(expect_architectures name expected)
  file(STRINGS "${work}/${name}/gpuenv/generated/gpuenv/base/config.hpp" line REGEX "GPUENV_BUILT_ARCHITECTURES")
  expect_text("${line}" "\"${expected}\"" "architectures below the parent '${name}'")
endfunction()

# compile_command(<out> <name> <part of a source's path>)
function(compile_command out name source)
  file(READ "${work}/${name}/compile_commands.json" text)
  string(JSON last LENGTH "${text}")
  math(EXPR last "${last} - 1")
  foreach(i RANGE ${last})
    string(JSON file GET "${text}" ${i} file)
    if(file MATCHES "${source}$")
      string(JSON command GET "${text}" ${i} command)
      string(REPLACE "${work}/${name}" "<build>" command "${command}")
      set(${out} "${command}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "'${name}' does not compile ${source}")
endfunction()

# expect_bystander(<name> <alone> <file>...): the parent's other target is compiled as it is without gpuenv.
function(expect_bystander name alone)
  foreach(file IN LISTS ARGN)
    compile_command(with ${name} ${file})
    compile_command(without ${alone} ${file})
    expect("${with}" "${without}" "how '${name}' compiles ${file}")
  endforeach()
endfunction()

configure_parent(plain_alone -DPARENT_ALONE=ON)
configure_parent(plain -DGPUENV_CUDA=OFF)
configure_again(plain)
expect_bystander(plain plain_alone bystander.cpp)
run("build what the parent uses" "${CMAKE_COMMAND}" --build "${work}/plain" --target parent_program --parallel 2)
run("run it" "${work}/plain/parent_program")
run("its tests" "${CMAKE_CTEST_COMMAND}" --test-dir "${work}/plain" --show-only)
expect_text("${run_output}" "Total Tests: 1" "gpuenv's tests stay at home")

# A parent that has Eigen keeps it, and gpuenv takes it.
file(MAKE_DIRECTORY "${work}/parents_eigen")
configure_parent(eigen -DGPUENV_CUDA=OFF "-DPARENT_EIGEN=${work}/parents_eigen")
expect_bystander(eigen plain_alone bystander.cpp)
file(READ "${work}/eigen/compile_commands.json" commands)
expect_text("${commands}" "-isystem ${work}/parents_eigen " "gpuenv's Eigen is the parent's")

if(NOT HAS_CUDA)
  return()
endif()

# CUDA below a parent that does not have it, chosen here by the environment
cmake_path(GET CUDA_COMPILER PARENT_PATH bin_dir)
cmake_path(GET bin_dir PARENT_PATH toolkit)
set(ENV{CUDA_HOME} "${toolkit}")
configure_parent(cuda -DGPUENV_CUDA=ON -DEXPECT_CUDA=ON)
unset(ENV{CUDA_HOME})
expect_compiler(cuda)
configure_again(cuda)
expect_compiler(cuda)
expect_text("${run_output}" "(environment CUDA_HOME)" "the second run knows why the compiler was chosen")
expect_bystander(cuda plain_alone bystander.cpp)
configure_parent(cuda_named -DGPUENV_CUDA=ON -DEXPECT_CUDA=ON "-DCMAKE_CUDA_COMPILER=${CUDA_COMPILER}"
  -DCMAKE_CUDA_ARCHITECTURES=80-virtual)
expect_compiler(cuda_named "${CUDA_COMPILER}")
expect_architectures(cuda_named 80-virtual)
configure_parent(cuda_not_found -DGPUENV_CUDA=ON -DEXPECT_CUDA=ON -DCMAKE_CUDA_COMPILER=NOTFOUND "-DCUDAToolkit_ROOT=${toolkit}")
configure_again(cuda_not_found)
expect_compiler(cuda_not_found NOTFOUND)

# A parent with CUDA of its own, its own architectures and its own flags: from the start, after gpuenv, or in a folder beside
set(own -DCMAKE_CUDA_ARCHITECTURES=80-real -DCMAKE_CUDA_FLAGS=--use_fast_math)
configure_parent(own_alone ${own} "-DCMAKE_CUDA_COMPILER=${CUDA_COMPILER}" -DPARENT_LANGUAGE=CUDA -DPARENT_ALONE=ON)
configure_parent(own ${own} "-DCMAKE_CUDA_COMPILER=${CUDA_COMPILER}" -DPARENT_LANGUAGE=CUDA -DGPUENV_CUDA=ON -DEXPECT_CUDA=ON)
expect_compiler(own "${CUDA_COMPILER}")
expect_architectures(own 80-real)
expect_bystander(own own_alone bystander.cpp bystander.cu)
configure_parent(later ${own} "-DCUDAToolkit_ROOT=${toolkit}" -DPARENT_LATER=ON -DGPUENV_CUDA=ON -DEXPECT_CUDA=ON)
configure_again(later)
expect_bystander(later own_alone bystander.cpp bystander.cu)
configure_parent(sibling "-DCMAKE_CUDA_COMPILER=${CUDA_COMPILER}" -DPARENT_SIBLING=ON -DGPUENV_CUDA=ON -DEXPECT_CUDA=ON)
expect_bystander(sibling plain_alone bystander.cpp)
