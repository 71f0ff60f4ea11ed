#!/bin/sh
# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# `gpuenv matmul` as its user meets it: exit codes, both streams, files. Needs no GPU.
#   matmul.test.sh path/to/gpuenv
set -u

gpuenv=$1
here=$(dirname "$0")
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM
out=$folder/out
err=$folder/err
failures=0

fail() {
  failures=$((failures + 1))
  echo "FAILED: $*"
  sed 's/^/  stdout: /' "$out"
  sed 's/^/  stderr: /' "$err"
}

# expect CODE ARGUMENT...: runs gpuenv and leaves what it wrote in $out and $err
expect() {
  wanted=$1
  shift
  last="gpuenv $*"
  "$gpuenv" "$@" >"$out" 2>"$err" </dev/null
  code=$?
  [ "$code" -eq "$wanted" ] || fail "$last: exit code $code, expected $wanted"
}

out_has() { for text in "$@"; do grep -qF -e "$text" "$out" || fail "$last: no '$text' on stdout"; done; }
err_has() { for text in "$@"; do grep -qF -e "$text" "$err" || fail "$last: no '$text' on stderr"; done; }
valid_json() {
  command -v python3 >/dev/null || return 0
  python3 -c 'import json, sys; json.load(sys.stdin, parse_constant=lambda name: 1 / 0)' <"$out" 2>>"$err" ||
    fail "$last: stdout is not valid JSON"
}
no_out() { [ ! -s "$out" ] || fail "$last: stdout is not empty"; }
no_err() { [ ! -s "$err" ] || fail "$last: stderr is not empty"; }

# refused CODE TEXT ARGUMENT...: a message with a hint and TEXT on stderr, nothing on stdout, no place in the source
refused() {
  wanted=$1
  text=$2
  shift 2
  expect "$wanted" "$@"
  no_out
  err_has "gpuenv: " "  hint: " "$text"
  ! grep -qE '\.(cpp|hpp):[0-9]' "$err" || fail "$last: a place in the source on stderr"
}

# refused_openblas TEXT...: OpenBLAS was demanded and cannot be had; all texts stand on stderr
refused_openblas() {
  expect 125 matmul 4 --route openblas
  no_out
  err_has "gpuenv: matmul: route 'openblas': " "$@"
}

# make_npy FILE TYPE SHAPE BYTES: an .npy file of format 1.0; BYTES as printf reads them
make_npy() {
  header="{'descr': '$2', 'fortran_order': False, 'shape': $3, }"
  {
    printf '\223NUMPY\001\000'
    printf "\\$(printf %03o ${#header})\\000"
    printf %s "$header"
    printf "$4"
  } >"$1"
}

# ---- help, version, no subcommand
expect 0 --version
out_has "gpuenv " " build"
no_err
expect 0 --help
out_has matmul
no_err
expect 0 matmul --help
out_has --precision --verify --verify-on --device --route --seed --repeat --input --output --json --distribution "Exit codes"
expect 2
no_out
err_has matmul

# ---- products
expect 0 matmul 33 --device cpu
out_has "33x33" fp32 CPU eigen "median of 2" "first, cold" "verified yes" "seed 0"
no_err
expect 0 matmul 20 30 40 --device cpu --precision fp64 --verify full --distribution uniform --seed 7
out_has "C 20x30 = A 20x40 * B 40x30" fp64 "verified yes, full" "uniform, seed 7"
for method in auto full sample freivalds none; do expect 0 matmul 40 --device cpu --verify "$method"; done
for sizes in "0" "0 3 4" "3 0 4" "3 4 0" "1" "1 7 1" "257 3 129"; do
  # shellcheck disable=SC2086 # the sizes are words
  expect 0 matmul $sizes --device cpu
  # shellcheck disable=SC2086
  expect 0 matmul $sizes --json
  valid_json
done

expect 0 matmul 12 13 14 --device cpu --json
out_has '"command": "matmul"' '"m": 12' '"n": 13' '"k": 14' '"passed": true' '"output": null' '"kind": "cpu"'
no_err

expect 0 matmul 20 --route eigen --verify-on cpu
out_has CPU "plan     eigen" "on the CPU"

# ---- bad usage
refused 2 "M is 'abc'" matmul abc
refused 2 "M is '-5'" matmul -5
refused 2 "M is '1e3'" matmul 1e3
refused 2 "N is '2.5'" matmul 1 2.5 3
refused 2 "K is '0x10'" matmul 1 2 0x10
refused 2 "K is '99999999999999999999'" matmul 1 2 99999999999999999999
refused 2 "M * K" matmul 4000000000 4000000000 4000000000
refused 2 "sizes" matmul
refused 2 "two sizes" matmul 1 2
refused 2 "" matmul 1 2 3 4
refused 2 "" matmul 4 --no-such-option
refused 2 "" nonsense
refused 2 "fp16" matmul 4 --precision fp16
refused 2 "gamma" matmul 4 --distribution gamma
refused 2 "guess" matmul 4 --verify guess
refused 2 "tpu" matmul 4 --device tpu
refused 2 "warp" matmul 4 --route warp
refused 2 "moon" matmul 4 --verify-on moon
refused 2 "--device cpu has no route 'cublas'" matmul 4 --route cublas --device cpu
refused 2 "--device 0 has no route 'eigen'" matmul 4 --route eigen --device 0
refused 2 "--seed is '-1'" matmul 4 --seed -1
refused 2 "--repeat is '0'" matmul 4 --repeat 0
refused 2 "" matmul 4 --repeat
refused 125 "memory" matmul 1000000000 --device cpu

