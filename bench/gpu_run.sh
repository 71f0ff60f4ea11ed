#!/usr/bin/env bash
# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# Builds gpuenv on a machine with a GPU and runs its GPU tests: plain, then under each tool of compute-sanitizer.
#   bench/gpu_run.sh OUT_DIR
# Everything is run whatever fails before; the exit status is 1 when anything failed. OUT_DIR then holds machine.json,
# summary.json, products.json (what the command reports of products on the GPU), demo.txt, build.log, ctest.log, ctest.xml
# and sanitizer.log. Environment:
#   GPUENV_GPU_BUILD           build folder (build/gpu)
#   CUDAARCHS                  architectures (90a-real;75-virtual)
#   GPUENV_CMAKE_ARGS          more arguments for configuring, separated by blanks
#   GPUENV_COMMIT              the commit, in place of what git says
#   GPUENV_SANITIZER_TOOLS     (memcheck racecheck initcheck synccheck), empty for none
#   GPUENV_SANITIZER_FILTER    Catch2 filter of the sanitizer runs (~[slow]~[api_error]: what takes long, and what
#                              provokes errors of CUDA calls, which the sanitizer reports as such)
#   GPUENV_SANITIZER_TIMEOUT   seconds for one program under one tool (120)
set -uo pipefail

# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
tools=${GPUENV_SANITIZER_TOOLS-memcheck racecheck initcheck synccheck}
filter=${GPUENV_SANITIZER_FILTER-~[slow]~[api_error]}
limit=${GPUENV_SANITIZER_TIMEOUT:-120}

names=() results=() seconds=() failures=0

# record NAME RESULT SECONDS: one line of the table; any result but "passed" is a failure.
record() {
  names+=("$1") results+=("$2") seconds+=("$3")
  [[ $2 == passed ]] || failures=$((failures + 1))
}

# step NAME LOG COMMAND...: runs it, appends its output to LOG, records the result.
step() {
  local name=$1 log=$2 start=$SECONDS status=0
  shift 2
  printf '==== %s: %s\n' "$name" "$*" >>"$log"
  "$@" >>"$log" 2>&1 || status=$?
  case $status in
    0) record "$name" passed $((SECONDS - start)) ;;
    77) record "$name" skipped $((SECONDS - start)) ;;  # on a machine with a GPU nothing has a reason to
    124) record "$name" "timed out" $((SECONDS - start)) ;;
    *) record "$name" "failed ($status)" $((SECONDS - start)) ;;
  esac
  return $status
}

quoted() { printf '"%s"' "$(printf '%s' "$1" | tr '\n\t' '  ' | sed 's/\\/\\\\/g; s/"/\\"/g')"; }

# One JSON object a GPU, every value as nvidia-smi prints it.
gpus() {
  local fields=name,uuid,compute_cap,driver_version,memory.total,clocks.sm,clocks.max.sm,clocks.mem,temperature.gpu,power.draw,power.limit,persistence_mode,ecc.mode.current
  local line values keys index comma=
  IFS=, read -ra keys <<<"$fields"
  while IFS= read -r line; do
    IFS=, read -ra values <<<"$line"
    printf '%s\n    {' "$comma"
    for index in "${!keys[@]}"; do
      [[ $index -gt 0 ]] && printf ', '
      printf '%s: %s' "$(quoted "${keys[index]}")" "$(quoted "$(sed 's/^ *//; s/ *$//' <<<"${values[index]:-}")")"
    done
    printf '}'
    comma=,
  done < <(nvidia-smi --query-gpu="$fields" --format=csv,noheader 2>/dev/null)
  printf '\n  '
}

write_machine() {
  local cuda
  cuda=$("${nvcc:-false}" --version 2>/dev/null | sed -n 's/.*, V\([0-9.]*\).*/\1/p')
  {
    printf '{\n  "commit": %s,\n  "time": %s,\n' "$(quoted "$GPUENV_COMMIT")" "$(quoted "$(date -u +%Y-%m-%dT%H:%M:%SZ)")"
    printf '  "cuda": %s,\n  "architectures": %s,\n' "$(quoted "${cuda:-unknown}")" "$(quoted "$architectures")"
    printf '  "compiler": %s,\n' "$(quoted "$(c++ --version 2>/dev/null | head -n 1)")"
    printf '  "cmake": %s,\n' "$(quoted "$(cmake --version 2>/dev/null | head -n 1)")"
    printf '  "system": %s,\n  "kernel": %s,\n' "$(quoted "$(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release)")" "$(quoted "$(uname -r)")"
    printf '  "processors": %s,\n' "$(nproc)"
    printf '  "gpus_before": [%s],\n  "gpus_after": [%s]\n}\n' "$1" "$(gpus)"
  } >"$out/machine.json"
}

rm -f "$out"/{machine.json,summary.json,products.json,demo.txt,build.log,ctest.log,ctest.xml,sanitizer.log}
started=$SECONDS
gpus_before=$(gpus)
nvcc=${CUDACXX:-$(command -v nvcc || true)}
[[ -z $nvcc && -x /usr/local/cuda/bin/nvcc ]] && nvcc=/usr/local/cuda/bin/nvcc

