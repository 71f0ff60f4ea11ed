# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# Choosing among several CUDA toolkits, tried on folders that only look like toolkits.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")
include("${MODULE_DIR}/gpuenv_toolkit.cmake")

set(work "${WORK_DIR}/toolkit")
file(REMOVE_RECURSE "${work}")

# make_toolkit(<folder> <compiler version or NONE> <headers version as a number or NONE>)
function(make_toolkit folder compiler headers)
  if(NOT compiler STREQUAL "NONE")
    file(WRITE "${folder}/bin/nvcc" "#!/bin/sh\necho 'Cuda compilation tools, release ${compiler}, V${compiler}.99'\n")
    file(CHMOD "${folder}/bin/nvcc" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  endif()
  if(NOT headers STREQUAL "NONE")
    file(WRITE "${folder}/include/cuda_runtime_api.h" "#define CUDART_VERSION  ${headers}\n")
  endif()
endfunction()

make_toolkit("${work}/cuda-12.4" 12.4 12040)
make_toolkit("${work}/cuda-13.0" 13.0 13000)
make_toolkit("${work}/cuda-13.3" 13.3 NONE)
make_toolkit("${work}/cuda-mixed" 13.0 12040)
make_toolkit("${work}/cuda-headers" NONE 13000)

# Every case starts from an environment without any toolkit.
macro(start)
  foreach(name IN ITEMS CUDACXX CUDAToolkit_ROOT CUDA_HOME CUDA_PATH)
    unset(ENV{${name}})
  endforeach()
  set(ENV{PATH} "/bin:/usr/bin/no-such-folder")
  set(gpuenv_toolkit_folders "${work}/no-such-folder")
  unset(CMAKE_CUDA_COMPILER)
  unset(CUDAToolkit_ROOT)
endmacro()

start()
gpuenv_choose_toolkit(found)
expect("${found_NVCC}|${found_ERROR}" "|" "no toolkit anywhere")

start()
set(gpuenv_toolkit_folders "${work}/cuda" "${work}/cuda-*")
gpuenv_choose_toolkit(found)
expect("${found_ROOT}|${found_ERROR}" "${work}/cuda-13.0|" "newest complete one of the usual folders")
expect("${found_VERSION}" "13.0.99" "its version")
expect_text("${found_OTHERS}" "cuda-13.3 (usual folder, unusable: no headers" "a half-installed tree is named")
expect_text("${found_OTHERS}" "cuda-12.4 (usual folder, CUDA 12.4.99)" "the other complete one is named")
expect_text("${found_OTHERS}" "cuda-mixed (usual folder, unusable: compiler 13.0.99, headers 12.4)" "a mixed one is named")
expect_text("${found_OTHERS}" "cuda-headers (usual folder, unusable: no bin/nvcc)" "headers alone are named")

set(ENV{PATH} "${work}/cuda-12.4/bin:/bin")
gpuenv_choose_toolkit(found)
expect("${found_ROOT}|${found_WHY}" "${work}/cuda-12.4|PATH" "PATH comes before the usual folders")

set(ENV{CUDA_HOME} "${work}/cuda-13.0")
gpuenv_choose_toolkit(found)
expect("${found_ROOT}|${found_WHY}" "${work}/cuda-13.0|environment CUDA_HOME" "CUDA_HOME comes before PATH")

set(ENV{CUDA_HOME} "${work}/cuda-13.3")
gpuenv_choose_toolkit(found)
expect("${found_ROOT}|${found_ERROR}" "${work}/cuda-12.4|" "a half-installed CUDA_HOME is passed over")
expect_text("${found_OTHERS}" "cuda-13.3 (environment CUDA_HOME, unusable" "and named")

set(CUDAToolkit_ROOT "${work}/cuda-13.0")
gpuenv_choose_toolkit(found)
expect("${found_ROOT}|${found_WHY}" "${work}/cuda-13.0|CUDAToolkit_ROOT" "CUDAToolkit_ROOT comes before the environment")

set(CUDAToolkit_ROOT "${work}/cuda-13.3")
gpuenv_choose_toolkit(found)
expect_text("${found_ERROR}" "CUDAToolkit_ROOT names ${work}/cuda-13.3/bin/nvcc, which cannot be used: no headers" "a half-installed choice by name")
expect("${found_NVCC}" "" "no other one is taken instead")

start()
set(CUDAToolkit_ROOT "${work}/cuda-mixed")
gpuenv_choose_toolkit(found)
expect_text("${found_ERROR}" "is CUDA 13.0.99 but the headers beside it are CUDA 12.4" "compiler and headers of different versions")

start()
set(ENV{CUDA_HOME} "${work}/cuda-mixed")
gpuenv_choose_toolkit(found)
expect_text("${found_ERROR}" "is CUDA 13.0.99 but the headers beside it are CUDA 12.4" "the same when the environment names it")

start()
set(ENV{CUDACXX} "${work}/cuda-12.4/bin/nvcc")
set(ENV{CUDA_HOME} "${work}/cuda-13.0")
gpuenv_choose_toolkit(found)
expect("${found_ROOT}|${found_WHY}" "${work}/cuda-12.4|environment CUDACXX" "CUDACXX names the compiler itself")
set(CUDAToolkit_ROOT "${work}/cuda-13.0")
gpuenv_choose_toolkit(found)
expect_text("${found_ERROR}" "environment CUDACXX is ${work}/cuda-12.4/bin/nvcc, but CUDAToolkit_ROOT names ${work}/cuda-13.0" "two choices by name")

start()
file(WRITE "${work}/wrapper/nvcc" "#!/bin/sh\necho '#$ TOP=${work}/cuda-12.4/bin/..'\nexec '${work}/cuda-12.4/bin/nvcc'\n")
file(CHMOD "${work}/wrapper/nvcc" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
set(ENV{PATH} "${work}/wrapper:${work}/cuda-12.4/bin:/bin")
gpuenv_choose_toolkit(found)
expect("${found_NVCC}|${found_OTHERS}" "${work}/wrapper/nvcc|" "a wrapper and its toolkit are one")

start()
file(CREATE_LINK "${work}/cuda-13.0" "${work}/cuda" SYMBOLIC)
set(gpuenv_toolkit_folders "${work}/cuda" "${work}/cuda-13.0")
gpuenv_choose_toolkit(found)
expect("${found_ROOT}|${found_OTHERS}" "${work}/cuda|" "a link and its target are one toolkit")
