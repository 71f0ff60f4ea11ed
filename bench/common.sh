# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# The beginning of run.sh and gpu_run.sh, which source it with their arguments: sets out, source_dir, build, architectures
# and, for all that write a result, GPUENV_COMMIT.

if [[ $# -ne 1 ]]; then
  echo "usage: $0 OUT_DIR" >&2
  exit 2
fi
mkdir -p -- "$1" && out=$(cd -- "$1" && pwd) || exit 2
source_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=${GPUENV_GPU_BUILD:-$source_dir/build/gpu}
architectures=${CUDAARCHS:-90a-real;75-virtual}
if [[ -z ${GPUENV_COMMIT:-} ]]; then
  GPUENV_COMMIT=$(git -C "$source_dir" describe --always --abbrev=40 '--exclude=*' --dirty=-dirty 2>/dev/null) ||
    GPUENV_COMMIT=unknown
fi
export GPUENV_COMMIT
