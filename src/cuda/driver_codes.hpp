// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Names of the CUresult values that users meet; the values are part of the driver's interface and do not change.
#pragma once

#include <string>

namespace gpuenv::inline v0::cuda {

/// "no CUDA-capable device (CUDA_ERROR_NO_DEVICE)", or the number for a value that is not in the table.
[[nodiscard]] std::string driver_code_text(int code);

}  // namespace gpuenv::inline v0::cuda
