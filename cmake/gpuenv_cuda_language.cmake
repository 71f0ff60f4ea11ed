# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# Enables the language CUDA with the compiler CMAKE_CUDA_COMPILER, or else with gpuenv_toolkit_NVCC; when that cannot compile,
# CMAKE_CUDA_COMPILER is false afterwards.
# CMake notes the compiler in ENV{CUDACXX} and in the cache, where the next configuration of a parent project would find
# it as the answer to its own question for one. So below a parent the compiler is a variable of this folder, as in a
# toolchain file; the cache entry is there as long as this configuration runs, like the language, and is then taken back.

set(gpuenv_outer_cudacxx "$ENV{CUDACXX}")
set(gpuenv_compiler_entries "")  # those that CMake would make here
if(NOT PROJECT_IS_TOP_LEVEL)
  set(gpuenv_compiler_entries CMAKE_CUDA_COMPILER CMAKE_CUDA_HOST_COMPILER)
endif()
set(gpuenv_failed_entries "")  # the parent has searched for these and found nothing
foreach(entry IN LISTS gpuenv_compiler_entries)
  get_property(gpuenv_outer_type CACHE ${entry} PROPERTY TYPE)
  get_property(gpuenv_outer_value CACHE ${entry} PROPERTY VALUE)
  if(gpuenv_outer_value)
    list(REMOVE_ITEM gpuenv_compiler_entries ${entry})
  elseif(gpuenv_outer_type)
    list(APPEND gpuenv_failed_entries ${entry})
  endif()
endforeach()

if(NOT CMAKE_CUDA_COMPILER)
  unset(CMAKE_CUDA_COMPILER)
  unset(CMAKE_CUDA_COMPILER CACHE)  # an earlier search that found nothing does not bind this one
  set(ENV{CUDACXX} "${gpuenv_toolkit_NVCC}")
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    set(GPUENV_TOOLKIT_FOUND_BY "${CMAKE_CUDA_COMPILER}" "${gpuenv_toolkit_WHY}" CACHE INTERNAL "the nvcc that was chosen, and why")
  else()
    unset(CMAKE_CUDA_COMPILER CACHE)
  endif()
endif()

if(CMAKE_CUDA_COMPILER)
  foreach(entry IN LISTS gpuenv_compiler_entries)
    if(${entry})
      set(${entry} "${${entry}}")
      set(${entry} "${${entry}}" CACHE FILEPATH "CUDA compiler" FORCE)
      if(NOT entry IN_LIST gpuenv_failed_entries)
        # a deferred call looks at its variables when it is made, so the name is written into it
        cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY [[${CMAKE_SOURCE_DIR}]] CALL unset ${entry} CACHE)")
      endif()
    endif()
  endforeach()
  enable_language(CUDA)
endif()
foreach(entry IN LISTS gpuenv_failed_entries)
  set(${entry} NOTFOUND CACHE FILEPATH "CUDA compiler" FORCE)
endforeach()
if(gpuenv_outer_cudacxx STREQUAL "")
  unset(ENV{CUDACXX})
else()
  set(ENV{CUDACXX} "${gpuenv_outer_cudacxx}")
endif()
