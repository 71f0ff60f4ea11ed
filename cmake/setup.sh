#!/bin/sh
# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# Installs what gpuenv needs to be built and tested, where something is missing (Debian, Ubuntu); elsewhere it says what.
# When nothing is missing it changes nothing. A CUDA toolkit is found, never installed.
set -eu

needed_cmake=3.25
say() { echo "setup: $*"; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

# True when version $1 is at least version $2 (major.minor).
at_least() {
  [ "${1%%.*}" -gt "${2%%.*}" ] && return 0
  rest=${1#*.}
  [ "${1%%.*}" -eq "${2%%.*}" ] && [ "${rest%%.*}" -ge "${2#*.}" ]
}

cmake_version() { cmake --version 2>/dev/null | sed -n '1s/^cmake version \([0-9.]*\).*/\1/p'; }

# Prints the Debian names of what is missing, by looking for the things themselves: they may have come another way.
missing() {
  cxx=${CXX:-c++}
  tools_ok=yes
  printf '#include <source_location>\n#include <span>\nint main() { return static_cast<int>(std::source_location::current().line()) == 0; }\n' >"$work/probe.cpp"
  if ! $cxx -std=c++20 -fsyntax-only "$work/probe.cpp" >/dev/null 2>&1; then
    echo g++
    tools_ok=no
  fi
  version=$(cmake_version)
  if [ -z "$version" ] || ! at_least "$version" "$needed_cmake"; then
    echo cmake
    tools_ok=no
  fi
  if ! command -v ninja >/dev/null 2>&1; then
    echo ninja-build
    tools_ok=no
  fi
  if ! command -v python3 >/dev/null 2>&1; then  # the scoreboard of the benchmarks, and its tests
    echo python3
  fi
  if [ "$tools_ok" = no ]; then
    # without them nothing can be looked for; what apt has already it skips
    echo libeigen3-dev catch2 libcli11-dev nlohmann-json3-dev libbenchmark-dev
    return
  fi
  mkdir -p "$work/probe"
  cat >"$work/probe/CMakeLists.txt" <<'end'
cmake_minimum_required(VERSION 3.25...4.0)
project(probe LANGUAGES CXX)
foreach(pair IN ITEMS Eigen3=libeigen3-dev Catch2=catch2 CLI11=libcli11-dev nlohmann_json=nlohmann-json3-dev benchmark=libbenchmark-dev)
  string(REGEX MATCH "^(.*)=(.*)$" pair "${pair}")
  set(package "${CMAKE_MATCH_1}")
  set(debian_package "${CMAKE_MATCH_2}")
  find_package(${package} CONFIG QUIET)
  if(NOT ${package}_FOUND)
    file(APPEND "${CMAKE_BINARY_DIR}/missing" "${debian_package}\n")
  endif()
endforeach()
file(WRITE "${CMAKE_BINARY_DIR}/complete" "")
end
  rm -rf "$work/out"
  cmake -S "$work/probe" -B "$work/out" -G Ninja >"$work/log" 2>&1 || true
  if [ ! -e "$work/out/complete" ]; then
    cat "$work/log" >&2
    echo "setup: CMake cannot configure an empty project, see above" >&2
    echo broken
    return
  fi
  if [ -e "$work/out/missing" ]; then cat "$work/out/missing"; fi
}

find_nvcc() {
  for candidate in "${CUDACXX:-}" "${CUDAToolkit_ROOT:-}/bin/nvcc" "${CUDA_HOME:-}/bin/nvcc" "${CUDA_PATH:-}/bin/nvcc" \
    "$(command -v nvcc || true)" /usr/local/cuda/bin/nvcc /usr/local/cuda-*/bin/nvcc /opt/cuda/bin/nvcc; do
    if [ -n "$candidate" ] && [ -x "$candidate" ]; then
      echo "$candidate"
      return
    fi
  done
}

todo=$(missing | tr '\n' ' ' | sed 's/ *$//')
case $todo in *broken*) exit 1 ;; esac

if [ -n "$todo" ]; then
  commands="apt-get update && apt-get install -y --no-install-recommends $todo"
  if ! command -v apt-get >/dev/null 2>&1; then
    say "missing (Debian's names): $todo" >&2
    say "install these with your package manager, CMake $needed_cmake or later among them, then run this again" >&2
    exit 1
  fi
  if [ "$(id -u)" -eq 0 ]; then
    as_root=
  elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    as_root=sudo
  else
    say "missing: $todo" >&2
    say "run as root:  $commands" >&2
    exit 1
  fi
  say "installing $todo"
  quiet="-qq -o=Dpkg::Use-Pty=0 -o=DPkg::Lock::Timeout=300"
  # shellcheck disable=SC2086  # the words of $quiet and $todo are arguments
  if ! { $as_root apt-get $quiet update &&
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get $quiet install -y --no-install-recommends $todo; } >"$work/log" 2>&1; then
    cat "$work/log" >&2
    say "apt failed, see above; what it was asked for: $commands" >&2
    exit 1
  fi
  still=$(missing | tr '\n' ' ' | sed 's/ *$//')
  if [ -n "$still" ]; then
    say "still missing after apt: $still" >&2
    case " $still " in
      *" cmake "*) say "this system's CMake is older than $needed_cmake; a newer one: python3 -m pip install cmake" >&2 ;;
    esac
    exit 1
  fi
fi

nvcc=$(find_nvcc)
if [ -n "$nvcc" ]; then
  say "all there; CUDA $("$nvcc" --version | sed -n 's/.*, V\([0-9.]*\).*/\1/p') found: $nvcc"
else
  say "all there; no CUDA toolkit found, gpuenv will be built for the CPU (CUDAToolkit_ROOT=<folder> names one)"
fi
