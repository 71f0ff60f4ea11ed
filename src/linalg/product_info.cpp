// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include <gpuenv/linalg/product_info.hpp>

#include <algorithm>
#include <iomanip>
#include <ostream>
#include <sstream>

namespace gpuenv::inline v0::linalg {
namespace {

/// Three significant digits with the unit that fits: "65.3 us".
std::string time_text(double seconds) {
  std::ostringstream out;
  out << std::setprecision(3);
  if (seconds < 1e-3) {
    out << seconds * 1e6 << " us";
  } else if (seconds < 1) {
    out << seconds * 1e3 << " ms";
  } else {
    out << seconds << " s";
  }
  return out.str();
}

std::string rate_text(double teraflops) {
  std::ostringstream out;
  out << std::setprecision(3);
  if (teraflops < 1) {
    out << teraflops * 1e3 << " GFLOP/s";
  } else {
    out << teraflops << " TFLOP/s";
  }
  return out.str();
}

}  // namespace

std::string_view to_string(compute_type type) noexcept { return type == compute_type::fp32 ? "fp32" : "fp64"; }

std::string_view to_string(product_route route) noexcept {
  switch (route) {
    case product_route::automatic: return "automatic";
    case product_route::nothing: return "nothing";
    case product_route::scaling: return "scaling";
    case product_route::eigen: return "eigen";
    case product_route::openblas: return "openblas";
    case product_route::cublas: return "cublas";
    case product_route::tiled: return "tiled";
  }
  return "unknown";
}

std::string to_string(const product_plan& plan) {
  std::ostringstream out;
  out << to_string(plan.route) << ' ' << to_string(plan.compute) << ' ' << plan.m << 'x' << plan.n << 'x' << plan.k;
  if (plan.route == product_route::cublas) {
    out << (plan.as_transpose ? ", as C^T = B^T A^T" : ", as C = A B") << ", " << (plan.transpose_left ? 'T' : 'N')
        << ' ' << (plan.transpose_right ? 'T' : 'N');
  }
  return out.str();
}

double product_info::median_seconds() const {
  if (seconds.empty()) return 0;
  std::vector<double> sorted{seconds.begin() + (seconds.size() > 1 ? 1 : 0), seconds.end()};
  std::sort(sorted.begin(), sorted.end());
  const std::size_t middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

double product_info::teraflops() const {
  const double time = median_seconds();
  if (time <= 0) return 0;
  return 2.0 * static_cast<double>(plan.m) * static_cast<double>(plan.n) * static_cast<double>(plan.k) / time * 1e-12;
}

std::ostream& operator<<(std::ostream& out, const product_info& info) {
  out << "product  C " << info.plan.m << 'x' << info.plan.n << " = A " << info.plan.m << 'x' << info.plan.k << " * B "
      << info.plan.k << 'x' << info.plan.n << ", " << to_string(info.plan.compute) << '\n';
  out << "device   " << info.device;
  if (!info.uuid.empty()) out << "  " << info.uuid;
  out << "\nplan     " << to_string(info.plan);
  if (!info.library.empty()) out << "  (" << info.library << ')';
  if (!info.seconds.empty()) {
    out << "\ntime     " << time_text(info.median_seconds());
    if (info.seconds.size() > 1) {
      out << "  (median of " << info.seconds.size() - 1 << "; first, cold: " << time_text(info.seconds.front()) << ')';
    } else {
      out << "  (one run, cold)";
    }
    if (info.plan.k != 0) out << "\nrate     " << rate_text(info.teraflops());
  }
  out << "\ntotal    " << time_text(info.total_seconds) << "  (set-up and transfers included)";
  for (const std::string& note : info.notes) out << "\nnote     " << note;
  return out;
}

}  // namespace gpuenv::inline v0::linalg
