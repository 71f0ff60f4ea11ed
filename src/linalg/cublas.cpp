// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "linalg/cublas.hpp"

#include <gpuenv/cuda/memory_pool.hpp>
#include <gpuenv/linalg/device_matmul.hpp>
#include "linalg/cublas_library.hpp"

#include <cstdlib>
#include <mutex>
#include <vector>

namespace gpuenv::inline v0::linalg {
namespace {

std::string memory_text(cuda::device_ref device) {
  std::size_t free = 0;
  std::size_t total = 0;
  if (cudaMemGetInfo(&free, &total) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    return cuda::to_string(device);
  }
  return cuda::to_string(device) + ", where " + std::to_string(free) + " of " + std::to_string(total) +
         " bytes are free";
}

/// A handle needs some hundred MiB of kernels and buffers; without them cuBLAS says "not initialized".
constexpr std::size_t handle_bytes = std::size_t{256} << 20;

[[noreturn]] void throw_cublas(cublasStatus_t status, const std::string& attempted, cuda::device_ref device,
                               const std::source_location& where) {
  std::string hint;
  recovery after = recovery::possible;
  std::size_t free = 0;
  std::size_t total = 0;
  if (const cudaError_t memory = cudaMemGetInfo(&free, &total); memory != cudaSuccess) {
    static_cast<void>(cudaGetLastError());  // CUDA itself does not work any more: its reason is the reason
    hint = cuda::hint_for(memory);
    after = cuda::after(memory);
  } else if (status == CUBLAS_STATUS_NOT_INITIALIZED || status == CUBLAS_STATUS_ALLOC_FAILED) {
    hint = free < handle_bytes
               ? "a lack of GPU memory is the likely cause: free memory, or choose another GPU"
               : "memory is there: the driver may be older than this cuBLAS, or the GPU in exclusive use";
  } else if (status == CUBLAS_STATUS_EXECUTION_FAILED || status == CUBLAS_STATUS_INTERNAL_ERROR) {
    hint = "a kernel started by an earlier call may have failed: find it with compute-sanitizer";
  }
  throw error{{static_cast<int>(status), cublas_category()},
              attempted + " on " + memory_text(device),
              std::move(hint),
              after,
              where};
}

/// Handles are never destroyed: a thread that ends hands its handles to the next one, and at the end of the process
/// CUDA takes them down itself.
class handle_store {
 public:
  static handle_store& of_process() {
    static auto* const store = new handle_store;
    return *store;
  }

  cublasHandle_t take(cuda::device_ref device, const std::source_location& where) {
    {
      const std::scoped_lock lock{mutex_};
      for (auto spare = spares_.begin(); spare != spares_.end(); ++spare) {
        if (spare->device != device) continue;
        const cublasHandle_t handle = spare->handle;
        spares_.erase(spare);
        return handle;
      }
    }
    cublasHandle_t handle = nullptr;
    const cublasStatus_t status = cublas_library::get().create(&handle);
    if (status != CUBLAS_STATUS_SUCCESS) throw_cublas(status, "make a cuBLAS handle", device, where);
    return handle;
  }

  void give_back(cuda::device_ref device, cublasHandle_t handle) {
    const std::scoped_lock lock{mutex_};
    spares_.push_back({device, handle});
  }

 private:
  struct spare_handle {
    cuda::device_ref device;
    cublasHandle_t handle;
  };
  std::mutex mutex_;
  std::vector<spare_handle> spares_;
};

class thread_handles {
 public:
  cublasHandle_t for_device(cuda::device_ref device, const std::source_location& where) {
    for (const entry& known : entries_) {
      if (known.device == device) return known.handle;
    }
    entries_.reserve(entries_.size() + 1);
    const cublasHandle_t handle = handle_store::of_process().take(device, where);
    entries_.push_back({device, handle});
    return handle;
  }
  thread_handles() = default;
  thread_handles(const thread_handles&) = delete;
  thread_handles& operator=(const thread_handles&) = delete;
  ~thread_handles() {
    for (const entry& used : entries_) handle_store::of_process().give_back(used.device, used.handle);
  }

