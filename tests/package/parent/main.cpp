// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/base/version.hpp>

int main() { return gpuenv::version_string() == GPUENV_VERSION ? 0 : 1; }