# with VARIABLE=VALUE COMMAND...: the command with the variable in gpuenv's environment
with() {
  export "${1?}"
  variable=${1%%=*}
  shift
  "$@"
  unset "$variable"
}
with GPUENV_CPU_LEVEL=nonsense refused 2 "GPUENV_CPU_LEVEL is 'nonsense'" matmul 4 --device cpu
err_has "baseline, v2, v3 or v4"
with GPUENV_OPENBLAS=none refused_openblas "GPUENV_OPENBLAS=none" "unset it"
with GPUENV_OPENBLAS=/nowhere/libopenblas.so.0 refused_openblas "/nowhere/libopenblas.so.0" "set GPUENV_OPENBLAS"
with GPUENV_OPENBLAS=libm.so.6 refused_openblas "libm.so.6: is not an OpenBLAS" "set GPUENV_OPENBLAS"
for name in none /nowhere/libopenblas.so.0 libm.so.6; do
  with "GPUENV_OPENBLAS=$name" expect 0 matmul 4 --device cpu
done
if grep -q '^flags.* ssse3 .*sse4_2' /proc/cpuinfo 2>/dev/null; then
  with GPUENV_CPU_LEVEL=v2 expect 0 matmul 40 --route eigen
  out_has "x86-64-v2" "verified yes"
fi
with GPUENV_CPU_LEVEL=baseline expect 0 matmul 40 --route eigen
out_has "plan     eigen" "baseline" "verified yes"

# ---- a GPU that was demanded
expect 0 matmul 16
"$gpuenv" matmul 16 --device cuda >"$out" 2>"$err"
code=$?
if [ "$code" -eq 0 ]; then
  last="gpuenv matmul 16 --device cuda"
  out_has "GPU " "GPU-" "verified yes"
  for method in full sample freivalds none; do
    for precision in fp32 fp64; do
      expect 0 matmul 65 33 129 --device cuda --verify "$method" --precision "$precision" --json
      out_has '"kind": "gpu"' '"passed": true'
      [ "$method" = none ] || out_has "\"method\": \"$method\"" '"on_gpu": true'
      valid_json
    done
  done
  expect 0 matmul 65 --route tiled
  out_has "plan     tiled" "GPU "
  expect 0 matmul 65 --verify full --verify-on cpu
  out_has "GPU " "plan     tiled" "own kernel: at this size" "full on the CPU"
  expect 0 matmul 65 --device cpu --verify full --verify-on gpu
  out_has "full on the GPU"
  for sizes in "0" "0 3 4" "3 0 4" "3 4 0"; do
    # shellcheck disable=SC2086 # the sizes are words
    expect 0 matmul $sizes --device cuda
  done
  refused 3 "GPU 4711" matmul 16 --device 4711
else
  refused 3 "GPU" matmul 16 --device cuda
  refused 3 "GPU" matmul 16 --device 0
  refused 3 "GPU" matmul 16 --route tiled
  refused 3 "GPU" matmul 16 --device cpu --verify-on gpu
fi

# ---- files
make_npy "$folder/a.npy" '<f4' '(2, 2)' '\000\000\200\077\000\000\000\100\000\000\100\100\000\000\200\100'
make_npy "$folder/row.npy" '<f4' '(1, 2)' '\000\000\200\077\000\000\000\100'
make_npy "$folder/f8.npy" '<f8' '(1, 1)' '\000\000\000\000\000\000\360\077'
make_npy "$folder/big.npy" '>f4' '(1, 1)' '\077\200\000\000'
make_npy "$folder/short.npy" '<f4' '(2, 2)' '\000\000\200\077'
make_npy "$folder/nan.npy" '<f4' '(1, 1)' '\000\000\300\177'
mkdir "$folder/results"
c=$folder/results/c.npy

expect 0 matmul --input "$folder/a.npy" "$folder/a.npy" --output "$c" --device cpu
out_has "2x2" "a.npy" "output" "c.npy" "verified yes"
# [1 2; 3 4] squared is [7 10; 15 22], without rounding
printf '\000\000\340\100\000\000\040\101\000\000\160\101\000\000\260\101' >"$folder/wanted"
tail -c 16 "$c" | cmp -s - "$folder/wanted" || fail "$last: the file does not hold the product"
[ "$(wc -c <"$c")" -eq 144 ] || fail "$last: the file is not a header of 128 bytes and 4 elements"
expect 0 matmul --input "$folder/f8.npy" "$folder/f8.npy" --device cpu --json
out_has '"precision": "fp64"'
rm "$c"

