# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# Install rules, and a CMake package that works from the install tree, from a moved one and from the build tree.
# Each component has a target file of its own, so that a consumer needs only what its components need.

include(CMakePackageConfigHelpers)

set(gpuenv_components core linalg eigen gpuenv)
if(gpuenv_has_cuda)
  list(INSERT gpuenv_components 1 cuda)
endif()
foreach(component IN LISTS gpuenv_components)
  set(target gpuenv_${component})
  if(component STREQUAL "gpuenv")
    set(target gpuenv_all)
  endif()
  install(TARGETS ${target} EXPORT gpuenv_${component}_targets
    LIBRARY DESTINATION "${gpuenv_lib_dir}" COMPONENT gpuenv_runtime NAMELINK_COMPONENT gpuenv_development
    ARCHIVE DESTINATION "${gpuenv_lib_dir}" COMPONENT gpuenv_development)
  install(EXPORT gpuenv_${component}_targets NAMESPACE gpuenv:: FILE gpuenv-${component}-targets.cmake
    DESTINATION "${gpuenv_package_dir}" COMPONENT gpuenv_development)
endforeach()
foreach(component IN LISTS gpuenv_components)
  export(EXPORT gpuenv_${component}_targets NAMESPACE gpuenv:: FILE "${PROJECT_BINARY_DIR}/gpuenv-${component}-targets.cmake")
endforeach()

set(gpuenv_is_static TRUE)
get_target_property(gpuenv_core_type gpuenv_core TYPE)
if(gpuenv_core_type STREQUAL "SHARED_LIBRARY")
  set(gpuenv_is_static FALSE)
endif()
configure_file("${gpuenv_cmake_dir}/gpuenvConfig.cmake.in" "${PROJECT_BINARY_DIR}/gpuenvConfig.cmake" @ONLY)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/gpuenvConfigVersion.cmake"
  VERSION ${PROJECT_VERSION} COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/gpuenvConfig.cmake" "${PROJECT_BINARY_DIR}/gpuenvConfigVersion.cmake"
  DESTINATION "${gpuenv_package_dir}" COMPONENT gpuenv_development)

set(gpuenv_absent_headers "")
if(NOT gpuenv_has_cuda)
  set(gpuenv_absent_headers PATTERN "gpuenv/cuda" EXCLUDE PATTERN "gpuenv/linalg/device_*.hpp" EXCLUDE)
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/gpuenv" "${PROJECT_BINARY_DIR}/generated/gpuenv"
  DESTINATION "${gpuenv_include_dir}" COMPONENT gpuenv_development FILES_MATCHING PATTERN "*.hpp" ${gpuenv_absent_headers})

if(GPUENV_BUILD_COMMAND)
  set_target_properties(gpuenv_command PROPERTIES INSTALL_RPATH "$ORIGIN/${gpuenv_bin_to_lib}")
  install(TARGETS gpuenv_command RUNTIME DESTINATION "${gpuenv_bin_dir}" COMPONENT gpuenv_runtime)
endif()
