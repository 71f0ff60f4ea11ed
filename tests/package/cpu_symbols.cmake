# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# Objects compiled for newer CPUs define nothing under a name that baseline objects could define too: the linker keeps
# one of the weak symbols of a name, and a program would run AVX-512 code wherever that one was chosen.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")

# What nm lists and another object could see, but for what bears the level's own name. The personality's address is
# data, the same in all objects.
function(shared_symbols level object result)
  run("${level}" "${NM}" --defined-only --extern-only --format=posix "${object}")
  string(REGEX REPLACE "\n$" "" lines "${run_output}")
  string(REPLACE ";" "," lines "${lines}")
  string(REPLACE "\n" ";" lines "${lines}")
  set(own 0)
  set(shared "")
  foreach(line IN LISTS lines)
    if(line MATCHES "[0-9](cpu|gpuenv_internal_eigen)_${level}[EN0-9]")
      math(EXPR own "${own} + 1")
    elseif(NOT line MATCHES "^DW\\.ref\\.__gxx_personality_v0 V")
      string(APPEND shared "\n  ${line}")
    endif()
  endforeach()
  if(own LESS 2)  # multiply for float and double
    message(FATAL_ERROR "${object}: nm finds no entry of ${level}:\n${run_output}")
  endif()
  # What runs when the library is loaded runs on every CPU. Sanitizers add such code of their own.
  run("${level}" "${NM}" --format=posix "${object}")
  if(run_output MATCHES "_GLOBAL__sub_I_[^\n]*" AND NOT run_output MATCHES "__[a-z]+san_init U")
    string(REGEX MATCH "_GLOBAL__sub_I_[^\n]*" start "${run_output}")
    string(APPEND shared "\n  ${start}")
  endif()
  set(${result} "${shared}" PARENT_SCOPE)
endfunction()

string(REPLACE "," ";" OBJECTS "${OBJECTS}")
set(checked 0)
foreach(object IN LISTS OBJECTS)
  if(NOT object MATCHES "gpuenv_cpu_(baseline|v2|v3|v4)\\.dir")
    message(FATAL_ERROR "${object}: whose level?")
  endif()
  shared_symbols("${CMAKE_MATCH_1}" "${object}" shared)
  if(shared)
    message(FATAL_ERROR "${object} defines what others may define:${shared}")
  endif()
  math(EXPR checked "${checked} + 1")
endforeach()
if(NOT checked EQUAL COUNT)
  message(FATAL_ERROR "${checked} objects of ${COUNT}")
endif()

# And the check can fail: an object that also defines an inline function of the standard library and a static object.
file(WRITE "${WORK_DIR}/cpu_symbols/gpuenv_cpu_v4.dir/planted.cpp" "
#include <vector>
namespace cpu_v4 { void one(std::vector<int>& v) { v.reserve(7); } void two() {} std::vector<int> three(3); }
")
set(planted "${WORK_DIR}/cpu_symbols/gpuenv_cpu_v4.dir/planted.o")
run("planted" "${CXX_COMPILER}" -O0 -c "${WORK_DIR}/cpu_symbols/gpuenv_cpu_v4.dir/planted.cpp" -o "${planted}")
shared_symbols(v4 "${planted}" shared)
expect_text("${shared}" "reserve" "a planted std::vector<int>::reserve")
expect_text("${shared}" "_GLOBAL__sub_I_" "a planted static object")
