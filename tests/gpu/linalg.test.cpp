// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/linalg/device_matmul.hpp>
#include <gpuenv/linalg/device_random.hpp>
#include <gpuenv/linalg/device_verify.hpp>
#include <gpuenv/linalg/eigen.hpp>
#include <gpuenv/linalg/matmul.hpp>
#include <gpuenv/linalg/verify.hpp>
#include "support/catch.hpp"
#include "support/matrices.hpp"
#include "test_kernels.hpp"

#include <atomic>
#include <limits>
#include <thread>

using gpuenv::device_choice;
using gpuenv::errc;
using gpuenv::error;
using namespace gpuenv::cuda;
using namespace gpuenv::linalg;
using namespace gpuenv_test;

namespace {

constexpr product_route both_routes[] = {product_route::cublas, product_route::tiled};

/// A host matrix with padding and offset, and its image on the device: the same bytes around the same elements.
template <class T>
class mirrored {
 public:
  mirrored(std::int64_t rows, std::int64_t cols, bool row_major, const stream& s, std::int64_t padding = 3,
           std::int64_t offset = 1)
      : rows_{rows},
        cols_{cols},
        row_major_{row_major},
        leading_{(row_major ? cols : rows) + padding},
        offset_{offset} {
    const auto lines = row_major ? rows : cols;
    host_.assign(static_cast<std::size_t>(offset + leading_ * lines + 1), guard);
    device_ = device_buffer<T>{s, host_.size()};
  }

  [[nodiscard]] host_matrix_view<T> host() { return host_view(host_.data() + offset_); }
  [[nodiscard]] device_matrix_view<T> device() {
    T* first = device_.data() + offset_;
    return row_major_ ? device_matrix_view<T>::row_major(first, rows_, cols_, leading_)
                      : device_matrix_view<T>::column_major(first, rows_, cols_, leading_);
  }
  void to_device(const stream& s) { gpuenv::cuda::copy(host_, device_, s); }
  /// Brings the device's bytes back; false when one outside the matrix was changed.
  [[nodiscard]] bool from_device(const stream& s) {
    gpuenv::cuda::copy(device_, host_, s);
    s.synchronize();
    std::vector<bool> element(host_.size(), false);
    const auto v = host();
    for (std::int64_t i = 0; i < rows_; ++i) {
      for (std::int64_t j = 0; j < cols_; ++j) element[static_cast<std::size_t>(&v(i, j) - host_.data())] = true;
    }
    for (std::size_t at = 0; at < host_.size(); ++at) {
      if (!element[at] && host_[at] != guard) return false;
    }
    return true;
  }

 private:
  static constexpr T guard = T{-12345};
  host_matrix_view<T> host_view(T* first) {
    return row_major_ ? host_matrix_view<T>::row_major(first, rows_, cols_, leading_)
                      : host_matrix_view<T>::column_major(first, rows_, cols_, leading_);
  }
  std::int64_t rows_, cols_;
  bool row_major_;
  std::int64_t leading_, offset_;
  std::vector<T> host_;
  device_buffer<T> device_;
};

/// One element of a device matrix.
float element(const device_matrix<float>& m, std::int64_t row, std::int64_t col, const stream& s) {
  host_matrix<float> one{1, 1};
  copy(m.view().block(row, col, 1, 1), one.view(), s);
  s.synchronize();
  return one(0, 0);
}

template <class F>
std::error_code code_of(F&& f) {
  try {
    f();
  } catch (const error& e) {
    return e.code();
  }
  return {};
}

}  // namespace

TEST_CASE("cuBLAS of this build's major version is found") {
  std::string why;
  const std::string version = cublas_version(&why);
  INFO(why);
  CHECK(version.starts_with(std::to_string(CUDART_VERSION / 1000) + '.'));
}

