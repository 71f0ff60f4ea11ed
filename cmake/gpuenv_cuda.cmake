# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# Decides whether gpuenv is built with CUDA, with which toolkit and for which GPUs, and says so.
# Sets gpuenv_has_cuda (0 or 1), gpuenv_cuda_major and gpuenv_built_architectures.

set(gpuenv_has_cuda 0)
set(gpuenv_cuda_major 0)
set(gpuenv_built_architectures "")
set(gpuenv_cudart CUDA::cudart)

if(GPUENV_CUDA STREQUAL "OFF")
  message(STATUS "gpuenv: CUDA is off (GPUENV_CUDA=OFF)")
  return()
endif()

# AUTO explains and goes on without CUDA; ON stops.
macro(gpuenv_cuda_absent reason fix)
  if(GPUENV_CUDA STREQUAL "ON")
    message(FATAL_ERROR "gpuenv: GPUENV_CUDA=ON, but ${reason}\n  ${fix}")
  endif()
  message(STATUS "gpuenv: CUDA is off: ${reason}")
  message(STATUS "gpuenv: to build with CUDA: ${fix}")
  return()
endmacro()

get_property(gpuenv_languages GLOBAL PROPERTY ENABLED_LANGUAGES)
list(POP_FRONT GPUENV_TOOLKIT_FOUND_BY gpuenv_remembered_compiler gpuenv_remembered_why)
if("CUDA" IN_LIST gpuenv_languages)
  enable_language(CUDA)  # the parent, or a folder beside this one, has chosen for all; here the choice is only made known
elseif(NOT CMAKE_CUDA_COMPILER AND NOT PROJECT_IS_TOP_LEVEL)
  set(CMAKE_CUDA_COMPILER "${gpuenv_remembered_compiler}")  # not in the parent's cache: gpuenv_cuda_language.cmake
endif()
gpuenv_choose_toolkit(gpuenv_toolkit)
if(gpuenv_toolkit_WHY STREQUAL "CMAKE_CUDA_COMPILER" AND gpuenv_toolkit_NVCC STREQUAL gpuenv_remembered_compiler)
  set(gpuenv_toolkit_WHY "${gpuenv_remembered_why}")  # CMake remembers the compiler, we remember why
endif()
foreach(other IN LISTS gpuenv_toolkit_OTHERS)
  message(STATUS "gpuenv: another CUDA toolkit, not used: ${other}")
endforeach()
if(gpuenv_toolkit_ERROR)
  message(FATAL_ERROR "gpuenv: ${gpuenv_toolkit_ERROR}\n  Or build without CUDA: -DGPUENV_CUDA=OFF")
endif()
set(gpuenv_toolkit_advice "install the CUDA toolkit 12.0 or later, or name its folder with -DCUDAToolkit_ROOT=<folder>")
if(NOT gpuenv_toolkit_NVCC)
  gpuenv_cuda_absent("no usable nvcc (looked at CMAKE_CUDA_COMPILER, CUDACXX, CUDAToolkit_ROOT, CUDA_HOME, CUDA_PATH, PATH and /usr/local/cuda*)."
    "${gpuenv_toolkit_advice}")
endif()
message(STATUS "gpuenv: CUDA ${gpuenv_toolkit_VERSION} from ${gpuenv_toolkit_NVCC} (${gpuenv_toolkit_WHY})")
if(gpuenv_toolkit_VERSION VERSION_LESS 12.0)
  gpuenv_cuda_absent("CUDA ${gpuenv_toolkit_VERSION} is older than 12.0." "${gpuenv_toolkit_advice}")
endif()

# CMake fills CMAKE_CUDA_ARCHITECTURES with one old number when nobody did, so the choice comes before the language.
if(CMAKE_CUDA_ARCHITECTURES)  # OFF is a parent that passes its own -gencode: ours is the default then
  gpuenv_resolve_architectures(gpuenv_built_architectures "${CMAKE_CUDA_ARCHITECTURES}" "CMAKE_CUDA_ARCHITECTURES" STRICT
    "${gpuenv_toolkit_NVCC}" "${gpuenv_toolkit_VERSION}")
elseif(NOT "$ENV{CUDAARCHS}" STREQUAL "")
  gpuenv_resolve_architectures(gpuenv_built_architectures "$ENV{CUDAARCHS}" "environment CUDAARCHS" STRICT
    "${gpuenv_toolkit_NVCC}" "${gpuenv_toolkit_VERSION}")
else()
  gpuenv_resolve_architectures(gpuenv_built_architectures "${GPUENV_DEFAULT_ARCHITECTURES}" "GPUENV_DEFAULT_ARCHITECTURES" LENIENT
    "${gpuenv_toolkit_NVCC}" "${gpuenv_toolkit_VERSION}")
