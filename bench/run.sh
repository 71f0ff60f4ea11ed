#!/usr/bin/env bash
# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# Builds gpuenv and runs its benchmarks; the raw results are what bench/scoreboard.py and bench/plot.py read.
#   bench/run.sh OUT_DIR
# OUT_DIR then holds overhead.json, start.json, matmul.json, memory.json (Google Benchmark's) and bench.log. The exit status
# is 1 when a benchmark failed. Takes six minutes beside an H200. Environment:
#   GPUENV_GPU_BUILD     build folder (build/gpu)
#   CUDAARCHS            architectures (90a-real;75-virtual)
#   GPUENV_COMMIT        the commit, in place of what git says
#   GPUENV_BENCH_PEERS   (torch,cupy,numpy) peers; one that is absent is named in the result and left out
#   GPUENV_BENCH_PYTHON  (python3) that has them
#   GPUENV_BENCH_ROUNDS  (20) interleaved rounds of each benchmark
#   GPUENV_BENCH_OPS     (overhead start matmul memory) which of them
set -uo pipefail

# shellcheck source=common.sh
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
ours=("--peers=${GPUENV_BENCH_PEERS-torch,cupy,numpy}" "--python=${GPUENV_BENCH_PYTHON:-python3}" "--rounds=${GPUENV_BENCH_ROUNDS:-20}")
failures=0

ops=${GPUENV_BENCH_OPS:-overhead start matmul memory}

for op in $ops; do rm -f "$out/$op.json"; done
{
  cmake -S "$source_dir" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DGPUENV_BUILD_BENCH=ON \
    "-DCMAKE_CUDA_ARCHITECTURES=$architectures" &&
    cmake --build "$build" --parallel "$(nproc)"
} >"$out/bench.log" 2>&1 || {
  tail -n 40 "$out/bench.log" >&2
  exit 1
}

# The short ones first. A benchmark that was not built (no CUDA) is left out. Started by a relative name, which is what
# Google Benchmark writes down.
cd "$build/bench" || exit 1
for op in $ops; do
  program=./gpuenv_bench_$op
  [[ -x $program ]] || continue
  start=$SECONDS
  status=0
  "$program" "${ours[@]}" "--benchmark_out=$out/$op.json" --benchmark_out_format=json >>"$out/bench.log" 2>&1 || status=$?
  case $status in
    0) echo "$op: $((SECONDS - start)) s" ;;
    77) echo "$op: did not run, it needs a GPU" ;;
    *)
      failures=$((failures + 1))
      echo "$op: failed after $((SECONDS - start)) s; the end of bench.log:" >&2
      tail -n 20 "$out/bench.log" >&2
      ;;
  esac
done
[[ $failures -eq 0 ]]
