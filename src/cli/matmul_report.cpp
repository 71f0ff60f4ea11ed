// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "cli/matmul_report.hpp"

#include <gpuenv/base/version.hpp>

#include <nlohmann/json.hpp>

#include <sstream>

namespace gpuenv::inline v0::cli {
namespace {

using nlohmann::ordered_json;

std::string_view distribution_name(linalg::distribution values) noexcept {
  return values == linalg::distribution::normal ? "normal" : "uniform";
}

ordered_json text_or_null(const std::string& text) { return text.empty() ? ordered_json{} : ordered_json(text); }

ordered_json place_json(const linalg::element_place& place) {
  if (place.row < 0) return nullptr;
  return {{"row", place.row}, {"col", place.col < 0 ? ordered_json{} : ordered_json(place.col)}};
}

ordered_json verification_json(const linalg::verification& v) {
  return {
      {"passed", v.passed()},
      {"method", linalg::to_string(v.method)},
      {"on_gpu", v.on_gpu},
      {"m", v.m},
      {"n", v.n},
      {"k", v.k},
      {"checked", v.checked},
      {"within_bound", v.within_bound()},
      {"at_precision", v.at_precision()},
      {"non_finite_equal", v.non_finite_equal},
      {"non_finite_differs", v.non_finite_differs},
      {"overflow_possible", v.overflow_possible},
      {"beyond_bound", v.beyond_bound},
      {"beyond_precision", v.beyond_precision},
      {"worst_ratio", v.worst_ratio},
      {"worst", place_json(v.worst)},
      {"first_bad", place_json(v.first_bad)},
      {"rms_units", v.rms_units},
      {"rms_limit", v.rms_limit},
      {"relative_error", v.relative_error},
      {"sampled", v.sampled},
      {"rows_beyond", v.rows_beyond},
      {"detectable", v.detectable},
      {"relative_detectable", v.relative_detectable},
      {"miss_probability", v.miss_probability},
      {"seconds", v.seconds},
      {"problem", text_or_null(v.problem)},
  };
}

ordered_json inputs_json(const matmul_request& request) {
  if (!request.input.empty()) return {{"a", request.input[0].string()}, {"b", request.input[1].string()}};
  return {{"distribution", distribution_name(request.distribution)}, {"seed", request.seed}};
}

ordered_json device_json(const linalg::product_info& product) {
  return {{"kind", product.on_gpu ? "gpu" : "cpu"}, {"name", product.device}, {"uuid", text_or_null(product.uuid)}};
}

}  // namespace

std::string text_report(const matmul_outcome& outcome) {
  const matmul_request& request = outcome.request;
  std::ostringstream out;
  out << outcome.product << '\n';
  if (request.input.empty()) {
    out << "input    random, " << distribution_name(request.distribution) << ", seed " << request.seed << '\n';
  } else {
    out << "input    " << request.input[0].string() << ' ' << request.input[1].string() << '\n';
  }
  out << outcome.verified << '\n';
  if (outcome.written) out << "output   " << request.output->string() << '\n';
  return std::move(out).str();
}

std::string json_report(const matmul_outcome& outcome) {
  const linalg::product_info& product = outcome.product;
  const ordered_json report{
      {"command", "matmul"},
      {"version", version_string()},
      {"m", product.plan.m},
      {"n", product.plan.n},
      {"k", product.plan.k},
      {"precision", linalg::to_string(product.plan.compute)},
      {"inputs", inputs_json(outcome.request)},
      {"device", device_json(product)},
      {"route", linalg::to_string(product.plan.route)},
      {"plan", to_string(product.plan)},
      {"library", text_or_null(product.library)},
      {"seconds", product.seconds},
      {"median_seconds", product.median_seconds()},
      {"total_seconds", product.total_seconds},
      {"teraflops", product.teraflops()},
      {"verification", verification_json(outcome.verified)},
      {"notes", product.notes},
      {"output", outcome.written ? ordered_json(outcome.request.output->string()) : ordered_json{}},
  };
  return report.dump(2, ' ', false, ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace gpuenv::inline v0::cli
