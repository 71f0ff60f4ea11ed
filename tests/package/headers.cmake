# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# Every public header is installed and compiles alone. PREFIX: an installation, EIGEN_DIR: the folder that holds Eigen/Core.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

set(work "${WORK_DIR}/headers")
file(REMOVE_RECURSE "${work}")

file(GLOB_RECURSE headers RELATIVE "${SOURCE_DIR}/include" "${SOURCE_DIR}/include/*.hpp")
if(NOT HAS_CUDA)
  list(FILTER headers EXCLUDE REGEX "^gpuenv/(cuda/|linalg/device_)")
endif()
list(APPEND headers gpuenv/base/config.hpp)
list(SORT headers)
list(LENGTH headers count)
if(count LESS 20)
  message(FATAL_ERROR "only ${count} headers in ${SOURCE_DIR}/include")
endif()
file(GLOB_RECURSE installed RELATIVE "${PREFIX}/include" "${PREFIX}/include/*")
list(SORT installed)
expect("${installed}" "${headers}" "installed headers")

file(WRITE "${work}/headers.cmake" "set(HEADERS ${headers} CACHE INTERNAL \"\")\n")
run("configure" "${CMAKE_COMMAND}" -C "${work}/headers.cmake" -S "${CMAKE_CURRENT_LIST_DIR}/headers" -B "${work}/build" -G "${GENERATOR}"
  "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_CUDA_COMPILER=${CUDA_COMPILER}" "-DCMAKE_PREFIX_PATH=${PREFIX}"
  "-DEIGEN_DIR=${EIGEN_DIR}" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
run("compile ${count} headers" "${CMAKE_COMMAND}" --build "${work}/build" --parallel 2)
