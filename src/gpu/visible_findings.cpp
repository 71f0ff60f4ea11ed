// SPDX-FileCopyrightText: The gpuenv authors
// SPDX-License-Identifier: Apache-2.0
#include "gpu/visible_findings.hpp"

#include <algorithm>
#include <utility>

namespace gpuenv::inline v0::gpu {
namespace {

std::string count(std::size_t number, std::string_view what) {
  return std::to_string(number) + ' ' + std::string{what} + (number == 1 ? "" : "s");
}

std::string name_of(const visible_device& device, std::span<const installed_gpu> gpus) {
  if (!device.gpu) return "a GPU that CUDA alone knows";
  const installed_gpu& gpu = gpus[*device.gpu];
  if (device.instance) return to_string(gpu.instances[*device.instance].id, "MIG-") + ", an instance of " + gpu.name;
  return to_string(gpu.id) + ", " + gpu.name;
}

/// What the process does not see, a line each.
std::vector<std::string> lost_lines(const visible_devices& result, std::span<const installed_gpu> gpus) {
  constexpr std::size_t most = 8;
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < std::min(result.lost.size(), most); ++i) {
    lines.push_back("not visible: " + name_of(result.lost[i], gpus));
  }
  if (result.lost.size() > most) lines.push_back("and " + std::to_string(result.lost.size() - most) + " more");
  return lines;
}

std::string correction(const visible_devices& result, std::string otherwise) {
  return result.corrected_mask ? "set CUDA_VISIBLE_DEVICES=" + *result.corrected_mask : std::move(otherwise);
}

/// True for the ways to hide all GPUs on purpose.
bool is_meant_to_hide(const env::device_mask& mask) {
  if (mask.entries().empty()) return true;
  const std::string_view first = mask.text(0);
  return first == "-1" || first == "NoDevFiles" || first == "none" || first == "void";
}

void say_cut(visible_devices& result, const env::device_mask& mask, std::span<const installed_gpu> gpus) {
  const mask_cut& cut = *result.cut;
  const env::mask_fault fault = mask.entries()[cut.entry].fault;
  const bool is_end = fault == env::mask_fault::empty || fault == env::mask_fault::negative;  // "0,1," and "0,1,-1"
  const bool is_harmless = result.lost.empty() && (result.devices.empty() ? is_meant_to_hide(mask) : is_end);
  const severity level = is_harmless ? severity::info : result.devices.empty() ? severity::error : severity::warning;
  std::string cause = "CUDA_VISIBLE_DEVICES: CUDA ends the list at " + mask.describe(cut.entry) + ", which " + cut.why;
  if (cut.hidden_entries > 0) cause += "; " + count(cut.hidden_entries, "entry behind it") + " not read";
  std::string otherwise =
      result.devices.empty() ? "unset the variable for all GPUs, or name GPUs by UUID" : "remove it";
  if (cut.why.starts_with("is out of range")) otherwise += "; inside a container GPUs are numbered from 0";
  result.findings.push_back(
      {"mask-cut", level, std::move(cause), lost_lines(result, gpus), correction(result, std::move(otherwise))});
}

void say_repeat(visible_devices& result, const env::device_mask& mask, std::span<const installed_gpu> gpus) {
  const mask_repeat& repeat = *result.repeat;
  result.findings.push_back({"mask-repeats-device", severity::error,
                             "CUDA_VISIBLE_DEVICES: " + mask.describe(repeat.second) + " names the device that " +
                                 mask.describe(repeat.first) + " names: cuInit fails with 101 (invalid device)",
                             lost_lines(result, gpus), correction(result, "name each GPU once")});
}

void say_unknown(visible_devices& result, severity level, const env::device_order& order,
                 std::span<const installed_gpu> gpus) {
  std::vector<std::string> models;
  for (const installed_gpu& gpu : gpus) {
    if (std::find(models.begin(), models.end(), gpu.name) == models.end()) models.push_back(gpu.name);
  }
  const std::string how = order.what == env::device_order::kind::unset ? "not set" : order.value;
  result.findings.push_back({"mask-order-unknown", level,
                             "which GPU is CUDA's device 0 is known to CUDA alone: CUDA_DEVICE_ORDER is " + how +
                                 " and the GPUs are of " + count(models.size(), "model"),
                             std::move(models), "set CUDA_DEVICE_ORDER=PCI_BUS_ID, or name GPUs by UUID"});
}

void say_one_mig_device(visible_devices& result, std::span<const installed_gpu> gpus) {
  std::vector<std::string> lines{"visible: " + name_of(result.devices[0], gpus)};
  for (std::string& line : lost_lines(result, gpus)) lines.push_back(std::move(line));
  result.findings.push_back({"mig-one-device", severity::warning,
                             "a process sees one MIG device, and then no other: so NVIDIA's guide says of the drivers "
                             "450 and 525; later ones may show more",
                             std::move(lines), "start a process for each MIG device, each with its own MIG UUID"});
}

}  // namespace

void add_findings(visible_devices& result, const env::device_mask& mask, const env::device_order& order,
                  std::span<const installed_gpu> gpus) {
  result.findings = order.findings();
  for (finding& f : mask.findings()) result.findings.push_back(std::move(f));
  if (gpus.empty()) return;
  if (result.cut) say_cut(result, mask, gpus);
  if (result.repeat) say_repeat(result, mask, gpus);
  const bool is_mig = result.basis == answer_basis::documented && result.devices.size() == 1 &&
                      (!result.devices[0].gpu || result.devices[0].instance);
  if (is_mig && (!result.lost.empty() || result.cut)) say_one_mig_device(result, gpus);
  if (!result.is_known()) say_unknown(result, mask.is_set() ? severity::warning : severity::info, order, gpus);
  if (mask.is_set() && mask.entries().empty()) {
    result.findings.push_back({"mask-hides-all",
                               severity::info,
                               "CUDA_VISIBLE_DEVICES is set to nothing, which hides every GPU",
                               {},
                               "unset it to see all"});
  }
  const bool is_range_alone = !result.cut && !result.repeat && result.corrected_mask;
  if (is_range_alone) {
    result.findings.push_back({"mask-loses-devices", severity::warning,
                               "CUDA_VISIBLE_DEVICES evidently names more devices than CUDA reads",
                               lost_lines(result, gpus), correction(result, {})});
  }
}

}  // namespace gpuenv::inline v0::gpu
