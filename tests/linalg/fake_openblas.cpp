// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
// What gpuenv calls of OpenBLAS, by definition and on one thread. It counts calls during which the number of threads
// changed, and calls that would have run on more threads than the caller may use CPUs.
#include <sched.h>

#include <atomic>
#include <cstdint>
#include <thread>

namespace {

std::atomic<int> threads{0};
std::atomic<int> disturbed{0};
std::atomic<int> too_many{0};

int usable() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

int number_of_threads() {
  int none = 0;
  threads.compare_exchange_strong(none, usable() + 1);  // so that callers with all CPUs need fewer too
  return threads;
}

template <class T>
void multiply(int ta, int tb, int m, int n, int k, T alpha, const T* a, int lda, const T* b, int ldb, T beta, T* c,
              int ldc) {
  constexpr int transposed = 112;
  const int at_first = number_of_threads();
  if (at_first > usable()) ++too_many;
  const auto at = [](const T* matrix, std::int64_t row, std::int64_t column, int leading, int order) {
    return order == transposed ? matrix[row * leading + column] : matrix[row + column * leading];
  };
  for (std::int64_t j = 0; j < n; ++j) {
    for (std::int64_t i = 0; i < m; ++i) {
      T sum = 0;
      for (std::int64_t p = 0; p < k; ++p) sum += at(a, i, p, lda, ta) * at(b, p, j, ldb, tb);
      T& element = c[i + j * ldc];
      element = alpha * sum + (beta == T{0} ? T{0} : beta * element);
    }
    if (j % 32 == 0) std::this_thread::yield();
  }
  if (number_of_threads() != at_first) ++disturbed;
}

}  // namespace

extern "C" {

const char* openblas_get_config() { return "OpenBLAS 0.0.0 FAKE"; }
int openblas_get_parallel() { return 1; }
int openblas_get_num_threads() { return number_of_threads(); }
void openblas_set_num_threads(int wanted) { threads = wanted; }
int fake_openblas_disturbed() { return disturbed; }
int fake_openblas_too_many_threads() { return too_many; }

void cblas_sgemm(int, int ta, int tb, int m, int n, int k, float alpha, const float* a, int lda, const float* b,
                 int ldb, float beta, float* c, int ldc) {
  multiply(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
void cblas_dgemm(int, int ta, int tb, int m, int n, int k, double alpha, const double* a, int lda, const double* b,
                 int ldb, double beta, double* c, int ldc) {
  multiply(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
}
