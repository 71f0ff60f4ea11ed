# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# A consumer with an Eigen of its own: both are in one program and do not meet. PREFIX: an installation, EIGEN_DIR: the folder
# that holds Eigen/Core, NM: the tool.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

set(work "${WORK_DIR}/own_eigen")
file(REMOVE_RECURSE "${work}")

# A copy with a mark, so that no other can be taken for it
file(COPY "${EIGEN_DIR}/Eigen" DESTINATION "${work}/eigen")
file(READ "${work}/eigen/Eigen/Core" core)
file(WRITE "${work}/eigen/Eigen/Core" "#define GPUENV_TEST_OWN_EIGEN\n${core}")

run("configure" "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/own_eigen" -B "${work}/build" -G "${GENERATOR}"
  "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_PREFIX_PATH=${PREFIX}" "-DEIGEN=${work}/eigen" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
  -DCMAKE_DISABLE_FIND_PACKAGE_Eigen3=ON)
run("build" "${CMAKE_COMMAND}" --build "${work}/build" --parallel 2)
set(cpu "")
if(EXISTS /proc/cpuinfo)
  file(STRINGS /proc/cpuinfo cpu REGEX "^flags.* avx2 " LIMIT_COUNT 1)
endif()
foreach(program IN ITEMS scalar aligned avx2)
  if(NOT program STREQUAL "avx2" OR cpu MATCHES " fma ")
    run("run ${program}" "${work}/build/${program}")
    message(STATUS "${run_output}")
  endif()
endforeach()

# eigen_symbols(<out> <file>): symbols of namespace Eigen in a program or a library.
function(eigen_symbols out file)
  run("symbols of ${file}" "${NM}" "${file}")
  string(REGEX MATCHALL "[^\n]*_Z[^\n]*[^0-9]5Eigen[^\n]*" symbols "${run_output}")
  if(NOT run_output MATCHES "6gpuenv")
    message(FATAL_ERROR "nm lists nothing of gpuenv in ${file}:\n${run_output}")
  endif()
  set(${out} "${symbols}" PARENT_SCOPE)
endfunction()

eigen_symbols(symbols "${work}/build/scalar")
if(NOT symbols)
  message(FATAL_ERROR "the program is compiled with Eigen, and no symbol says so")
endif()
file(GLOB_RECURSE libraries "${PREFIX}/*/libgpuenv_*.a" "${PREFIX}/*/libgpuenv_*.so")
if(NOT libraries MATCHES "libgpuenv_core.*libgpuenv_linalg")
  message(FATAL_ERROR "no libraries in ${PREFIX}: ${libraries}")
endif()
foreach(library IN LISTS libraries)
  eigen_symbols(symbols "${library}")
  list(JOIN symbols "\n" symbols)
  expect("${symbols}" "" "symbols of namespace Eigen in ${library}")
endforeach()
