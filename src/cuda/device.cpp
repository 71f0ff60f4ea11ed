// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/cuda/availability.hpp>
#include <gpuenv/cuda/device.hpp>
#include <gpuenv/cuda/device_guard.hpp>

#include <algorithm>
#include <cstring>

namespace gpuenv::inline v0::cuda {
namespace {

int visible_devices(const std::source_location& where) {
  int count = 0;
  check(cudaGetDeviceCount(&count), "count the GPUs", where);
  return count;
}

gpu::uuid uuid_of(const cudaDeviceProp& raw) {
  gpu::uuid id;
  std::memcpy(id.bytes.data(), raw.uuid.bytes, id.bytes.size());
  return id;
}

gpu::pci_address pci_of(const cudaDeviceProp& raw) {
  return {static_cast<std::uint32_t>(raw.pciDomainID), static_cast<std::uint32_t>(raw.pciBusID),
          static_cast<std::uint32_t>(raw.pciDeviceID), 0};
}

cudaDeviceProp raw_properties(int index) {
  cudaDeviceProp raw{};
  check(cudaGetDeviceProperties(&raw, index), "read the properties of GPU " + std::to_string(index));
  return raw;
}

/// Zero for what this driver does not tell: clocks left the properties in CUDA 13 and may leave the attributes.
int attribute_or_zero(cudaDeviceAttr which, int index) {
  int value = 0;
  if (cudaDeviceGetAttribute(&value, which, index) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return 0;
  }
  return value;
}

std::size_t bytes_attribute(cudaDeviceAttr which, int index) {
  return static_cast<std::size_t>(std::max(0, attribute_or_zero(which, index)));
}

}  // namespace

device_ref::device_ref(int index, std::source_location where) : index_{index} {
  const int count = visible_devices(where);
  if (index < 0 || index >= count) {
    throw error{make_error_code(cudaErrorInvalidDevice), "GPU " + std::to_string(index) + " does not exist",
                "this process sees " + std::to_string(count) + " GPU(s), numbered from 0; CUDA_VISIBLE_DEVICES decides",
                recovery::possible, where};
  }
}

device_ref::device_ref(std::string_view uuid_or_pci, std::source_location where) : index_{-1} {
  const auto id = gpu::uuid::parse(uuid_or_pci);
  const auto address = gpu::pci_address::parse(uuid_or_pci);
  if (!id && !address) {
    throw error{errc::invalid_argument,
                "GPU name '" + std::string{uuid_or_pci} + "' is neither a UUID nor a PCI address",
                "write GPU-xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx or 0000:41:00.0, as `nvidia-smi -L` and `-q` show them",
                recovery::possible, where};
  }
  std::string seen;
  const int count = visible_devices(where);
  for (int index = 0; index < count; ++index) {
    const cudaDeviceProp raw = raw_properties(index);
    if ((id && *id == uuid_of(raw)) || (address && *address == pci_of(raw))) {
      index_ = index;
      return;
    }
    seen += (index == 0 ? "" : ", ") + to_string(uuid_of(raw)) + " (" + to_string(pci_of(raw)) + ')';
  }
  throw error{errc::no_device, "GPU '" + std::string{uuid_or_pci} + "' is not visible to this process",
              "visible: " + seen + "; CUDA_VISIBLE_DEVICES decides", recovery::possible, where};
}

device_ref device_ref::from(const device_choice& choice) {
  if (choice.what() == device_choice::kind::cpu) {
    throw error{errc::invalid_argument, "a GPU was asked for, and the choice of device is the CPU"};
  }
  if (const auto seen = availability(); !seen.ready()) {
    throw error{errc::no_device, seen.cause, seen.fix};
  }
  if (choice.what() != device_choice::kind::one_gpu) return device_ref{0};
  const std::string& text = choice.selector();
  const bool is_index =
      text.size() < 10 && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (!is_index) return device_ref{text};
  const int index = std::stoi(text);
  const int count = visible_devices(std::source_location::current());
  if (index < count) return device_ref{index};
  throw error{errc::no_device, "GPU " + text + " does not exist",
              "this process sees " + std::to_string(count) + " GPU(s), numbered from 0; CUDA_VISIBLE_DEVICES decides"};
}

std::vector<device_ref> device_ref::all() {
  std::vector<device_ref> devices;
  const int count = visible_devices(std::source_location::current());
  for (int index = 0; index < count; ++index) devices.push_back(known(index));
  return devices;
}

device_properties device_ref::properties() const {
  const cudaDeviceProp raw = raw_properties(index_);
  device_properties result;
  result.name = raw.name;
  result.uuid = uuid_of(raw);
  result.pci = pci_of(raw);
  result.compute_major = raw.major;
  result.compute_minor = raw.minor;
  result.multiprocessors = raw.multiProcessorCount;
  result.warp_size = raw.warpSize;
  result.max_threads_per_multiprocessor = raw.maxThreadsPerMultiProcessor;
  result.clock_khz = attribute_or_zero(cudaDevAttrClockRate, index_);
  result.memory_clock_khz = attribute_or_zero(cudaDevAttrMemoryClockRate, index_);
  result.memory_bus_bits = attribute_or_zero(cudaDevAttrGlobalMemoryBusWidth, index_);
  result.memory_bytes = raw.totalGlobalMem;
  result.l2_bytes = bytes_attribute(cudaDevAttrL2CacheSize, index_);
  result.shared_bytes_per_block = bytes_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, index_);
  result.concurrent_managed_access = attribute_or_zero(cudaDevAttrConcurrentManagedAccess, index_) != 0;
  result.memory_pools = attribute_or_zero(cudaDevAttrMemoryPoolsSupported, index_) != 0;
  return result;
}

gpu::uuid device_ref::uuid() const { return uuid_of(raw_properties(index_)); }

memory_info device_ref::memory() const {
  const device_guard guard{*this};
  memory_info info;
  check(cudaMemGetInfo(&info.free, &info.total), "read the free memory of " + to_string(*this));
  return info;
}

void device_ref::synchronize() const {
  const device_guard guard{*this};
  check(cudaDeviceSynchronize(), "wait for " + to_string(*this));
}

std::string to_string(device_ref device) {
  cudaDeviceProp raw{};
  const std::string text = "GPU " + std::to_string(device.index());
  if (cudaGetDeviceProperties(&raw, device.index()) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return text;
  }
  return text + " (" + raw.name + ')';
}

}  // namespace gpuenv::inline v0::cuda