TEMPLATE_TEST_CASE("All eight layouts, padded and offset, give the product by definition", "[B79][B83]", float,
                   double) {
  using T = TestType;
  const stream s{device_ref{0}};
  for (const auto route : both_routes) {
    for (const auto& layout : all_layouts) {
      for (const auto& [m, n, k] :
           {std::array{3, 7, 5}, std::array{65, 33, 17}, std::array{1, 9, 4}, std::array{8, 1, 3}}) {
        mirrored<T> a{m, k, layout[0], s};
        mirrored<T> b{k, n, layout[1], s, 5, 3};
        mirrored<T> c{m, n, layout[2], s, 1, 2};
        fill_integers(a.host(), 1);
        fill_integers(b.host(), 2);
        fill_integers(c.host(), 3);
        const auto expected = product_by_definition<T>(a.host(), b.host(), T{2}, T{-3}, c.host());
        a.to_device(s);
        b.to_device(s);
        c.to_device(s);
        const auto plan = matmul(a.device(), b.device(), c.device(), s, {.alpha = 2, .beta = -3, .route = route});
        CHECK(plan.route == route);
        CHECK(c.from_device(s));
        CHECK(equal(c.host(), expected));
      }
    }
  }
}

TEMPLATE_TEST_CASE("Every size from 1 to 33 with every pointer off by one element", "[B83]", float, double) {
  using T = TestType;
  const stream s{device_ref{0}};
  for (const auto route : both_routes) {
    for (std::int64_t size = 1; size <= 33; ++size) {
      mirrored<T> a{size, size + 1, true, s, 0, 1};
      mirrored<T> b{size + 1, size + 2, false, s, 0, 1};
      mirrored<T> c{size, size + 2, size % 2 == 0, s, 1, 1};
      fill_integers(a.host(), 1);
      fill_integers(b.host(), 2);
      a.to_device(s);
      b.to_device(s);
      c.to_device(s);
      matmul(a.device(), b.device(), c.device(), s, {.route = route});
      REQUIRE(c.from_device(s));
      REQUIRE(equal(c.host(), product_by_definition<T>(a.host(), b.host(), T{1}, T{0}, c.host())));
    }
  }
}

TEMPLATE_TEST_CASE("beta = 0 never reads C, whatever it holds", "[B71]", float, double) {
  using T = TestType;
  const stream s{device_ref{0}};
  for (const auto route : both_routes) {
    for (const T rubbish : {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::infinity()}) {
      for (const auto& [m, n, k] :
           {std::array{16, 16, 16}, std::array{17, 33, 9}, std::array{1, 1, 1}, std::array{129, 65, 3}}) {
        for (const double alpha : {1.0, 0.0}) {
          host_matrix<T> a{m, k};
          host_matrix<T> b{k, n};
          host_matrix<T> c{m, n};
          fill_integers(a.view(), 1);
          fill_integers(b.view(), 2);
          for (std::int64_t i = 0; i < c.size(); ++i) c.data()[i] = rubbish;
          auto device_c = upload(c, s);
          matmul(upload(a, s).view(), upload(b, s).view(), device_c.view(), s, {.alpha = alpha, .route = route});
          CHECK(equal(download(device_c, s),
                      product_by_definition<T>(a.view(), b.view(), static_cast<T>(alpha), T{0}, c.view())));
        }
      }
    }
  }
}

TEMPLATE_TEST_CASE("K = 0 gives beta C, and an output without elements launches nothing", "[B72]", float, double) {
  using T = TestType;
  const stream s{device_ref{0}};
  for (const double beta : {0.0, 1.0, 2.0}) {
    host_matrix<T> c{4, 5};
    fill_integers(c.view(), 1);
    const auto before = c.clone();
    if (beta == 0) c(1, 1) = std::numeric_limits<T>::quiet_NaN();
    auto device_c = upload(c, s);
    const device_matrix_view<const T> a{nullptr, 4, 0, 1, 1};
    const device_matrix_view<const T> b{nullptr, 0, 5, 5, 1};
    CHECK(matmul(a, b, device_c.view(), s, {.beta = beta}).route == product_route::scaling);
    const auto result = download(device_c, s);
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 5; ++j) CHECK(result(i, j) == static_cast<T>(beta) * before(i, j));
    }
  }
  const auto empty = matmul(device_matrix<T>{s, 0, 5}, device_matrix<T>{s, 5, 3}, s);
  CHECK(empty.rows() == 0);
  CHECK(empty.cols() == 3);
}

