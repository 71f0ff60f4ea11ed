// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Marks a function that the GPU and the CPU both run. Code that must give the same answer on both is written once, in
/// headers that an ordinary C++17 compiler takes without any CUDA header; there the macro is empty.
#if defined(__CUDACC__)
#define GPUENV_HD __host__ __device__
#else
#define GPUENV_HD
#endif
