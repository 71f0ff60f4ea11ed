# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# Where things are installed. A folder given as an absolute path inside the prefix is made relative again, so that an
# installation can be moved however it was configured; one outside the prefix stays what the user said.

include(GNUInstallDirs)
foreach(kind IN ITEMS INCLUDE LIB BIN)
  string(TOLOWER ${kind} name)
  set(gpuenv_${name}_dir "${CMAKE_INSTALL_${kind}DIR}")
  cmake_path(IS_PREFIX CMAKE_INSTALL_PREFIX "${gpuenv_${name}_dir}" NORMALIZE gpuenv_is_inside)
  if(IS_ABSOLUTE "${gpuenv_${name}_dir}" AND gpuenv_is_inside)
    cmake_path(RELATIVE_PATH gpuenv_${name}_dir BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}")
  endif()
endforeach()
if(gpuenv_include_dir STREQUAL "")
  set(gpuenv_include_dir ".")
endif()
set(gpuenv_package_dir "${gpuenv_lib_dir}/cmake/gpuenv")

# From the command to its libraries, for its run path.
set(gpuenv_bin_to_lib "${CMAKE_INSTALL_FULL_LIBDIR}")
cmake_path(RELATIVE_PATH gpuenv_bin_to_lib BASE_DIRECTORY "${CMAKE_INSTALL_FULL_BINDIR}")
