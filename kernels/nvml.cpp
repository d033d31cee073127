// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <utility>

#include "kernels/nvml_device.hpp"
#include "kernels/nvml_processes.hpp"
#include "kernels/telemetry.hpp"

namespace palstudy {
namespace {

using Device = NvmlDevice::Handle;
using Result = NvmlDevice::Result;
constexpr unsigned core_temperature = 0;

class Nvml : public TelemetrySource {
 public:
  Nvml(std::unique_ptr<NvmlDevice> nvml, ProcessWatch watch)
      : nvml_(std::move(nvml)),
        watch_(std::move(watch)),
        clock_(nvml_->function<Result(Device, unsigned, unsigned*)>("nvmlDeviceGetClockInfo")),
        power_(nvml_->function<Result(Device, unsigned*)>("nvmlDeviceGetPowerUsage")),
        temperature_(nvml_->function<Result(Device, unsigned, unsigned*)>("nvmlDeviceGetTemperature")),
        energy_(nvml_->function<Result(Device, unsigned long long*)>("nvmlDeviceGetTotalEnergyConsumption")),
        reasons_(nvml_->function<Result(Device, unsigned long long*)>("nvmlDeviceGetCurrentClocksEventReasons")) {
    if (watch_.own.empty()) watch_.own.push_back(static_cast<unsigned>(getpid()));
    // Its name before 2023.
    if (reasons_ == nullptr) {
      reasons_ = nvml_->function<Result(Device, unsigned long long*)>("nvmlDeviceGetCurrentClocksThrottleReasons");
    }
  }

  [[nodiscard]] TelemetrySample sample() override {
    TelemetrySample sample;
    sample.t_ns = now_ns();
    const Device device = nvml_->handle();
    unsigned value = 0;
    if (clock_ != nullptr) {
      if (clock_(device, NvmlDevice::sm_clock, &value) == 0) sample.sm_mhz = value;
      if (clock_(device, NvmlDevice::memory_clock, &value) == 0) sample.mem_mhz = value;
    }
    if (power_ != nullptr && power_(device, &value) == 0) sample.power_mw = value;
    if (temperature_ != nullptr && temperature_(device, core_temperature, &value) == 0) sample.temp_c = value;
    unsigned long long wide = 0;
    if (energy_ != nullptr && energy_(device, &wide) == 0) sample.energy_mj = static_cast<double>(wide);
    if (reasons_ != nullptr && reasons_(device, &wide) == 0) sample.reasons = wide;
    look_for_others(sample);
    return sample;
  }

 private:
  void look_for_others(TelemetrySample& sample) {
    if (static_cast<double>(sample.t_ns - looked_ns_) * 1e-9 >= watch_.every_s) {
      looked_ns_ = sample.t_ns;
      const auto computing = computing_processes(*nvml_);
      others_ = computing ? other_processes(*computing, watch_.own) : 0;
    }
    sample.other_processes = others_;
  }

  std::unique_ptr<NvmlDevice> nvml_;
  ProcessWatch watch_;
  std::uint64_t looked_ns_ = 0;
  std::size_t others_ = 0;
  Result (*clock_)(Device, unsigned, unsigned*);
  Result (*power_)(Device, unsigned*);
  Result (*temperature_)(Device, unsigned, unsigned*);
  Result (*energy_)(Device, unsigned long long*);
  Result (*reasons_)(Device, unsigned long long*);
};

}  // namespace

NvmlResult open_nvml(const std::string& pci_bus_id, const std::string& library, const ProcessWatch& watch) {
  NvmlResult result;
  auto device = NvmlDevice::open(pci_bus_id, library, result.problem);
  if (device) result.source = std::make_unique<Nvml>(std::move(device), watch);
  return result;
}

}  // namespace palstudy
