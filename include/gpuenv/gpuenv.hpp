// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// Everything that was built, except Eigen's side (gpuenv/linalg/eigen.hpp).
#pragma once

#include <gpuenv/base/checked.hpp>
#include <gpuenv/base/config.hpp>
#include <gpuenv/base/device_choice.hpp>
#include <gpuenv/base/error.hpp>
#include <gpuenv/base/finding.hpp>
#include <gpuenv/base/version.hpp>
#include <gpuenv/env/apply_to_process.hpp>
#include <gpuenv/env/child_block.hpp>
#include <gpuenv/env/device_mask.hpp>
#include <gpuenv/env/device_order.hpp>
#include <gpuenv/env/environment.hpp>
#include <gpuenv/env/overlay.hpp>
#include <gpuenv/env/path_list.hpp>
#include <gpuenv/env/reexec.hpp>
#include <gpuenv/gpu/installed_gpu.hpp>
#include <gpuenv/gpu/pci_address.hpp>
#include <gpuenv/gpu/uuid.hpp>
#include <gpuenv/gpu/visible_devices.hpp>
#include <gpuenv/linalg/host_matrix.hpp>
#include <gpuenv/linalg/matmul.hpp>
#include <gpuenv/linalg/npy.hpp>
#include <gpuenv/linalg/random.hpp>
#include <gpuenv/linalg/verify.hpp>

#if GPUENV_HAS_CUDA
#include <gpuenv/cuda/availability.hpp>
#include <gpuenv/cuda/copy.hpp>
#include <gpuenv/cuda/device.hpp>
#include <gpuenv/cuda/device_buffer.hpp>
#include <gpuenv/cuda/event.hpp>
#include <gpuenv/cuda/pinned_buffer.hpp>
#include <gpuenv/cuda/stream.hpp>
#include <gpuenv/cuda/unified_buffer.hpp>
#include <gpuenv/linalg/device_matmul.hpp>
#include <gpuenv/linalg/device_matrix.hpp>
#include <gpuenv/linalg/device_random.hpp>
#include <gpuenv/linalg/device_verify.hpp>
#endif