 private:
  struct entry {
    cuda::device_ref device;
    cublasHandle_t handle;
  };
  std::vector<entry> entries_;
};

/// What NVIDIA's documentation of cublasSetWorkspace recommends: 32 MiB on compute capability 9, 4 MiB elsewhere.
std::size_t workspace_bytes(cuda::device_ref device) {
  const int major = device.attribute(cudaDevAttrComputeCapabilityMajor);
  return std::size_t{major == 9 ? 32U : 4U} << 20;
}

/// Freed behind the product, in its stream, whether or not the product could be enqueued.
class stream_workspace {
 public:
  stream_workspace(std::size_t bytes, cuda::stream_ref stream, const std::source_location& where)
      : stream_{stream}, bytes_{bytes}, data_{cuda::memory_pool::of(stream.device()).allocate(bytes, stream, where)} {}
  stream_workspace(const stream_workspace&) = delete;
  stream_workspace& operator=(const stream_workspace&) = delete;
  ~stream_workspace() { cuda::memory_pool::of(stream_.device()).free(data_, stream_); }

  [[nodiscard]] void* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  cuda::stream_ref stream_;
  std::size_t bytes_;
  void* data_;
};

thread_handles& handles_of_thread() {
  thread_local thread_handles handles;
  return handles;
}

/// Pedantic FP32 keeps cuBLAS from TF32 and from emulation. Plain FP64 is IEEE arithmetic already, and on an H200 30%
/// faster than pedantic FP64 (n = 4096), which is needed only where the environment has cuBLAS emulate doubles.
template <class T>
cublasComputeType_t compute_type_of() {
  if constexpr (sizeof(T) == 4) return CUBLAS_COMPUTE_32F_PEDANTIC;
  static const bool emulation_is_asked_for = std::getenv("CUBLAS_EMULATE_DOUBLE_PRECISION") != nullptr;
  return emulation_is_asked_for ? CUBLAS_COMPUTE_64F_PEDANTIC : CUBLAS_COMPUTE_64F;
}

template <class T>
void enqueue(const blas_product<T>& p, cuda::stream_ref stream, const std::source_location& where) {
  constexpr cudaDataType type = sizeof(T) == 4 ? CUDA_R_32F : CUDA_R_64F;
  const auto operation = [](bool transposed) { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; };
  const cublas_library& library = cublas_library::get();

  const cuda::device_ref device = stream.device();
  const cuda::device_guard guard{device};
  const cublasHandle_t handle = handles_of_thread().for_device(device, where);
  const stream_workspace workspace{workspace_bytes(device), stream, where};
  cublasStatus_t status = library.set_stream(handle, stream.get());
  if (status == CUBLAS_STATUS_SUCCESS) status = library.set_workspace(handle, workspace.data(), workspace.bytes());
  if (status != CUBLAS_STATUS_SUCCESS) throw_cublas(status, "set up cuBLAS", device, where);
  status = library.gemm(handle, operation(p.left.transposed), operation(p.right.transposed), p.m, p.n, p.k, &p.alpha,
                        p.left.data, type, p.left.leading_dimension, p.right.data, type, p.right.leading_dimension,
                        &p.beta, p.c.data, type, p.c.leading_dimension, compute_type_of<T>(), CUBLAS_GEMM_DEFAULT);
  if (status != CUBLAS_STATUS_SUCCESS) {
    throw_cublas(status,
                 "multiply " + std::to_string(p.m) + 'x' + std::to_string(p.k) + " by " + std::to_string(p.k) + 'x' +
                     std::to_string(p.n) + " with cuBLAS",
                 device, where);
  }
}

}  // namespace

std::string cublas_version(std::string* why) {
  const cublas_library& library = cublas_library::get();
  if (why != nullptr) *why = library.problem;
  return library.usable() ? library.version : std::string{};
}

void cublas_product(const blas_product<float>& p, cuda::stream_ref stream, const std::source_location& where) {
  enqueue(p, stream, where);
}

void cublas_product(const blas_product<double>& p, cuda::stream_ref stream, const std::source_location& where) {
  enqueue(p, stream, where);
}

}  // namespace gpuenv::inline v0::linalg
