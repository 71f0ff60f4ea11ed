// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/matmul_command.hpp"

#include <gpuenv/base/config.hpp>
#include <gpuenv/linalg/matmul.hpp>
#include <gpuenv/linalg/npy.hpp>
#include <gpuenv/linalg/verify.hpp>
#include "cli/available_memory.hpp"
#include "cli/matmul_report.hpp"

#if GPUENV_HAS_CUDA
#include <gpuenv/cuda/availability.hpp>
#include <gpuenv/linalg/device_verify.hpp>
#endif

namespace gpuenv::inline v0::cli {
namespace {

using namespace linalg;

template <class T>
constexpr compute_type precision_of = sizeof(T) == 4 ? compute_type::fp32 : compute_type::fp64;

template <class T>
std::string described(const std::string& name, const host_matrix<T>& m) {
  return name + " is " + std::to_string(m.rows()) + 'x' + std::to_string(m.cols()) + " in " +
         std::string{to_string(precision_of<T>)};
}

/// rows * cols elements of T in bytes; the error of a size that overflows names the matrix.
template <class T>
std::uint64_t matrix_bytes(std::int64_t rows, std::int64_t cols, const char* name) {
  const std::string what = "matmul: elements of " + std::string{name};
  return checked_bytes<T>(static_cast<std::size_t>(checked_multiply(rows, cols, what)), what);
}

/// Whether the product is verified on a GPU, and on which.
std::optional<device_choice> verifying_gpu(const matmul_request& request, const product_info& product) {
  if (request.verify == verify_method::none || request.verify_on == verify_place::cpu) return std::nullopt;
  if (product.on_gpu) return device_choice::gpu(product.uuid);
  if (request.verify_on == verify_place::automatic) return std::nullopt;
  return request.device.demands_gpu() ? request.device : device_choice::any_gpu();
}

/// A GPU that was asked to verify and cannot, for want of memory too, is an error.
template <class T>
verification verify_product(const matmul_request& request, const host_matrix<T>& a, const host_matrix<T>& b,
                            const host_matrix<T>& c, const product_info& product) {
  const verify_options options{.method = request.verify, .seed = request.seed};
  if (const auto gpu = verifying_gpu(request, product)) {
#if GPUENV_HAS_CUDA
    const cuda::stream stream{cuda::device_ref::from(*gpu)};
    const auto device_a = upload(a, stream);
    const auto device_b = upload(b, stream);
    const auto device_c = upload(c, stream);
    return verify(device_problem<T>{.a = device_a.view(), .b = device_b.view()}, device_c.view(), stream, options);
#else
    throw error{errc::no_device, "matmul: --verify-on gpu, but this gpuenv was built without CUDA",
                "leave --verify-on out, or build with -DGPUENV_CUDA=ON"};
#endif
  }
  return verify(problem<T>{.a = a.view(), .b = b.view()}, c.view(), options);
}

/// Loading cuBLAS and making its handle takes longer, 150 ms on an H200, than it saves on products up to this many
/// floating-point operations; gpuenv's own kernel is there at once. A process that ends after one product has no later
/// ones to gain.
constexpr double most_operations_without_library = 1e11;

bool is_better_without_library(const matmul_request& request, std::int64_t m, std::int64_t n, std::int64_t k) {
  const double operations = 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
  if (request.route != product_route::automatic || operations * request.repeat > most_operations_without_library) {
    return false;
  }
#if GPUENV_HAS_CUDA
  return request.device.what() != device_choice::kind::cpu && cuda::availability().ready();
#else
  return false;
#endif
}

/// Writes the output file if the product is verified or nobody asked for that. Its place was checked before the work,
/// so that a failure now is no bad usage.
template <class T>
exit_code conclude(matmul_outcome& outcome, const host_matrix<T>& c) {
  const auto& output = outcome.request.output;
  if (!outcome.verified.passed()) {
    const std::string& problem = outcome.verified.problem;
    complain("matmul", problem.empty() ? "the product failed its verification" : "the product could not be verified",
             output ? "'" + output->string() + "' was not written" : "");
    return exit_check_failed;
  }
  if (!output) return exit_done;
  try {
    write_npy(*output, c.view());
  } catch (const error& failure) {
    complain(failure);
    return exit_own_failure;
  }
  outcome.written = true;
  return exit_done;
}

template <class T>
exit_code multiply(const matmul_request& request, const host_matrix<T>& a, const host_matrix<T>& b) {
  matmul_outcome outcome{.request = request};
  host_matrix<T> c{a.rows(), b.cols()};
  const bool without_library = is_better_without_library(request, a.rows(), b.cols(), a.cols());
  outcome.product = matmul(a.view(), b.view(), c.view(),
                           {.device = request.device,
                            .route = without_library ? product_route::tiled : request.route,
                            .repeat = request.repeat});
  if (without_library && outcome.product.plan.route == product_route::tiled) {
    outcome.product.notes.emplace_back("own kernel: at this size loading cuBLAS takes longer than it saves");
  }
  outcome.verified = verify_product(request, a, b, c, outcome.product);
  const exit_code code = conclude(outcome, c);
  print(request.json ? json_report(outcome) : text_report(outcome));
  return code;
}

template <class T>
exit_code multiply_random(const matmul_request& request) {
  const std::uint64_t a_bytes = matrix_bytes<T>(request.m, request.k, "A (M * K)");
  const std::uint64_t b_bytes = matrix_bytes<T>(request.k, request.n, "B (K * N)");
  const std::uint64_t c_bytes = matrix_bytes<T>(request.m, request.n, "C (M * N)");
  require_memory(checked_add(checked_add(a_bytes, b_bytes, "matmul: bytes"), c_bytes, "matmul: bytes"), "A, B and C");
  const auto a = random_matrix<T>(request.m, request.k, {request.distribution, request.seed, 0});
  const auto b = random_matrix<T>(request.k, request.n, {request.distribution, request.seed, 1});
  return multiply(request, a, b);
}

template <class T>
exit_code multiply_files(const matmul_request& request, const host_matrix<T>& a, const host_matrix<T>& b) {
  const std::string a_is = described(request.input[0].string(), a);
  const std::string b_is = described(request.input[1].string(), b);
  if (request.precision && *request.precision != precision_of<T>) {
    throw error{errc::invalid_argument,
                "matmul: --precision " + std::string{to_string(*request.precision)} + ", but " + a_is + ", " + b_is,
                "leave --precision out, or convert the files with NumPy: np.save(file, a.astype('<f" +
                    std::string{*request.precision == compute_type::fp32 ? "4" : "8"} + "'))"};
  }
  if (a.cols() != b.rows()) {
    throw error{errc::shape_mismatch, "matmul: " + a_is + ", " + b_is,
                "the first must have as many columns as the second has rows"};
  }
  require_memory(matrix_bytes<T>(a.rows(), b.cols(), "C"), "the elements of C");
  return multiply(request, a, b);
}

exit_code multiply_input(const matmul_request& request) {
  const npy_matrix a = read_npy(request.input[0]);
  const npy_matrix b = read_npy(request.input[1]);
  const auto judge_types = [&]<class L, class R>(const L& left, const R& right) -> exit_code {
    if constexpr (std::is_same_v<L, R>) return multiply_files(request, left, right);
    throw error{
        errc::invalid_argument,
        "matmul: " + described(request.input[0].string(), left) + ", " + described(request.input[1].string(), right),
        "convert one of them with NumPy: np.save(file, a.astype('<f8'))"};
  };
  return std::visit(judge_types, a, b);
}

}  // namespace

exit_code run_matmul(const matmul_request& request) {
  if (!request.input.empty()) return multiply_input(request);
  return request.precision == compute_type::fp64 ? multiply_random<double>(request) : multiply_random<float>(request);
}

}  // namespace gpuenv::inline v0::cli
