// SPDX-License-Identifier: MIT
#include "kernels/nvml_device.hpp"

namespace palstudy {

std::unique_ptr<NvmlDevice> NvmlDevice::open(const std::string& pci_bus_id, const std::string& name,
                                             std::string& problem) {
  void* library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    problem = dlerror();
    return nullptr;
  }
  std::unique_ptr<NvmlDevice> device(new NvmlDevice(library));
  auto* init = device->function<Result()>("nvmlInit_v2");
  auto* shutdown = device->function<Result()>("nvmlShutdown");
  auto* by_pci_bus_id = device->function<Result(const char*, Handle*)>("nvmlDeviceGetHandleByPciBusId_v2");
  if (init == nullptr || shutdown == nullptr || by_pci_bus_id == nullptr) {
    problem = name + " is not NVML";
    return nullptr;
  }
  if (const Result result = init(); result != 0) {
    problem = "nvmlInit failed with code " + std::to_string(result);
    return nullptr;
  }
  device->started_ = true;
  if (const Result result = by_pci_bus_id(pci_bus_id.c_str(), &device->handle_); result != 0) {
    problem = "NVML does not know the GPU at " + pci_bus_id + " (code " + std::to_string(result) + ")";
    return nullptr;
  }
  return device;
}

NvmlDevice::~NvmlDevice() {
  if (started_) function<Result()>("nvmlShutdown")();
  dlclose(library_);
}

}  // namespace palstudy
