# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# All that a project can see of itself, noted and compared: variables, cache, environment, properties, targets, tests.

# note(<when>): keeps everything as global properties <when>_<kind>_<name>, and the names as <when>_<kind>.
function(note when)
  # Variables, but not those that CMake itself writes at every step or warns about.
  get_cmake_property(names VARIABLES)
  get_cmake_property(cache_names CACHE_VARIABLES)
  list(REMOVE_DUPLICATES names)
  list(FILTER names EXCLUDE REGEX
    "^(CMAKE_MATCH_.*|when|names|cache_names|ARG[CVN0-9]*|CMAKE_CURRENT_FUNCTION.*|CMAKE_(WARN|ERROR)_DEPRECATED)$")
  set_property(GLOBAL PROPERTY ${when}_variable "${names}")
  foreach(name IN LISTS names)
    set_property(GLOBAL PROPERTY ${when}_variable_${name} "${${name}}")
  endforeach()

  set_property(GLOBAL PROPERTY ${when}_cache "${cache_names}")
  foreach(name IN LISTS cache_names)
    get_property(value CACHE ${name} PROPERTY VALUE)
    set_property(GLOBAL PROPERTY ${when}_cache_${name} "${value}")
  endforeach()

  execute_process(COMMAND "${CMAKE_COMMAND}" -E environment OUTPUT_VARIABLE text)
  string(REGEX MATCHALL "(^|\n)[A-Za-z_][A-Za-z_0-9]*=" names "${text}")
  list(TRANSFORM names REPLACE "[\n=]" "")
  set_property(GLOBAL PROPERTY ${when}_environment "")
  foreach(name IN LISTS names)
    if(NOT "$ENV{${name}}" STREQUAL "")  # CMake leaves LC_ALL and LC_MESSAGES empty when it has asked a compiler
      set_property(GLOBAL APPEND PROPERTY ${when}_environment "${name}")
      set_property(GLOBAL PROPERTY ${when}_environment_${name} "$ENV{${name}}")
    endif()
  endforeach()

  execute_process(COMMAND "${CMAKE_COMMAND}" --help-property-list OUTPUT_VARIABLE text)
  string(REGEX MATCHALL "[^\n]+" properties "${text}")
  list(FILTER properties EXCLUDE REGEX "[<>]|^(CACHE_)?VARIABLES$|^IN_TRY_COMPILE$")
  foreach(scope IN ITEMS GLOBAL DIRECTORY)
    set_property(GLOBAL PROPERTY ${when}_${scope} "${properties}")
    foreach(name IN LISTS properties)
      get_property(value ${scope} PROPERTY ${name})
      set_property(GLOBAL PROPERTY ${when}_${scope}_${name} "${value}")
    endforeach()
  endforeach()
endfunction()

# differences(<out> <kind>): names whose value differs between the notes `before` and `after`, and those added or removed.
function(differences out kind)
  get_property(before GLOBAL PROPERTY before_${kind})
  get_property(after GLOBAL PROPERTY after_${kind})
  set(names ${before} ${after})
  list(REMOVE_DUPLICATES names)
  set(result "")
  foreach(name IN LISTS names)
    get_property(old GLOBAL PROPERTY before_${kind}_${name})
    get_property(new GLOBAL PROPERTY after_${kind}_${name})
    if(NOT "${old}" STREQUAL "${new}" OR NOT name IN_LIST before OR NOT name IN_LIST after)
      list(APPEND result "${name}")
    endif()
  endforeach()
  if(kind STREQUAL "variable")  # a cache entry is seen as a variable too
    differences(entries cache)
    list(REMOVE_ITEM result ${entries} "")
  endif()
  set(${out} "${result}" PARENT_SCOPE)
endfunction()

# expect_differences(<kind> <regular expression>...): the differences are names that match, and nothing else.
function(expect_differences kind)
  differences(names ${kind})
  foreach(expected IN LISTS ARGN)
    list(FILTER names EXCLUDE REGEX "^(${expected})$")
  endforeach()
  foreach(name IN LISTS names)
    get_property(old GLOBAL PROPERTY before_${kind}_${name})
    get_property(new GLOBAL PROPERTY after_${kind}_${name})
    message(SEND_ERROR "gpuenv changed the ${kind} ${name} of its parent from '${old}' to '${new}'")
  endforeach()
endfunction()
