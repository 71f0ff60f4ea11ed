# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# How every target of gpuenv is compiled. What stands here never reaches a consumer.

# Warnings, and the sanitizers of GPUENV_SANITIZE. Targets take the options from it without linking to it, so that no
# exported target depends on it.
add_library(gpuenv_warnings INTERFACE)
target_compile_options(gpuenv_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wconversion;-Wshadow>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-Wshadow>)
# GCC 12 warns about "literal" + std::string (its bug 105651).
target_compile_options(gpuenv_warnings INTERFACE
  $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>)
if(GPUENV_WERROR)
  target_compile_options(gpuenv_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Werror> $<$<COMPILE_LANGUAGE:CUDA>:--Werror=all-warnings>)
endif()
if(GPUENV_SANITIZE)
  list(JOIN GPUENV_SANITIZE "," gpuenv_sanitizers)
  target_compile_options(gpuenv_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:C,CXX>:-fsanitize=${gpuenv_sanitizers};-fno-sanitize-recover=all;-fno-omit-frame-pointer>)
  # GCC's instrumentation hides from it that a variable was set
  target_compile_options(gpuenv_warnings INTERFACE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  target_link_options(gpuenv_warnings INTERFACE -fsanitize=${gpuenv_sanitizers})
endif()

# Gives any target the common settings: C++20, device code in C++17, position independent, hidden symbols, warnings.
function(gpuenv_configure_target target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  target_compile_options(${target} PRIVATE $<TARGET_PROPERTY:gpuenv_warnings,INTERFACE_COMPILE_OPTIONS>)
  target_link_options(${target} PRIVATE $<TARGET_PROPERTY:gpuenv_warnings,INTERFACE_LINK_OPTIONS>)
  set_target_properties(${target} PROPERTIES
    CXX_EXTENSIONS OFF
    CUDA_STANDARD 17  # CMake 3.25 cannot ask nvcc for more
    CUDA_STANDARD_REQUIRED ON
    CUDA_EXTENSIONS OFF
    CUDA_SEPARABLE_COMPILATION OFF  # else every consumer would have to device-link
    CUDA_RUNTIME_LIBRARY None       # linked by name: GPUENV_CUDART
    POSITION_INDEPENDENT_CODE ON
    CXX_VISIBILITY_PRESET hidden
    CUDA_VISIBILITY_PRESET hidden
    VISIBILITY_INLINES_HIDDEN ON)
endfunction()

# gpuenv_add_library(<name> <sources>...): the library libgpuenv_<name>, seen as gpuenv::<name> by us and by consumers.
# Headers are found as <gpuenv/...>, our own ones beside the sources as "<room>/file.hpp", those of kernels/ as "file.hpp".
function(gpuenv_add_library name)
  set(target gpuenv_${name})
  add_library(${target} ${ARGN})
  add_library(gpuenv::${name} ALIAS ${target})
  gpuenv_configure_target(${target})
  target_compile_options(${target} PRIVATE  # places in messages are the repository's, not this machine's
    $<$<COMPILE_LANGUAGE:CXX>:-fmacro-prefix-map=${PROJECT_SOURCE_DIR}/=>)
  target_compile_features(${target} PUBLIC cxx_std_20)
  gpuenv_add_public_headers(${target} PUBLIC)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}/src" "${PROJECT_SOURCE_DIR}/kernels")
  set_target_properties(${target} PROPERTIES
    EXPORT_NAME ${name}
    VERSION ${PROJECT_VERSION}
    SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    LINKER_LANGUAGE CXX
    INSTALL_RPATH "$ORIGIN")
endfunction()

# The same for a target that is only headers and links.
function(gpuenv_add_interface_library name)
  set(target gpuenv_${name})
  if(name STREQUAL "gpuenv")
    set(target gpuenv_all)
  endif()
  add_library(${target} INTERFACE)
  add_library(gpuenv::${name} ALIAS ${target})
  target_compile_features(${target} INTERFACE cxx_std_20)
  gpuenv_add_public_headers(${target} INTERFACE)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
endfunction()

function(gpuenv_add_public_headers target scope)
  target_include_directories(${target} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>)
  if(GPUENV_INSTALL)
    target_include_directories(${target} ${scope} $<INSTALL_INTERFACE:${gpuenv_include_dir}>)
  endif()
endfunction()

# Include folders of a package that is needed to compile <target> and never to use it: nothing is exported.
function(gpuenv_use_headers_privately target package_target)
  target_include_directories(${target} SYSTEM PRIVATE $<TARGET_PROPERTY:${package_target},INTERFACE_INCLUDE_DIRECTORIES>)
endfunction()
