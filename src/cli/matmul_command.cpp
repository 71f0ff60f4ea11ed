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

/// Verifies where the product ran: on the GPU that computed it, else on the CPU. A GPU without the memory for that is
/// an error.
template <class T>
verification verify_there(const host_matrix<T>& a, const host_matrix<T>& b, const host_matrix<T>& c,
                          const product_info& product, const verify_options& options) {
#if GPUENV_HAS_CUDA
  if (product.on_gpu && options.method != verify_method::none) {
    const cuda::stream stream{cuda::device_ref{product.uuid}};
    const auto device_a = upload(a, stream);
    const auto device_b = upload(b, stream);
    const auto device_c = upload(c, stream);
    return verify(device_problem<T>{.a = device_a.view(), .b = device_b.view()}, device_c.view(), stream, options);
  }
#endif
  static_cast<void>(product);
  return verify(problem<T>{.a = a.view(), .b = b.view()}, c.view(), options);
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
  outcome.product = matmul(a.view(), b.view(), c.view(), {.device = request.device, .repeat = request.repeat});
  outcome.verified = verify_there(a, b, c, outcome.product, {.method = request.verify, .seed = request.seed});
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
