# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# Installs with DESTDIR, moves the result, and uses it from projects that know C++ only. [B84] [B85] [B86] [B91]
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

set(work "${WORK_DIR}/installed")
file(REMOVE_RECURSE "${work}")
file(MAKE_DIRECTORY "${work}")

set(ENV{DESTDIR} "${work}/destination")
run("install" "${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix /a/prefix --config "${CONFIG}")
unset(ENV{DESTDIR})
file(RENAME "${work}/destination/a/prefix" "${work}/moved")

file(GLOB_RECURSE config_files "${work}/moved/*gpuenvConfig.cmake")
list(LENGTH config_files count)
expect("${count}" 1 "number of installed gpuenvConfig.cmake")
cmake_path(GET config_files PARENT_PATH package_dir)
set(toolkit_link "/usr/local/cuda")
expect_no_paths("${package_dir}" "${SOURCE_DIR}" "${BUILD_DIR}" "${TOOLKIT_DIR}" "${toolkit_link}" "${work}" "/a/prefix")
file(GLOB_RECURSE cuda_headers "${work}/moved/*/gpuenv/cuda/*.hpp")
if((cuda_headers AND NOT HAS_CUDA) OR (HAS_CUDA AND NOT cuda_headers))
  message(FATAL_ERROR "headers of the cuda room must be installed with CUDA and only then; found: '${cuda_headers}'")
endif()

file(GLOB commands "${work}/moved/bin/gpuenv")
foreach(command IN LISTS commands)
  run("run the moved command" "${command}" --version)
endforeach()
run_consumer("moved install" "${work}/consumer" "-DCMAKE_PREFIX_PATH=${work}/moved")
run_consumer("build tree" "${work}/consumer_of_build_tree" "-Dgpuenv_DIR=${BUILD_DIR}")

# Components: what is asked for is what is needed, and what is absent is explained.
set(configure "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/components" -G "${GENERATOR}"
  "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_PREFIX_PATH=${work}/moved")
run("core needs no toolkit and no Eigen" ${configure} -B "${work}/core" "-DARGUMENTS=REQUIRED COMPONENTS core" -DEXPECT_TARGETS=gpuenv::core
  -DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON -DCMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON)
run("linalg needs no Eigen" ${configure} -B "${work}/linalg" "-DARGUMENTS=0.1 REQUIRED COMPONENTS linalg"
  -DEXPECT_TARGETS=gpuenv::core,gpuenv::linalg -DCMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON)
run("no components: all that can be had" ${configure} -B "${work}/all" "-DARGUMENTS=REQUIRED"
  -DEXPECT_TARGETS=gpuenv::core,gpuenv::linalg,gpuenv::gpuenv -DCMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON)
run("eigen brings Eigen" ${configure} -B "${work}/eigen" "-DARGUMENTS=REQUIRED COMPONENTS eigen"
  -DEXPECT_TARGETS=gpuenv::eigen,Eigen3::Eigen)
foreach(arguments IN ITEMS "COMPONENTS core OPTIONAL_COMPONENTS teleport=1" "COMPONENTS teleport=0" "COMPONENTS core teleport=0")
  string(REGEX MATCH "^(.*)=(.*)$" arguments "${arguments}")
  run("quietly: ${CMAKE_MATCH_1}" ${configure} -B "${work}/quiet" --fresh "-DARGUMENTS=QUIET ${CMAKE_MATCH_1}"
    -DEXPECT_FOUND=${CMAKE_MATCH_2})
  if(run_output MATCHES "CMake (Warning|Error)|[Cc]ould (not|NOT) find|no component")
    message(FATAL_ERROR "find_package(gpuenv QUIET) is not quiet:\n${run_output}")
  endif()
endforeach()
run_expecting_failure("eigen without Eigen" "Eigen3" ${configure} -B "${work}/no_eigen" "-DARGUMENTS=REQUIRED COMPONENTS eigen"
  -DCMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON)
run_expecting_failure("unknown component" "gpuenv has no component 'teleport'" ${configure} -B "${work}/teleport"
  "-DARGUMENTS=REQUIRED COMPONENTS teleport")
run_expecting_failure("another minor version" "0.2" ${configure} -B "${work}/version" "-DARGUMENTS=0.2 REQUIRED")
if(HAS_CUDA)
  run("without a toolkit: all that can be had" ${configure} -B "${work}/no_toolkit" -DEXPECT_FOUND=1 -DEXPECT_TARGETS=gpuenv::core
    "-DARGUMENTS=COMPONENTS core OPTIONAL_COMPONENTS cuda linalg" -DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON)
  run_expecting_failure("cuda without a toolkit" "CUDAToolkit" ${configure} -B "${work}/needs_toolkit"
    "-DARGUMENTS=REQUIRED COMPONENTS cuda" -DCMAKE_DISABLE_FIND_PACKAGE_CUDAToolkit=ON)
  run("cuda" ${configure} -B "${work}/cuda" "-DARGUMENTS=REQUIRED COMPONENTS cuda" -DEXPECT_TARGETS=gpuenv::cuda -DEXPECT_CUDA=1)
else()
  run_expecting_failure("no cuda component"
    "has no component 'cuda'. Rebuild it with -DGPUENV_CUDA=ON, which needs the CUDA toolkit 12.0 or later."
    ${configure} -B "${work}/cuda" "-DARGUMENTS=REQUIRED COMPONENTS cuda")
endif()
