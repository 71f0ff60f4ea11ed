# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# gpuenv with CUDA in all its forms, compiled once and linked three times, below a parent that knows C++ only and for
# consumers of what it installs. [B84] [B85] [B86] [B87] [B91]
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

set(work "${WORK_DIR}/variants")
file(REMOVE_RECURSE "${work}")
set(configure "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/consumer" -B "${work}/build" -G "${GENERATOR}"
  "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DGPUENV_SOURCE=${SOURCE_DIR}" -DGPUENV_CUDA=ON -DGPUENV_INSTALL=ON "-DCMAKE_CUDA_COMPILER=${CUDA_COMPILER}"
  -DCMAKE_CUDA_ARCHITECTURES=75-virtual -DCMAKE_BUILD_TYPE=None  # none: unoptimised, which compiles fast
  -DGPUENV_COMPILER_HAS_CPU_LEVELS=OFF)  # one of four products on the CPU, for the same reason

# make_variant(<name> <shared libraries> <runtime>): builds it and runs the parent's programs.
macro(make_variant name shared cudart)
  run("${name}: configure" ${configure} -DBUILD_SHARED_LIBS=${shared} -DGPUENV_CUDART=${cudart})
  run("${name}: build" "${CMAKE_COMMAND}" --build "${work}/build" --parallel 2)
  set(build_output "${run_output}")
  run_consumer_programs("${name}" "${work}/build")
endmacro()

make_variant("static libraries" OFF static)
foreach(cudart IN ITEMS static shared)
  set(name "shared libraries, ${cudart} runtime")
  make_variant("${name}" ON ${cudart})
  if(build_output MATCHES "Building CUDA")
    message(FATAL_ERROR "${name}: kernels were compiled again")
  endif()
  run("${name}: install" "${CMAKE_COMMAND}" --install "${work}/build" --prefix "${work}/prefix_${cudart}")
  file(RENAME "${work}/prefix_${cudart}" "${work}/moved_${cudart}")
  file(GLOB_RECURSE libraries "${work}/moved_${cudart}/*/libgpuenv_*.so")
  list(LENGTH libraries count)
  expect("${count}" 3 "number of installed libraries")
  list(JOIN libraries "," libraries)
  run("${name}: needed libraries" "${CMAKE_COMMAND}" "-DREADELF=${READELF}" "-DBINARIES=${libraries}" "-DCUDART=${cudart}"
    -P "${CMAKE_CURRENT_LIST_DIR}/needed_libraries.cmake")
  run_consumer("${name}, moved install" "${work}/consumer_${cudart}" "-DCMAKE_PREFIX_PATH=${work}/moved_${cudart}")
endforeach()
