# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# add_subdirectory(gpuenv) gives targets and changes nothing of the parent project.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

set(work "${WORK_DIR}/subfolder")
file(REMOVE_RECURSE "${work}")
run("configure the parent" "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/parent" -B "${work}" -G "${GENERATOR}"
  "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DGPUENV_SOURCE=${SOURCE_DIR}" -DGPUENV_CUDA=OFF)
run("build what the parent uses" "${CMAKE_COMMAND}" --build "${work}" --target parent_program --parallel 2)
run("run it" "${work}/parent_program")
