// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "linalg/openblas_product.hpp"

#include "linalg/openblas_library.hpp"
#include "linalg/parallel.hpp"

#include <algorithm>
#include <mutex>

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

/// Fewer threads for one call; what was set before is set again.
class fewer_threads {
 public:
  explicit fewer_threads(const openblas_library& library) : library_{library} {
    if (!library.is_ours || library.threads() <= usable_cpus()) return;
    lock_ = std::unique_lock{one_at_a_time()};
    before_ = library.threads();
    library.set_threads(std::min(before_, usable_cpus()));
  }
  ~fewer_threads() {
    if (before_ != 0) library_.set_threads(before_);
  }
  fewer_threads(const fewer_threads&) = delete;
  fewer_threads& operator=(const fewer_threads&) = delete;

 private:
  static std::mutex& one_at_a_time() {
    static std::mutex mutex;
    return mutex;
  }

  const openblas_library& library_;
  std::unique_lock<std::mutex> lock_;
  int before_ = 0;
};

/// A leading dimension that cblas accepts: with one row or column, a view may hold anything there.
int leading(std::int64_t stride, std::int64_t run) { return static_cast<int>(std::max(stride, run)); }

}  // namespace

int openblas_threads() {
  const openblas_library& library = openblas_library::get();
  return library.is_ours ? std::min(library.threads(), usable_cpus()) : library.threads();
}

template <class T>
void openblas_product(const product_block<T>& p, T beta) {
  constexpr int column_major = 102;
  constexpr int as_it_is = 111;
  constexpr int transposed = 112;
  const openblas_library& library = openblas_library::get();
  const fewer_threads guard{library};
  call(library, column_major, p.a_by_columns ? as_it_is : transposed, p.b_by_columns ? as_it_is : transposed,
       static_cast<int>(p.m), static_cast<int>(p.n), static_cast<int>(p.k), p.alpha, p.a,
       leading(p.a_leading, p.a_by_columns ? p.m : p.k), p.b, leading(p.b_leading, p.b_by_columns ? p.k : p.n), beta,
       p.c, leading(p.c_leading, p.m));
}
template void openblas_product(const product_block<float>&, float);
template void openblas_product(const product_block<double>&, double);

}  // namespace gpuenv::inline v0::linalg