endif()
message(STATUS "gpuenv: CUDA architectures: ${gpuenv_built_architectures}")
set(CMAKE_CUDA_ARCHITECTURES "${gpuenv_built_architectures}")  # in this folder and below; no cache entry, no parent

if(NOT "CUDA" IN_LIST gpuenv_languages)
  include("${gpuenv_cmake_dir}/gpuenv_cuda_language.cmake")
  if(NOT CMAKE_CUDA_COMPILER)
    set(gpuenv_built_architectures "")
    gpuenv_cuda_absent("${gpuenv_toolkit_NVCC} cannot compile a test program with ${CMAKE_CXX_COMPILER} (see ${CMAKE_BINARY_DIR}/CMakeFiles, CMakeError.log or CMakeConfigureLog.yaml)."
      "use a host compiler that CUDA ${gpuenv_toolkit_VERSION} knows: -DCMAKE_CUDA_HOST_COMPILER=<g++ of another version>")
  endif()
endif()

if(NOT CMAKE_CUDA_COMPILER_ID STREQUAL "NVIDIA")
  set(gpuenv_built_architectures "")
  gpuenv_cuda_absent("the CUDA compiler is ${CMAKE_CUDA_COMPILER_ID}; gpuenv is built with nvcc." "unset CUDACXX and CMAKE_CUDA_COMPILER")
endif()
# CMake 3.25's module marks a library that CUDA 13 no longer has as deprecated, for projects that require 3.25 or later.
set(gpuenv_minimum "${CMAKE_MINIMUM_REQUIRED_VERSION}")
if(CMAKE_VERSION VERSION_LESS 3.26)
  set(CMAKE_MINIMUM_REQUIRED_VERSION 3.24)
endif()
find_package(CUDAToolkit 12.0 REQUIRED)
set(CMAKE_MINIMUM_REQUIRED_VERSION "${gpuenv_minimum}")
list(GET CUDAToolkit_INCLUDE_DIRS 0 gpuenv_first_include_dir)
gpuenv_headers_version(gpuenv_found_headers "${gpuenv_first_include_dir}")
if(NOT CMAKE_CUDA_COMPILER_VERSION MATCHES "^${gpuenv_found_headers}(\\.|$)")
  message(FATAL_ERROR "gpuenv: the compiler ${CMAKE_CUDA_COMPILER} is CUDA ${CMAKE_CUDA_COMPILER_VERSION}, but CMake found the headers of "
    "CUDA ${gpuenv_found_headers} in ${gpuenv_first_include_dir}. Name one toolkit for both: -DCUDAToolkit_ROOT=<folder>")
endif()
set(gpuenv_cudart_component cudart)
set(gpuenv_cudart_name libcudart.so)
if(GPUENV_CUDART STREQUAL "static")
  set(gpuenv_cudart_component cudart_static)
  set(gpuenv_cudart_name libcudart_static.a)
endif()
set(gpuenv_cudart CUDA::${gpuenv_cudart_component})
if(NOT TARGET ${gpuenv_cudart})
  message(FATAL_ERROR "gpuenv: GPUENV_CUDART=${GPUENV_CUDART}, but the toolkit in ${gpuenv_toolkit_ROOT} has no ${gpuenv_cudart} library.")
endif()
get_target_property(gpuenv_cudart_file ${gpuenv_cudart} IMPORTED_LOCATION)
file(REAL_PATH "${gpuenv_cudart_file}" gpuenv_cudart_file)
foreach(folder IN ITEMS lib64 lib "targets/${CMAKE_SYSTEM_PROCESSOR}-linux/lib")
  if(EXISTS "${gpuenv_toolkit_ROOT}/${folder}/${gpuenv_cudart_name}")
    file(REAL_PATH "${gpuenv_toolkit_ROOT}/${folder}/${gpuenv_cudart_name}" gpuenv_own_cudart)
    if(NOT gpuenv_own_cudart STREQUAL gpuenv_cudart_file)
      message(FATAL_ERROR "gpuenv: the compiler is of the toolkit in ${gpuenv_toolkit_ROOT}, but CMake found the CUDA runtime of another one, "
        "${gpuenv_cudart_file}. Name the right one: -DCUDA_${gpuenv_cudart_component}_LIBRARY=${gpuenv_own_cudart}")
    endif()
    break()
  endif()
endforeach()

set(gpuenv_has_cuda 1)
set(gpuenv_cuda_major ${CUDAToolkit_VERSION_MAJOR})