if ! nvidia-smi -L >>"$out/build.log" 2>&1; then
  record "a GPU (nvidia-smi -L)" failed 0
fi

# shellcheck disable=SC2086  # GPUENV_CMAKE_ARGS holds several words
step configure "$out/build.log" cmake -S "$source_dir" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DGPUENV_CUDA=ON \
  "-DCMAKE_CUDA_ARCHITECTURES=$architectures" -DGPUENV_BUILD_TESTS=ON -DGPUENV_BUILD_BENCH=ON ${GPUENV_CMAKE_ARGS:-} &&
  step build "$out/build.log" cmake --build "$build" --parallel "$(nproc)"
is_built=$?

programs=()
if [[ $is_built -eq 0 ]]; then
  step "ctest -L gpu" "$out/ctest.log" ctest --test-dir "$build" -L '^gpu$' --no-tests=error --output-on-failure \
    --output-junit "$out/ctest.xml"
  if grep -q 'did not run:' "$out/ctest.log"; then
    record "no GPU test was skipped" failed 0
  fi
  for program in "$build"/tests/gpu/gpuenv_test_gpu_*; do
    [[ -x $program ]] && programs+=("$program")
  done
  [[ ${#programs[@]} -gt 0 ]] || record "GPU test programs in $build/tests/gpu" failed 0
fi

# What the README shows.
demo() { "$build/bin/gpuenv" matmul 1000 >"$out/demo.txt"; }

# One product with the command, its JSON added to products.json.
product() {
  local json
  json=$("$build/bin/gpuenv" matmul "$@" --device cuda --json) || return 1
  [[ -s $out/products.json ]] && printf ',\n' >>"$out/products.json"
  printf '%s' "$json" >>"$out/products.json"
}

if [[ $is_built -eq 0 ]]; then
  step "gpuenv matmul 1000" "$out/build.log" demo
  step "product 1000" "$out/build.log" product 1000
  step "product 1000 cublas" "$out/build.log" product 1000 --route cublas
  step "product 3000 500 7000 fp64" "$out/build.log" product 3000 500 7000 --precision fp64
  step "product 4096 fp64" "$out/build.log" product 4096 --precision fp64
  CUBLAS_EMULATE_DOUBLE_PRECISION=1 step "product 4096 fp64, emulation asked for" "$out/build.log" product 4096 --precision fp64
  step "product 4096" "$out/build.log" product 4096 --repeat 10
  step "product 8192" "$out/build.log" product 8192 --repeat 10
  { printf '[\n' && cat "$out/products.json" && printf '\n]\n'; } >"$out/products.tmp" && mv "$out/products.tmp" "$out/products.json"
  step "what the command loads" "$out/ctest.log" sh "$source_dir/tests/cli/start.test.sh" "$build/bin/gpuenv" 1
  step "the command and NumPy" "$out/ctest.log" sh "$source_dir/tests/cli/matmul.test.sh" "$build/bin/gpuenv"
fi

sanitizer=$(command -v compute-sanitizer || true)
for candidate in "$(dirname "${nvcc:-/}")"/compute-sanitizer /usr/local/cuda/bin/compute-sanitizer /usr/local/cuda/compute-sanitizer/compute-sanitizer; do
  [[ -z $sanitizer && -x $candidate ]] && sanitizer=$candidate
done
if [[ -n $tools && -z $sanitizer ]]; then
  record "compute-sanitizer" "failed (not found)" 0
elif [[ ${#programs[@]} -gt 0 ]]; then
  for tool in $tools; do
    for program in "${programs[@]}"; do
      step "$tool ${program##*/gpuenv_test_gpu_}" "$out/sanitizer.log" timeout "$limit" \
        "$sanitizer" --tool "$tool" --error-exitcode 9 "$program" ${filter:+"$filter"} --durations yes
    done
  done
fi

write_machine "$gpus_before"
{
  printf '{\n  "failures": %d,\n  "seconds": %d,\n  "steps": [' "$failures" $((SECONDS - started))
  for index in "${!names[@]}"; do
    [[ $index -gt 0 ]] && printf ','
    printf '\n    {"name": %s, "result": %s, "seconds": %d}' "$(quoted "${names[index]}")" "$(quoted "${results[index]}")" "${seconds[index]}"
  done
  printf '\n  ]\n}\n'
} >"$out/summary.json"

if [[ $failures -gt 0 ]]; then
  for log in build ctest sanitizer; do
    [[ -s $out/$log.log ]] && printf -- '---- end of %s.log\n' "$log" && tail -n 40 "$out/$log.log"
  done
fi
printf '\n%-34s %-20s %8s\n' step result seconds
for index in "${!names[@]}"; do
  printf '%-34s %-20s %8d\n' "${names[index]}" "${results[index]}" "${seconds[index]}"
done
[[ $failures -eq 0 ]]
