#!/bin/sh
# SPDX-FileCopyrightText: The gpuenv authors
# SPDX-License-Identifier: Apache-2.0
# Runs a program and passes on its exit code, unless it wrote to standard error: that is a failure.
#   quiet.sh program [arguments]
set -u
errors=$(mktemp) || exit 1
trap 'rm -f "$errors"' EXIT
"$@" 2>"$errors"
code=$?
if [ -s "$errors" ]; then
  echo "exit code $code, and on standard error:"
  cat "$errors"
  exit 1
fi
exit $code