TEMPLATE_TEST_CASE("Operands without a stride of 1 take gpuenv's own kernel", "[B79]", float, double) {
  using T = TestType;
  const stream s{device_ref{0}};
  std::vector<T> memory(600, T{9});
  const host_matrix_view<T> every_second{memory.data(), 7, 9, 60, 2};
  fill_integers(every_second, 1);
  device_buffer<T> device_memory{s, memory.size()};
  gpuenv::cuda::copy(memory, device_memory, s);
  const device_matrix_view<const T> a{device_memory.data(), 7, 9, 60, 2};
  host_matrix<T> b{9, 4};
  fill_integers(b.view(), 2);
  device_matrix<T> c{s, 7, 4};
  const auto device_b = upload(b, s);
  CHECK(matmul(a, device_b.view(), c.view(), s).route == product_route::tiled);
  CHECK(equal(download(c, s), product_by_definition<T>(every_second, b.view(), T{1}, T{0}, {})));
  CHECK(code_of([&] { matmul(a, device_b.view(), c.view(), s, {.route = product_route::cublas}); }) ==
        errc::not_supported);
}

TEST_CASE("FP32 is FP32: no TF32 whatever the environment says", "[B75]") {
  const stream s{device_ref{0}};
  for (const auto route : both_routes) {
    host_matrix<float> a{1, 1};
    host_matrix<float> b{1, 1};
    a(0, 0) = 1024.5F;
    b(0, 0) = 1.0F;
    device_matrix<float> c{s, 1, 1};
    matmul(upload(a, s).view(), upload(b, s).view(), c.view(), s, {.route = route});
    CHECK(download(c, s)(0, 0) == 1024.5F);
    const auto x = random_device_matrix<float>(s, 512, 512, {.seed = 1});
    const auto y = random_device_matrix<float>(s, 512, 512, {.seed = 1, .sequence = 1});
    device_matrix<float> z{s, 512, 512};
    matmul(x.view(), y.view(), z.view(), s, {.route = route});
    const auto v = verify(device_problem<float>{x, y}, z, s, {.method = verify_method::full});
    INFO(v);
    CHECK(v.passed());
    CHECK(v.relative_error < 1e-6);
  }
}

TEMPLATE_TEST_CASE("Shapes of primes are verified on the GPU by both routes", "[B79]", float, double) {
  using T = TestType;
  const stream s{device_ref{0}};
  for (const auto route : both_routes) {
    for (const auto& [m, n, k] : {std::array{127, 131, 137}, std::array{61, 31, 1009}, std::array{5, 257, 67}}) {
      const auto a = random_device_matrix<T>(s, m, k, {.seed = 3});
      const auto b = random_device_matrix<T>(s, k, n, {.seed = 3, .sequence = 1});
      device_matrix<T> c{s, m, n, storage_order::column_major};
      matmul(a.view(), b.view(), c.view(), s, {.alpha = 0.7, .route = route});
      const auto v = verify(device_problem<T>{a, b, 0.7}, c, s, {.method = verify_method::full});
      INFO(to_string(route) << ' ' << m << ' ' << n << ' ' << k << '\n' << v);
      CHECK(v.passed());
    }
  }
}

TEMPLATE_TEST_CASE("Large shapes and long sums are verified on the GPU by both routes", "[B79][slow]", float, double) {
  using T = TestType;
  const stream s{device_ref{0}};
  for (const auto route : both_routes) {
    for (const auto& [m, n, k] : {std::array{1000, 1000, 1000}, std::array{31, 8191, 67}, std::array{64, 64, 20011}}) {
      const auto a = random_device_matrix<T>(s, m, k, {.seed = 3});
      const auto b = random_device_matrix<T>(s, k, n, {.seed = 3, .sequence = 1});
      device_matrix<T> c{s, m, n, storage_order::column_major};
      matmul(a.view(), b.view(), c.view(), s, {.alpha = 0.7, .route = route});
      const auto v = verify(device_problem<T>{a, b, 0.7}, c, s, {.method = verify_method::full});
      INFO(to_string(route) << ' ' << m << ' ' << n << ' ' << k << '\n' << v);
      CHECK(v.passed());
    }
  }
}

