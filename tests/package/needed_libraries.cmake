# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# What gpuenv is linked to must be on every machine; the driver, NVML, cuBLAS and NCCL are not.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

string(REPLACE "," ";" BINARIES "${BINARIES}")
foreach(binary IN LISTS BINARIES)
  run("${binary}" "${READELF}" --dynamic --wide "${binary}")
  string(REGEX MATCHALL "\\(NEEDED\\)[^\n]*" needed "${run_output}")
  if(NOT needed MATCHES "libc\\.so")
    message(FATAL_ERROR "readelf lists no needed libraries:\n${run_output}")
  endif()
  set(banned "lib(cuda|nvidia-ml|cublas|cublasLt|nccl)\\.so")
  if(CUDART STREQUAL "static")
    set(banned "${banned}|libcudart\\.so")
  endif()
  if(needed MATCHES "${banned}")
    message(FATAL_ERROR "${binary} needs ${CMAKE_MATCH_0}:\n${needed}")
  endif()
  if(run_output MATCHES "R(UN)?PATH[^\n]*stubs")
    message(FATAL_ERROR "${binary} looks for libraries among the toolkit's stubs:\n${CMAKE_MATCH_0}")
  endif()
endforeach()
