# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# Shared libraries, and install folders given as absolute paths: still found after the prefix has moved.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

set(work "${WORK_DIR}/shared_absolute")
file(REMOVE_RECURSE "${work}")
run("configure" "${CMAKE_COMMAND}" -S "${SOURCE_DIR}" -B "${work}/build" -G "${GENERATOR}" "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}"
  -DCMAKE_BUILD_TYPE=MinSizeRel -DBUILD_SHARED_LIBS=ON -DGPUENV_CUDA=OFF -DGPUENV_BUILD_TESTS=OFF -DGPUENV_BUILD_EXAMPLES=OFF
  -DGPUENV_BUILD_COMMAND=OFF -DGPUENV_COMPILER_HAS_CPU_LEVELS=OFF
  "-DCMAKE_INSTALL_PREFIX=${work}/prefix" "-DCMAKE_INSTALL_INCLUDEDIR=${work}/prefix/headers"
  "-DCMAKE_INSTALL_LIBDIR=${work}/prefix/libraries")
run("build" "${CMAKE_COMMAND}" --build "${work}/build" --parallel 2)
run("install" "${CMAKE_COMMAND}" --install "${work}/build")
file(RENAME "${work}/prefix" "${work}/moved")
file(REMOVE_RECURSE "${work}/build")
foreach(expected IN ITEMS headers/gpuenv/gpuenv.hpp headers/gpuenv/base/config.hpp libraries/libgpuenv_linalg.so
    libraries/libgpuenv_core.so.0.1 libraries/cmake/gpuenv/gpuenvConfig.cmake)
  if(NOT EXISTS "${work}/moved/${expected}")
    message(FATAL_ERROR "${expected} was not installed")
  endif()
endforeach()
expect_no_paths("${work}/moved/libraries/cmake/gpuenv" "${SOURCE_DIR}" "${BUILD_DIR}" "${work}")
run_consumer("moved install" "${work}/consumer" "-Dgpuenv_DIR=${work}/moved/libraries/cmake/gpuenv")
