// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// What a resolved mask has to say to people.
#pragma once

#include <gpuenv/gpu/visible_devices.hpp>

#include <span>

namespace gpuenv::inline v0::gpu {

/// Fills `result.findings` from the other fields.
void add_findings(visible_devices& result, const env::device_mask& mask, const env::device_order& order,
                  std::span<const installed_gpu> gpus);

}  // namespace gpuenv::inline v0::gpu