TEST_CASE("The portable form takes Eigen's matrices to a named GPU and says so", "[B79]") {
  const Eigen::MatrixXf a = Eigen::MatrixXf::Random(30, 50);
  const Eigen::MatrixXf b = Eigen::MatrixXf::Random(50, 20);
  const auto uuid = gpuenv::gpu::to_string(device_ref{0}.uuid());
  const auto [c, info] = matmul(a, b, {.device = device_choice::gpu(uuid)});
  CHECK(info.on_gpu);
  CHECK(info.uuid == uuid);
  CHECK(verify({.a = a, .b = b}, c).passed());
  CHECK(code_of([&] { static_cast<void>(matmul(a, b, {.device = device_choice::gpu("4711")})); }) == errc::no_device);

  const stream s{device_ref{0}};
  const auto device_c = matmul(upload(a, s), upload(b, s), s);
  const auto columns = download<Eigen::MatrixXf>(device_c, s);
  CHECK(verify({.a = a, .b = b}, columns).passed());
}

TEST_CASE("The portable form adds to C, gathers strided operands and scatters into strided results") {
  std::vector<float> memory_a(400, 0.0F);
  std::vector<float> memory_c(900, 9.0F);
  const host_matrix_view<float> a{memory_a.data(), 6, 5, 50, 3};
  const host_matrix_view<float> c{memory_c.data(), 6, 4, 100, 5};
  host_matrix<float> b{5, 4};
  fill_integers(a, 1);
  fill_integers(b.view(), 2);
  fill_integers(c, 3);
  const auto expected = product_by_definition<float>(a, b.view(), 2.0F, 3.0F, c);
  matmul(a, b.view(), c, {.alpha = 2, .beta = 3, .device = device_choice::any_gpu()});
  CHECK(equal(c, expected));
  CHECK(memory_c[1] == 9.0F);
}

TEST_CASE("Overlap and shapes are refused before anything is enqueued") {
  const stream s{device_ref{0}};
  auto m = random_device_matrix<float>(s, 8, 8);
  const auto v = m.view();
  CHECK(code_of([&] { matmul(v, v, v, s); }) == errc::overlap);
  CHECK_NOTHROW(matmul(v.block(0, 0, 4, 4), v.block(0, 0, 4, 4), v.block(4, 4, 4, 4), s));
  CHECK(code_of([&] { matmul(v, v.block(0, 0, 4, 4), v, s); }) == errc::shape_mismatch);
  s.synchronize();
}

