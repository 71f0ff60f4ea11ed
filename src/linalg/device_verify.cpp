// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/linalg/device_verify.hpp>
#include "compare.hpp"
#include "compare_sample.hpp"
#include "freivalds.hpp"
#include "linalg/judgement.hpp"
#include "linalg/product_checks.hpp"
#include "linalg/strided_view.hpp"

#include <chrono>
#include <vector>

namespace gpuenv::inline v0::linalg {
namespace {

using kernels::comparison_totals;
using kernels::row_sum;
template <class T>
using buffer = cuda::device_buffer<T>;

/// Up to 4096 x 4096 x 4096: some ten milliseconds on a GPU with fast FP64.
constexpr double full_limit = 7e10;

/// One verification: its inputs, and the stream that everything runs in.
template <class T>
class check {
 public:
  check(const device_problem<T>& p, device_matrix_view<const T> c, cuda::stream_ref stream,
        const verify_options& options)
      : problem_{static_cast<T>(p.alpha), as_strided(p.a), as_strided(p.b), static_cast<T>(p.beta), as_strided(p.c0)},
        c_{as_strided(c)},
        claim_{claim_of<T>(c.rows(), c.cols(), p.a.cols(), static_cast<T>(p.alpha), static_cast<T>(p.beta))},
        stream_{stream},
        options_{options} {}

  verification run() const {
    verification v = judged_by(chosen_method(options_, claim_, full_limit));
    if (const auto decider = deciding_method(v, options_, claim_, full_limit); decider != v.method) {
      v = judged_by(decider);
    }
    if (v.method == verify_method::freivalds && v.problem.empty()) add_precision(v, judged_by(verify_method::sample));
    return v;
  }

 private:
  [[nodiscard]] verification judged_by(verify_method method) const {
    verification v;
    v.on_gpu = true;
    v.m = claim_.m;
    v.n = claim_.n;
    v.k = claim_.k;
    v.method = method;
    if (c_.rows == 0 || c_.cols == 0) return v;  // nothing to check, and nothing wrong
    switch (method) {
      case verify_method::full: full(v); break;
      case verify_method::sample: sample(v); break;
      case verify_method::freivalds: freivalds(v); break;
      default: break;
    }
    return v;
  }

  void launched(cudaError_t status) const {
    cuda::check(status, "launch a verification", stream_.device(), std::source_location::current());
  }

  template <class U>
  [[nodiscard]] buffer<U> room(std::int64_t size) const {
    return buffer<U>{stream_, static_cast<std::size_t>(size)};
  }

  template <class U>
  [[nodiscard]] std::vector<U> fetched(const buffer<U>& from) const {
    std::vector<U> values(from.size());
    cuda::copy(from, values, stream_);
    return values;
  }

  void full(verification& v) const {
    auto workspace = room<comparison_totals>(kernels::compare_workspace(c_.rows, c_.cols));
    auto totals = room<comparison_totals>(1);
    launched(kernels::compare(problem_, c_, bound_of(claim_), workspace.data(), totals.data(), stream_.get()));
    const auto result = fetched(totals);
    stream_.synchronize();
    conclude(v, result.front());
  }

  void sample(verification& v) const {
    std::vector<kernels::sample_place> places;
    if (c_.rows != 0 && c_.cols != 0) {
      for (std::int64_t s = 0; s < options_.samples; ++s) {
        const element_place at = sampled_place(options_, s, c_.rows, c_.cols);
        places.push_back({at.row, at.col});
      }
    }
    auto device_places = room<kernels::sample_place>(static_cast<std::int64_t>(places.size()));
    cuda::copy(places, device_places, stream_);
    auto workspace = room<comparison_totals>(static_cast<std::int64_t>(places.size()));
    auto totals = room<comparison_totals>(1);
    launched(kernels::compare_sample(problem_, c_, bound_of(claim_), device_places.data(),
                                     static_cast<std::int64_t>(places.size()), workspace.data(), totals.data(),
                                     stream_.get()));
    const auto result = fetched(totals);
    stream_.synchronize();
    conclude(v, result.front());
  }

  void freivalds(verification& v) const {
    constexpr std::uint64_t sequence = 0x7369676e73;  // "signs", as on the CPU
    const int vectors = options_.vectors;
    auto words = room<std::uint32_t>(c_.cols);
    launched(kernels::sign_words(words.data(), c_.cols, options_.seed, sequence, stream_.get()));
    const bool reads_factors = problem_.reads_factors();
    auto y = room<kernels::wide<T>>(reads_factors ? problem_.b.rows * vectors : 0);
    if (reads_factors) {
      launched(kernels::sign_product(problem_.b, words.data(), vectors, y.data(), stream_.get()));
    }
    auto residuals = room<double>(c_.rows * vectors);
    launched(kernels::residual(problem_, c_, words.data(), vectors, y.data(), residuals.data(), stream_.get()));

    const auto none = std::vector<row_sum>{};
    const auto sums_a = reads_factors ? row_sums_of(problem_.a) : none;
    const auto sums_b = reads_factors ? row_sums_of(problem_.b) : none;
    const auto sums_c0 = problem_.reads_c0() ? row_sums_of(problem_.c0) : none;
    const auto sums_c = row_sums_of(c_);
    const auto host_residuals = fetched(residuals);
    stream_.synchronize();
    conclude(v, claim_, {vectors, host_residuals, sums_a, sums_b, sums_c0, sums_c});
  }

  [[nodiscard]] std::vector<row_sum> row_sums_of(const kernels::strided<const T>& m) const {
    auto sums = room<row_sum>(m.rows);
    launched(kernels::row_sums(m, sums.data(), stream_.get()));
    return fetched(sums);
  }

  kernels::product_problem<T> problem_;
  kernels::strided<const T> c_;
  claim claim_;
  cuda::stream_ref stream_;
  const verify_options& options_;
};

template <class T>
verification run(const device_problem<T>& p, device_matrix_view<const T> c, cuda::stream_ref stream,
                 const verify_options& options, const std::source_location& where) {
  const auto start = std::chrono::steady_clock::now();
  check_options(options, where);
  check_shapes(describe("a", p.a), describe("b", p.b), describe("c", c), where);
  if (static_cast<T>(p.beta) != T{0}) check_same_shape(describe("c0", p.c0), describe("c", c), where);
  const cuda::device_guard guard{stream.device()};
  verification v = check<T>{p, c, stream, options}.run();
  v.seconds = std::chrono::duration<double>{std::chrono::steady_clock::now() - start}.count();
  return v;
}

}  // namespace

verification verify(const device_problem<float>& claim, device_matrix_view<const float> c, cuda::stream_ref stream,
                    const verify_options& options, std::source_location where) {
  return run(claim, c, stream, options, where);
}

verification verify(const device_problem<double>& claim, device_matrix_view<const double> c, cuda::stream_ref stream,
                    const verify_options& options, std::source_location where) {
  return run(claim, c, stream, options, where);
}

}  // namespace gpuenv::inline v0::linalg
