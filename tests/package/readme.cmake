# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# The README tells the truth. Its first program is examples/00_ten_lines.cpp: SOURCE_DIR. Its CMake projects build against an
# installation: PREFIX, if there is one.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

file(READ "${SOURCE_DIR}/README.md" readme)

# Its screen is that of the record which the figures come from.
file(READ "${SOURCE_DIR}/bench/targets.json" targets)
string(JSON record GET "${targets}" record)
file(READ "${SOURCE_DIR}/bench/results/${record}/demo.txt" screen)
string(REGEX REPLACE "\n$" "" screen "${screen}")
string(REPLACE "\n" "\n    " screen "\n${screen}")
string(FIND "${readme}" "${screen}" begin)
if(begin EQUAL -1)
  message(FATAL_ERROR "README.md does not show bench/results/${record}/demo.txt")
endif()

# next_block(<out> <language>): the next block of code in `readme`, which is cut behind it.
macro(next_block out language)
  string(FIND "${readme}" "```${language}\n" begin)
  if(begin EQUAL -1)
    message(FATAL_ERROR "README.md lacks a block of ${language}")
  endif()
  string(SUBSTRING "${readme}" ${begin} -1 readme)
  string(REGEX MATCH "\n([^`]*)```" ${out} "${readme}")
  set(${out} "${CMAKE_MATCH_1}")
  string(LENGTH "${CMAKE_MATCH_0}" length)
  string(SUBSTRING "${readme}" ${length} -1 readme)
endmacro()

# build_app(<name> <source file>): builds and runs a project of `block` and `program`. A block without project() is C++ only.
macro(build_app name source)
  file(WRITE "${work}/${name}/${source}" "${program}")
  set(project "cmake_minimum_required(VERSION 3.25...4.0)\n")
  if(NOT "${block}" MATCHES "project\\(")
    string(APPEND project "project(app LANGUAGES CXX)\n")
  endif()
  file(WRITE "${work}/${name}/CMakeLists.txt" "${project}${block}")
  run("${name}: configure" "${CMAKE_COMMAND}" -S "${work}/${name}" -B "${work}/${name}/build" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" "-DCMAKE_PREFIX_PATH=${PREFIX}" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF ${ARGN})
  run("${name}: build" "${CMAKE_COMMAND}" --build "${work}/${name}/build" --parallel 2)
  run_any("${name}: run" "${work}/${name}/build/app")
endmacro()

file(READ "${SOURCE_DIR}/examples/00_ten_lines.cpp" example)
string(REGEX REPLACE "^(//[^\n]*\n)+" "" example "${example}")
next_block(program cpp)
expect("${program}" "${example}" "the README's first program, and examples/00_ten_lines.cpp without its comment")
if(NOT PREFIX)
  return()
endif()

set(work "${WORK_DIR}/readme")
file(REMOVE_RECURSE "${work}")
next_block(block cmake)
build_app(cpp_app main.cpp)
expect("${run_result}" 0 "the README's first program")
expect_text("${run_output}" "verified" "its product")

next_block(block cmake)
if(HAS_CUDA)
  file(READ "${SOURCE_DIR}/tests/gpu/cu_consumer.cu" program)
  build_app(cu_app main.cu "-DCMAKE_CUDA_COMPILER=${CUDA_COMPILER}")
  if(NOT run_result EQUAL 0 AND NOT (run_result EQUAL 77 AND run_output MATCHES "^skipped: [^\n]+"))  # 77: no GPU, and why
    message(FATAL_ERROR "the program with a kernel of its own ended with ${run_result}\n${run_output}")
  endif()
  message(STATUS "${run_output}")
endif()
