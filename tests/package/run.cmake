# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# Helpers of the script tests.
cmake_minimum_required(VERSION 3.25...4.0)

# run(<title> <command>...): runs it, keeps its output in run_output, and ends the test when it fails.
macro(run title)
  run_any("${title}" ${ARGN})
  if(NOT run_result EQUAL 0)
    message(FATAL_ERROR "${title}: failed with ${run_result}\n${run_output}")
  endif()
endmacro()

# The same, but whatever the result.
macro(run_any title)
  message(STATUS "${title}")
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE run_output ERROR_VARIABLE run_output RESULT_VARIABLE run_result)
endmacro()

# run_expecting_failure(<title> <text expected in the output> <command>...)
macro(run_expecting_failure title expected)
  run_any("${title}" ${ARGN})
  string(REGEX REPLACE "[ \r\n]+" " " run_text "${run_output}")
  string(FIND "${run_text}" "${expected}" run_position)
  if(run_result EQUAL 0)
    message(FATAL_ERROR "${title}: succeeded, which it must not\n${run_output}")
  elseif(run_position EQUAL -1)
    message(FATAL_ERROR "${title}: the output lacks '${expected}'\n${run_output}")
  endif()
endmacro()

# expect(<actual> <expected> <what>)
function(expect actual expected what)
  if(NOT "${actual}" STREQUAL "${expected}")
    message(FATAL_ERROR "${what}: got '${actual}', expected '${expected}'")
  endif()
endfunction()

# expect_text(<text> <part> <what>)
function(expect_text text part what)
  string(FIND "${text}" "${part}" position)
  if(position EQUAL -1)
    message(FATAL_ERROR "${what}: '${part}' is missing in:\n${text}")
  endif()
endfunction()

# Configures, builds and runs the consumer project against one gpuenv.
macro(run_consumer title folder)
  file(REMOVE_RECURSE "${folder}")
  run("${title}: configure" "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/consumer" -B "${folder}" -G "${GENERATOR}"
    "-DCMAKE_CXX_COMPILER=${CXX_COMPILER}" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF ${ARGN})
  run("${title}: build" "${CMAKE_COMMAND}" --build "${folder}" --parallel 2)
  run_consumer_programs("${title}" "${folder}")
endmacro()

macro(run_consumer_programs title folder)
  foreach(program IN ITEMS consumer wrapped_consumer)
    run("${title}: run ${program}" "${folder}/${program}")
    message(STATUS "${run_output}")
  endforeach()
  run("${title}: load the plug-in" "${folder}/plugin_host" "${folder}/libplugin.so")
endmacro()

# No installed CMake file names a folder of the machine that built it. ARGN: folders that must not appear.
function(expect_no_paths package_dir)
  file(GLOB files "${package_dir}/*.cmake")
  list(LENGTH files count)
  if(count LESS 4)
    message(FATAL_ERROR "only ${count} CMake files in ${package_dir}")
  endif()
  foreach(file IN LISTS files)
    file(READ "${file}" text)
    foreach(path IN LISTS ARGN)
      string(FIND "${text}" "${path}" position)
      if(path AND NOT position EQUAL -1)
        message(FATAL_ERROR "${file} names ${path}")
      endif()
    endforeach()
  endforeach()
endfunction()
