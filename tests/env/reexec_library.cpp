// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Found by reexec_program.cpp only where LD_LIBRARY_PATH leads to it.
extern "C" int gpuenv_reexec_library();
extern "C" int gpuenv_reexec_library() { return 1; }
