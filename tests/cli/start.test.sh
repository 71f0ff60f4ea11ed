#!/bin/sh
# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# What `gpuenv` loads when it starts: nothing of CUDA for what needs no GPU, and on a GPU only what the product needs. The
# dynamic loader itself (LD_DEBUG of glibc) says what was looked for, found or not.
#   start.test.sh path/to/gpuenv has_cuda(0|1)
set -u

gpuenv=$1
has_cuda=$2
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
failures=0

fail() {
  failures=$((failures + 1))
  echo "FAILED: $*"
}

# looked_for ARGUMENT...: runs gpuenv and prints the names of CUDA's libraries that were looked for
looked_for() {
  rm -f "$folder"/libs.*
  LD_DEBUG=libs LD_DEBUG_OUTPUT="$folder/libs" "$gpuenv" "$@" >"$folder/out" 2>"$folder/err" || echo "exit code $?"
  cat "$folder"/libs.* | sed -n 's/.*find library=\(lib\(cuda\|nvidia-ml\|cublas\|cublasLt\)\.so[^ ]*\).*/\1/p' | sort -u
}

# loads_nothing ARGUMENT...
loads_nothing() {
  seen=$(looked_for "$@")
  [ -z "$seen" ] || fail "gpuenv $*: $seen"
}

LD_DEBUG=libs "$gpuenv" --version 2>&1 | grep -q 'calling init' || {
  echo "did not run: this loader has no LD_DEBUG"
  exit 77
}
loads_nothing --version
loads_nothing --help
loads_nothing matmul 64 --device cpu
loads_nothing matmul 64 --route eigen

if [ "$has_cuda" -eq 1 ]; then
  # the test sees what it looks for
  looked_for matmul 64 | grep -q '^libcuda\.so' || fail "a run with --device auto must ask for the driver"
  if "$gpuenv" matmul 64 --device cuda >/dev/null 2>&1; then
    looked_for matmul 256 --device cuda | grep -q '^libcublas' && fail "a small product loads cuBLAS"
    looked_for matmul 256 --route cublas | grep -q '^libcublas' || fail "--route cublas does not load cuBLAS"
  fi
fi
[ "$failures" -eq 0 ]