TEST_CASE("Eight threads with four streams each get the bits of a serial run", "[B82][slow]") {
  const device_ref device{0};
  constexpr int thread_count = 8;
  constexpr int stream_count = 4;
  struct job {
    device_matrix<float> a, b, expected;
  };
  const stream setup{device};
  std::vector<job> jobs;
  for (int t = 0; t < thread_count * stream_count; ++t) {
    const std::int64_t size = 64 + 9 * t;
    job j{random_device_matrix<float>(setup, size, 500, {.seed = static_cast<std::uint64_t>(t)}),
          random_device_matrix<float>(setup, 500, size, {.seed = static_cast<std::uint64_t>(t), .sequence = 1}),
          device_matrix<float>{setup, size, size}};
    matmul(j.a.view(), j.b.view(), j.expected.view(), setup);
    jobs.push_back(std::move(j));
  }
  setup.synchronize();
  std::vector<host_matrix<float>> expected;
  for (const auto& j : jobs) expected.push_back(download(j.expected, setup));

  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < thread_count; ++t) {
    threads.emplace_back([&, t] {
      std::vector<stream> streams;
      for (int s = 0; s < stream_count; ++s) streams.emplace_back(device);
      for (int round = 0; round < 200; ++round) {
        std::vector<device_matrix<float>> results;
        for (int s = 0; s < stream_count; ++s) {
          const job& j = jobs[static_cast<std::size_t>(t * stream_count + s)];
          results.push_back(matmul(j.a, j.b, streams[static_cast<std::size_t>(s)]));
        }
        for (int s = 0; s < stream_count; ++s) {
          const auto at = static_cast<std::size_t>(s);
          if (!same_bits(download(results[at], streams[at]),
                         expected[static_cast<std::size_t>(t * stream_count + s)])) {
            ++wrong;
          }
        }
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(wrong == 0);
}

TEST_CASE("More than 65535 tiles of rows: a tall output is written everywhere", "[B77][slow]") {
  const stream s{device_ref{0}};
  constexpr std::int64_t rows = 65537 * 64 + 5;  // more tiles down than a grid's y side takes
  const auto a = random_device_matrix<float>(s, rows, 3, {.seed = 9});
  const auto b = random_device_matrix<float>(s, 3, 2, {.seed = 9, .sequence = 1});
  device_matrix<float> c{s, rows, 2};
  gpuenv::cuda::check(late_fill(c.view().data(), static_cast<std::size_t>(rows * 2),
                                std::numeric_limits<float>::quiet_NaN(), 0, s.get()),
                      "fill");
  matmul(a.view(), b.view(), c.view(), s, {.route = product_route::tiled});
  const auto v = verify(device_problem<float>{a, b}, c, s, {.method = verify_method::full});
  INFO(v);
  CHECK(v.passed());
  CHECK(v.checked == rows * 2);
}

TEST_CASE("An output of 2^31 elements is right to its last row", "[B74][slow]") {
  const device_ref device{0};
  constexpr std::int64_t m = 65536;
  constexpr std::int64_t n = 32768;
  if (device.memory().free < std::size_t{10} << 30) {
    WARN("skipped: needs 10 GiB of GPU memory");
    return;
  }
  const stream s{device};
  const auto a = random_device_matrix<float>(s, m, 1, {.seed = 1});
  const auto b = random_device_matrix<float>(s, 1, n, {.seed = 1, .sequence = 1});
  for (const auto route : both_routes) {
    device_matrix<float> c{s, m, n};
    matmul(a.view(), b.view(), c.view(), s, {.route = route});
    const auto v = verify(device_problem<float>{a, b}, c, s, {.method = verify_method::full});
    INFO(to_string(route) << '\n' << v);
    CHECK(v.passed());
    CHECK(v.checked == m * n);
    CHECK(element(c, m - 1, n - 1, s) == element(a, m - 1, 0, s) * element(b, 0, n - 1, s));
  }
  gpuenv::cuda::memory_pool::of(device).trim();
}

TEMPLATE_TEST_CASE("A product is captured into a graph and replayed with the same bits", "[B82]", float, double) {
  using T = TestType;
  const device_ref device{0};
  const stream s{device};
  const auto a = random_device_matrix<T>(s, 130, 70, {.seed = 1});
  const auto b = random_device_matrix<T>(s, 70, 90, {.seed = 2});
  for (const auto route : both_routes) {
    device_matrix<T> expected{s, 130, 90};
    device_matrix<T> c{s, 130, 90};
    matmul(a.view(), b.view(), expected.view(), s, {.route = route});
    s.synchronize();

    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    check(cudaStreamBeginCapture(s.get(), cudaStreamCaptureModeThreadLocal), "begin capture");
    matmul(a.view(), b.view(), c.view(), s, {.route = route});
    check(cudaStreamEndCapture(s.get(), &graph), "end capture");
    check(cudaGraphInstantiate(&executable, graph, 0), "instantiate");
    for (int replay = 0; replay < 3; ++replay) {
      fill_random(c.view(), s, {.seed = 99});
      check(cudaGraphLaunch(executable, s.get()), "launch a graph");
      CHECK(same_bits(download(c, s), download(expected, s)));
    }
    check(cudaGraphExecDestroy(executable), "destroy an executable graph");
    check(cudaGraphDestroy(graph), "destroy a graph");
  }
}
