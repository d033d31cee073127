// SPDX-License-Identifier: MIT
#include "measure/device_benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"

namespace palstudy {
namespace {

constexpr double memory_share = 0.4;

ProfileTelemetry to_profile(const std::vector<TelemetrySample>& samples) {
  ProfileTelemetry telemetry;
  for (const TelemetrySample& sample : samples) {
    telemetry.t_ns.push_back(static_cast<std::int64_t>(sample.t_ns));
    telemetry.sm_mhz.push_back(sample.sm_mhz);
    telemetry.mem_mhz.push_back(sample.mem_mhz);
    telemetry.power_w.push_back(sample.power_mw * 1e-3);
    telemetry.temp_c.push_back(sample.temp_c);
    telemetry.energy_j.push_back(sample.energy_mj * 1e-3);
    telemetry.reasons.push_back(static_cast<std::int64_t>(sample.reasons));
  }
  return telemetry;
}

}  // namespace

double memory_of_rank(const MeasuredDevice& device, int ranks_on_host) {
  // The arrays of a kernel on a GPU lie in the host's memory too.
  const double host = device_info(Backend::host, 0).memory_bytes / std::max(1, ranks_on_host);
  return device.backend == Backend::cuda ? std::min(host, device.gpu.memory_bytes) : host;
}

void require_memory(const ChosenKernel& kernel, double memory_bytes) {
  const auto bytes = static_cast<double>(kernel.bytes);
  if (!(bytes > memory_bytes)) return;  // nothing is known of the memory where it is NaN
  throw usage_error(fmt::format("{} with {} needs {:.3g} GB, and a rank can have {:.3g} GB here", kernel.record.name,
                                kernel.record.params, 1e-9 * bytes, 1e-9 * memory_bytes),
                    "--param", "give it smaller sizes, or start fewer ranks on a host");
}

DeviceBenchmark::DeviceBenchmark(const MeasuredDevice& device, const std::vector<ChosenKernel>& kernels,
                                 const BenchmarkSettings& settings)
    : device_(device), kernels_(kernels), settings_(settings), ready_(kernels.size()) {
  if (device.backend == Backend::cuda)
    sensors_ = open_nvml(device.gpu.pci_bus_id, nvml_library, {.own = settings.processes}).source;
  has_sensors_ = sensors_ != nullptr;
  if (!has_sensors_) sensors_ = std::make_unique<NoTelemetry>();
  memory_bytes_ = memory_of_rank(device, settings.ranks_on_host);
}

void DeviceBenchmark::prepare(std::size_t kernel) {
  if (ready_.at(kernel)) return;
  require_memory(kernels_[kernel], memory_bytes_);
  auto held = static_cast<double>(kernels_[kernel].bytes);
  for (std::size_t k = 0; k < ready_.size(); ++k) {
    if (ready_[k]) held += static_cast<double>(kernels_[k].bytes);
  }
  if (held > memory_share * memory_bytes_) {
    for (auto& runner : ready_) runner.reset();
  }
  RunnerOptions options;
  options.seed = settings_.seed;
  options.device = device_.device;
  options.clock = HostClock::cpu;
  if (settings_.injected_factor) options.injected_factor = settings_.injected_factor(kernels_[kernel].record.name);
  ready_[kernel] = settings_.make_runner(device_.backend, *kernels_[kernel].entry, kernels_[kernel].params, options);
}

MeasuredRepeat DeviceBenchmark::measure(std::size_t kernel, std::size_t repeat) {
  Runner& runner = *ready_.at(kernel);
  const Repeat result =
      measure_repeat(runner, settings_.protocol, *sensors_, has_sensors_ ? settings_.telemetry_hz : 0);
  const Verdict verdict = runner.check();
  MeasuredRepeat measured;
  measured.gpu = device_.gpu;
  measured.kernel = kernels_[kernel].record;
  measured.remarks = device_.remarks;
  if (result.other_processes > 0) {
    measured.remarks += fmt::format("{} on {}: {} other process(es) on it while {} was measured\n", device_.gpu.uuid,
                                    device_.gpu.host, result.other_processes, kernels_[kernel].record.name);
  }
  ProfileRepeat& to = measured.repeat;
  to.repeat = static_cast<std::int32_t>(repeat);
  to.launches = static_cast<std::int64_t>(result.launches);
  to.warm_up_s = result.warm_up_s;
  to.host_s = result.host_s;
  to.start_ns = static_cast<std::int64_t>(result.start_ns);
  to.flags = result.flags | (verdict.passed() ? 0U : RepeatFlag::wrong) | (device_.in_use ? RepeatFlag::contended : 0U);
  to.check_error = verdict.error;
  to.batch_ms = result.batch_ms;
  if (has_sensors_) to.telemetry = to_profile(result.telemetry);
  return measured;
}

}  // namespace palstudy
