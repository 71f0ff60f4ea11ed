# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# What is different in the parent after gpuenv: exactly this. EXPECT_CUDA: gpuenv is built with it.

expect_differences(variable)
expect_differences(environment)

# The cache. Ours; what project() leaves when the parent has no version; what the packages found leave.
set(expected "GPUENV_[A-Z_]+" "gpuenv_(SOURCE_DIR|BINARY_DIR|IS_TOP_LEVEL)" "CMAKE_PROJECT_VERSION(_MAJOR|_MINOR|_PATCH|_TWEAK)?"
  CMAKE_HAVE_LIBC_PTHREAD FIND_PACKAGE_MESSAGE_DETAILS_Threads)
if(NOT PARENT_EIGEN)
  list(APPEND expected Eigen3_DIR)
endif()
if(EXPECT_CUDA)
  list(APPEND expected FIND_PACKAGE_MESSAGE_DETAILS_CUDAToolkit CUDA_CUDART "CUDA_[A-Za-z0-9_]+_(LIBRARY|EXECUTABLE)"
    "CUDAToolkit_(rt_LIBRARY|CUPTI_INCLUDE_DIR)")
endif()
# And what the language leaves where it was not yet: its flags, and the compiler as long as this configuration runs.
set(expected_global PACKAGES_FOUND PACKAGES_NOT_FOUND)
if(EXPECT_CUDA AND NOT PARENT_LANGUAGE STREQUAL "CUDA" AND NOT PARENT_SIBLING)
  list(APPEND expected CMAKE_CUDA_COMPILER "CMAKE_CUDA_FLAGS(_DEBUG|_MINSIZEREL|_RELEASE|_RELWITHDEBINFO)?")
  list(APPEND expected_global ENABLED_LANGUAGES)
  if(DEFINED ENV{CUDAARCHS})
    list(APPEND expected CMAKE_CUDA_ARCHITECTURES)
  endif()
endif()
expect_differences(cache ${expected})
expect_differences(GLOBAL ${expected_global})
expect_differences(DIRECTORY SUBDIRECTORIES)  # so neither options nor definitions, targets or tests

# Below, everything is named after gpuenv, and nothing is tested.
get_property(folders DIRECTORY "${GPUENV_SOURCE}" PROPERTY SUBDIRECTORIES)
foreach(folder IN LISTS folders ITEMS "${GPUENV_SOURCE}")
  get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    if(NOT target MATCHES "^gpuenv_")
      message(SEND_ERROR "gpuenv made the target ${target} in its parent")
    endif()
  endforeach()
  get_property(tests DIRECTORY "${folder}" PROPERTY TESTS)
  if(tests)
    message(SEND_ERROR "gpuenv has tests in a parent that did not ask: ${tests}")
  endif()
endforeach()
foreach(target IN ITEMS gpuenv::core gpuenv::linalg gpuenv::eigen gpuenv::gpuenv)
  if(NOT TARGET ${target})
    message(SEND_ERROR "gpuenv gave its parent no target ${target}")
  endif()
endforeach()
foreach(target IN ITEMS gpuenv_command CUDA::cudart Threads::Threads)
  if(TARGET ${target})
    message(SEND_ERROR "gpuenv gave its parent the target ${target}")
  endif()
endforeach()
if((EXPECT_CUDA AND NOT TARGET gpuenv::cuda) OR (TARGET gpuenv::cuda AND NOT EXPECT_CUDA))
  message(SEND_ERROR "gpuenv::cuda is a target with CUDA, and only then")
endif()
