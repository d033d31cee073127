// SPDX-License-Identifier: MIT
// The few functions of NVML that we call, by the prototypes of its published API reference: the header is not in every
// toolkit, and a program linked with the library does not start where there is no driver.
#include <dlfcn.h>

#include <utility>

#include "kernels/telemetry.hpp"

namespace palstudy {
namespace {

using Device = struct nvmlDevice_st*;
using Result = int;  // 0 is success
constexpr unsigned sm_clock = 1, memory_clock = 2, core_temperature = 0;

struct CloseLibrary {
  void operator()(void* library) const { dlclose(library); }
};
using Library = std::unique_ptr<void, CloseLibrary>;

template <class Function>
void load(const Library& library, Function*& function, const char* name) {
  function = reinterpret_cast<Function*>(dlsym(library.get(), name));
}

struct Functions {
  Result (*init)();
  Result (*shutdown)();
  Result (*by_pci_bus_id)(const char*, Device*);
  Result (*clock)(Device, unsigned, unsigned*);
  Result (*power)(Device, unsigned*);
  Result (*temperature)(Device, unsigned, unsigned*);
  Result (*energy)(Device, unsigned long long*);
  Result (*reasons)(Device, unsigned long long*);

  explicit Functions(const Library& library) {
    load(library, init, "nvmlInit_v2");
    load(library, shutdown, "nvmlShutdown");
    load(library, by_pci_bus_id, "nvmlDeviceGetHandleByPciBusId_v2");
    load(library, clock, "nvmlDeviceGetClockInfo");
    load(library, power, "nvmlDeviceGetPowerUsage");
    load(library, temperature, "nvmlDeviceGetTemperature");
    load(library, energy, "nvmlDeviceGetTotalEnergyConsumption");
    load(library, reasons, "nvmlDeviceGetCurrentClocksEventReasons");
    // Its name before 2023.
    if (reasons == nullptr) load(library, reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
  }
};

class Nvml : public TelemetrySource {
 public:
  Nvml(Library library, const Functions& call, Device device)
      : library_(std::move(library)), call_(call), device_(device) {}
  ~Nvml() override { call_.shutdown(); }

  [[nodiscard]] TelemetrySample sample() override {
    TelemetrySample sample;
    sample.t_ns = now_ns();
    unsigned value = 0;
    if (call_.clock != nullptr) {
      if (call_.clock(device_, sm_clock, &value) == 0) sample.sm_mhz = value;
      if (call_.clock(device_, memory_clock, &value) == 0) sample.mem_mhz = value;
    }
    if (call_.power != nullptr && call_.power(device_, &value) == 0) sample.power_mw = value;
    if (call_.temperature != nullptr && call_.temperature(device_, core_temperature, &value) == 0) {
      sample.temp_c = value;
    }
    unsigned long long wide = 0;
    if (call_.energy != nullptr && call_.energy(device_, &wide) == 0) sample.energy_mj = static_cast<double>(wide);
    if (call_.reasons != nullptr && call_.reasons(device_, &wide) == 0) sample.reasons = wide;
    return sample;
  }

 private:
  Library library_;
  Functions call_;
  Device device_;
};

}  // namespace

NvmlResult open_nvml(const std::string& pci_bus_id, const std::string& name) {
  Library library(dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (library == nullptr) return {nullptr, dlerror()};
  const Functions call(library);
  if (call.init == nullptr || call.shutdown == nullptr || call.by_pci_bus_id == nullptr) {
    return {nullptr, name + " is not NVML"};
  }
  if (const Result result = call.init(); result != 0) {
    return {nullptr, "nvmlInit failed with code " + std::to_string(result)};
  }
  Device device = nullptr;
  if (const Result result = call.by_pci_bus_id(pci_bus_id.c_str(), &device); result != 0) {
    call.shutdown();
    return {nullptr, "NVML does not know the GPU at " + pci_bus_id + " (code " + std::to_string(result) + ")"};
  }
  return {std::make_unique<Nvml>(std::move(library), call, device), ""};
}

}  // namespace palstudy
