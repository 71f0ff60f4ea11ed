# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# What can be chosen when gpuenv is configured. As a subproject it builds only its libraries.

set(GPUENV_CUDA AUTO CACHE STRING "Build with CUDA: AUTO (when a toolkit is found), ON (fail without one), OFF")
set_property(CACHE GPUENV_CUDA PROPERTY STRINGS AUTO ON OFF)
set(GPUENV_CUDART static CACHE STRING "CUDA runtime to link: static or shared")
set_property(CACHE GPUENV_CUDART PROPERTY STRINGS static shared)
set(GPUENV_DEFAULT_ARCHITECTURES portable CACHE STRING
  "CUDA architectures when neither CMAKE_CUDA_ARCHITECTURES nor CUDAARCHS names any: a list, or 'portable' for all that matter")

option(GPUENV_BUILD_COMMAND "Build the gpuenv command" ${PROJECT_IS_TOP_LEVEL})
option(GPUENV_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(GPUENV_BUILD_EXAMPLES "Build the examples and run them as tests" ${PROJECT_IS_TOP_LEVEL})
option(GPUENV_BUILD_BENCH "Build the benchmarks" ${PROJECT_IS_TOP_LEVEL})
option(GPUENV_INSTALL "Make install rules and the CMake package" ${PROJECT_IS_TOP_LEVEL})
option(GPUENV_WERROR "Treat warnings in gpuenv's own code as errors" OFF)
set(GPUENV_SANITIZE "" CACHE STRING "Sanitizers for gpuenv's host code, for example address;undefined")

if(NOT GPUENV_CUDA MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "gpuenv: GPUENV_CUDA is '${GPUENV_CUDA}'; expected AUTO, ON or OFF.")
endif()
if(NOT GPUENV_CUDART MATCHES "^(static|shared)$")
  message(FATAL_ERROR "gpuenv: GPUENV_CUDART is '${GPUENV_CUDART}'; expected static or shared.")
endif()

# A matrix library without optimisation misleads; a parent project or a multi-config generator decides for itself.
get_property(gpuenv_is_multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(PROJECT_IS_TOP_LEVEL AND NOT gpuenv_is_multi_config AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
