# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# Choosing GPU architectures, with compilers that only answer --list-gpu-arch.
include("${CMAKE_CURRENT_LIST_DIR}/run.cmake")
include("${MODULE_DIR}/gpuenv_architectures.cmake")

# A refusal ends the script that meets it, so it is met in a script of its own: cmake -DREQUEST=75,80 ... -P architectures.cmake
if(DEFINED REQUEST)
  string(REPLACE "," ";" REQUEST "${REQUEST}")
  gpuenv_resolve_architectures(result "${REQUEST}" CMAKE_CUDA_ARCHITECTURES STRICT "${NVCC}" "${VERSION}")
  message(STATUS "accepted: ${result}")
  return()
endif()

set(work "${WORK_DIR}/architectures")
file(REMOVE_RECURSE "${work}")
function(make_compiler name)
  list(TRANSFORM ARGN PREPEND "compute_" OUTPUT_VARIABLE lines)
  list(JOIN lines "\n" lines)
  file(WRITE "${work}/${name}/bin/nvcc" "#!/bin/sh\ncat <<'end'\n${lines}\nend\n")
  file(CHMOD "${work}/${name}/bin/nvcc" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endfunction()
make_compiler(13.0 75 80 86 87 88 89 90 100 110 103 120 121)  # in the order in which 13.0 prints them
make_compiler(12.0 50 52 53 60 61 62 70 72 75 80 86 87 89 90 90a)
make_compiler(future 90 100 120 140)

function(expect_architectures version request strictness expected)
  gpuenv_resolve_architectures(result "${request}" test ${strictness} "${work}/${version}/bin/nvcc" "${version}")
  expect("${result}" "${expected}" "'${request}' with ${version}")
endfunction()

expect_architectures(13.0 portable LENIENT "75-real;80-real;86-real;89-real;90a-real;100-real;120-real;75-virtual;120-virtual")
expect_architectures(12.0 portable LENIENT "75-real;80-real;86-real;89-real;90a-real;75-virtual;90-virtual")
expect_architectures(future portable LENIENT "90a-real;100-real;120-real;90-virtual;120-virtual")
expect_architectures(13.0 "75-virtual;90a-real" LENIENT "75-virtual;90a-real")
expect_architectures(future "75-virtual;90a-real" LENIENT "90a-real;90-virtual")
expect_architectures(13.0 "90a-real" LENIENT "90a-real")
expect_architectures(13.0 all-major STRICT "75-real;80-real;90-real;100-real;110-real;120-real;121-virtual")
expect_architectures(12.0 "90a-real;75;80-virtual;75" STRICT "90a-real;75;80-virtual")
expect_architectures(13.0 "120f-real;103a" STRICT "120f-real;103a")

foreach(bad IN ITEMS "70" "75,70-real" "sm_90" "75a" "native75" "")
  run_expecting_failure("refuse '${bad}'" "offers: 75 80 86 87 88 89 90 100 103 110 120 121" "${CMAKE_COMMAND}" "-DREQUEST=${bad}"
    "-DNVCC=${work}/13.0/bin/nvcc" -DVERSION=13.0 "-DMODULE_DIR=${MODULE_DIR}" -P "${CMAKE_CURRENT_LIST_FILE}")
endforeach()
expect_text("${run_text}" "CMAKE_CUDA_ARCHITECTURES names CUDA architectures that CUDA 13.0 cannot build for" "where the value came from")

# native: nvidia-smi is asked, and what it says is believed
file(WRITE "${work}/smi/nvidia-smi" "#!/bin/sh\nprintf '9.0\\n9.0\\n8.6\\n'\n")
file(WRITE "${work}/no_gpu/nvidia-smi" "#!/bin/sh\necho 'No devices were found'\nexit 6\n")
foreach(folder IN ITEMS smi no_gpu)
  file(CHMOD "${work}/${folder}/nvidia-smi" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
endforeach()
set(path "$ENV{PATH}")
set(ENV{PATH} "${work}/smi:${path}")
expect_architectures(13.0 native STRICT "90a-real;86-real")
set(ENV{PATH} "${work}/no_gpu:${path}")
run_expecting_failure("native without a GPU" "asks for 'native', the GPUs of this machine, but nvidia-smi finds none here" "${CMAKE_COMMAND}"
  "-DREQUEST=native" "-DNVCC=${work}/13.0/bin/nvcc" -DVERSION=13.0 "-DMODULE_DIR=${MODULE_DIR}" -P "${CMAKE_CURRENT_LIST_FILE}")
