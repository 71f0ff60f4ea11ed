# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# gpuenv_require(<package> <target> <purpose> <Debian package>): finds a package that gpuenv needs to build, or says how
# to get it. Nothing is downloaded. A parent project that already has the target is believed.

macro(gpuenv_require package target purpose debian_package)
  if(NOT TARGET ${target})
    find_package(${package} CONFIG QUIET)
    if(NOT TARGET ${target})
      message(FATAL_ERROR
        "gpuenv: ${package} was not found; it is needed for ${purpose}.\n"
        "  Debian, Ubuntu:  apt install ${debian_package}   (or run: sh cmake/setup.sh)\n"
        "  elsewhere:       install it and pass -DCMAKE_PREFIX_PATH=<its prefix> or -D${package}_DIR=<folder of its config file>")
    endif()
    message(STATUS "gpuenv: ${package} ${${package}_VERSION} for ${purpose}")
  endif()
endmacro()