refused 2 "--precision" matmul --input "$folder/a.npy" "$folder/a.npy" --precision fp64 --output "$c"
refused 2 "row.npy is 1x2" matmul --input "$folder/row.npy" "$folder/row.npy" --output "$c"
refused 2 "fp64" matmul --input "$folder/a.npy" "$folder/f8.npy" --output "$c"
refused 2 "big-endian" matmul --input "$folder/big.npy" "$folder/big.npy" --output "$c"
refused 2 "cut short" matmul --input "$folder/short.npy" "$folder/short.npy" --output "$c"
refused 2 "missing.npy" matmul --input "$folder/a.npy" "$folder/missing.npy" --output "$c"
refused 2 "folder" matmul --input "$folder" "$folder/a.npy" --output "$c"
refused 2 "" matmul --input "$folder/a.npy" --output "$c"
refused 2 "both sizes and --input" matmul 2 --input "$folder/a.npy" "$folder/a.npy" --output "$c"
refused 2 "no such folder" matmul 2 --output "$folder/nowhere/c.npy"
refused 2 "regular file" matmul 2 --output "$folder/results"
refused 2 "regular file" matmul 2 --output /dev/null
refused 2 "names no file" matmul 2 --output ""

# A product that cannot be verified is reported, not written, and the exit code is 1.
expect 1 matmul --input "$folder/nan.npy" "$folder/nan.npy" --verify freivalds --output "$c" --device cpu
out_has UNDECIDED
err_has "gpuenv: matmul: " "c.npy' was not written"
expect 1 matmul --input "$folder/nan.npy" "$folder/nan.npy" --verify freivalds --output "$c" --device cpu --json
out_has '"passed": false' '"output": null'
valid_json
expect 0 matmul --input "$folder/nan.npy" "$folder/nan.npy" --verify full --device cpu
[ -z "$(ls -A "$folder/results")" ] || fail "a refused command left a file: $(ls -A "$folder/results")"

# The elements depend on the seed alone.
expect 0 matmul 9 --seed 5 --output "$c" --device cpu
cp "$c" "$folder/first.npy"
expect 0 matmul 9 --seed 5 --output "$c" --device cpu --verify none
cmp -s "$c" "$folder/first.npy" || fail "one seed gave two products"
expect 0 matmul 9 --seed 6 --output "$c" --device cpu
cmp -s "$c" "$folder/first.npy" && fail "two seeds gave one product"
[ "$(ls -A "$folder/results")" = c.npy ] || fail "more than the output file: $(ls -A "$folder/results")"

# A file that cannot be completed: the old one stays, and the report says that nothing was written.
cp "$c" "$folder/first.npy"
last="gpuenv with a limit on file sizes"
(
  ulimit -f 100
  "$gpuenv" matmul 300 --output "$c" --device cpu --json >"$out" 2>"$err"
)
code=$?
[ "$code" -eq 125 ] || fail "$last: exit code $code, expected 125"
out_has '"output": null'
err_has "gpuenv: write " "c.npy" "  hint: "
cmp -s "$c" "$folder/first.npy" || fail "$last: the old file is gone"
[ "$(ls -A "$folder/results")" = c.npy ] || fail "$last: more than the old file: $(ls -A "$folder/results")"

# ---- a standard output that takes nothing
broken_output() {
  no_out
  [ "$code" -eq 125 ] || fail "$last: exit code $code, expected 125"
  err_has "gpuenv: write to standard output" "  hint: "
}
: >"$out"
last="gpuenv with closed stdout"
"$gpuenv" matmul 4 --device cpu >&- 2>"$err"
code=$?
broken_output
last="gpuenv into a pipe without a reader"
{
  sleep 1
  "$gpuenv" matmul 4 --device cpu 2>"$err"
  echo $? >"$folder/code"
} | :
code=$(cat "$folder/code")
broken_output
if [ -c /dev/full ]; then
  last="gpuenv into /dev/full"
  "$gpuenv" matmul 4 --device cpu >/dev/full 2>"$err"
  code=$?
  broken_output
  "$gpuenv" --version >/dev/full 2>"$err"
  code=$?
  broken_output
fi

# ---- against NumPy
if python3 -c 'import numpy' 2>/dev/null; then
  python3 "$here/matmul_numpy.py" "$gpuenv" "$folder" >"$out" 2>"$err" || fail "against NumPy"
else
  echo "skipped: the round trip through NumPy (python3 has no numpy)"
fi

[ "$failures" -eq 0 ] || { echo "$failures failed"; exit 1; }
echo "all passed"
