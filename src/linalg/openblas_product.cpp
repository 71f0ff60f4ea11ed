// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "linalg/openblas_product.hpp"

#include "linalg/openblas_library.hpp"
#include "linalg/parallel.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <shared_mutex>

namespace gpuenv::inline v0::linalg {
namespace {

void call(const openblas_library& library, int order, int ta, int tb, int m, int n, int k, float alpha, const float* a,
          int lda, const float* b, int ldb, float beta, float* c, int ldc) {
  library.multiply_floats(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
void call(const openblas_library& library, int order, int ta, int tb, int m, int n, int k, double alpha,
          const double* a, int lda, const double* b, int ldb, double beta, double* c, int ldc) {
  library.multiply_doubles(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

/// Held shared while the number of threads must not change, alone while it is lowered. Each process has its own: in a
/// forked child that of the parent may be held by threads that are not there.
struct threads_lock {
  pid_t process;
  std::mutex entry;  ///< all pass it, so that who wants to be alone is not kept waiting by those who come later
  std::shared_mutex settled;

  static threads_lock& get() {
    static std::atomic<threads_lock*> current{nullptr};
    threads_lock* lock = current;
    if (lock != nullptr && lock->process == getpid()) return *lock;
    auto* made = new threads_lock{getpid(), {}, {}};
    if (current.compare_exchange_strong(lock, made)) return *made;
    delete made;
    return *lock;  // another thread was faster
  }
  std::shared_lock<std::shared_mutex> shared() {
    const std::scoped_lock pass{entry};
    return std::shared_lock{settled};
  }
  std::unique_lock<std::shared_mutex> alone() {
    const std::scoped_lock pass{entry};
    return std::unique_lock{settled};
  }
};

/// OpenBLAS's number of threads stays as it is for one call, or is lowered to what the caller may use and then set
/// again. One that somebody else loaded is left alone.
class settled_threads {
 public:
  explicit settled_threads(const openblas_library& library) : library_{library} {
    if (!library.is_ours) return;
    shared_ = threads_lock::get().shared();
    if (library.threads() <= usable_cpus()) return;
    shared_.unlock();
    alone_ = threads_lock::get().alone();
    before_ = library.threads();
    library.set_threads(std::min(before_, usable_cpus()));
  }
  ~settled_threads() {
    if (before_ != 0) library_.set_threads(before_);
  }
  settled_threads(const settled_threads&) = delete;
  settled_threads& operator=(const settled_threads&) = delete;

 private:
  const openblas_library& library_;
  std::shared_lock<std::shared_mutex> shared_;
  std::unique_lock<std::shared_mutex> alone_;
  int before_ = 0;
};

/// A leading dimension that cblas accepts: with one row or column, a view may hold anything there.
int leading(std::int64_t stride, std::int64_t run) { return static_cast<int>(std::max(stride, run)); }

}  // namespace

int openblas_threads() {
  const openblas_library& library = openblas_library::get();
  if (!library.is_ours) return library.threads();
  const auto lock = threads_lock::get().shared();  // not the number that another caller has lowered for itself
  return std::min(library.threads(), usable_cpus());
}

template <class T>
void openblas_product(const product_block<T>& p, T beta) {
  constexpr int column_major = 102;
  constexpr int as_it_is = 111;
  constexpr int transposed = 112;
  const openblas_library& library = openblas_library::get();
  const settled_threads guard{library};
  call(library, column_major, p.a_by_columns ? as_it_is : transposed, p.b_by_columns ? as_it_is : transposed,
       static_cast<int>(p.m), static_cast<int>(p.n), static_cast<int>(p.k), p.alpha, p.a,
       leading(p.a_leading, p.a_by_columns ? p.m : p.k), p.b, leading(p.b_leading, p.b_by_columns ? p.k : p.n), beta,
       p.c, leading(p.c_leading, p.m));
}
template void openblas_product(const product_block<float>&, float);
template void openblas_product(const product_block<double>&, double);

}  // namespace gpuenv::inline v0::linalg
