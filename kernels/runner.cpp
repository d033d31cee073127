// SPDX-License-Identifier: MIT
#include "kernels/runner.hpp"

#include <unistd.h>

#include <fstream>
#include <thread>

#include "kernels/cuda/cuda_backend.hpp"
#include "kernels/host_runner.hpp"

namespace palstudy {
namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "processor";
}

DeviceInfo host_info() {
  DeviceInfo info;
  info.name = processor_name();
  info.multiprocessors = static_cast<int>(std::thread::hardware_concurrency());
  info.memory_bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  return info;
}

}  // namespace

bool has_kernel(Backend backend, const KernelEntry& kernel) {
  return backend == Backend::host ? kernel.make.library.empty() : has_cuda_kernel(kernel.name);
}

std::unique_ptr<Runner> make_runner(Backend backend, const KernelEntry& kernel, const ParamValues& params,
                                    const RunnerOptions& options) {
  if (backend == Backend::cuda) return make_cuda_runner(kernel, params, options);
  if (!kernel.make.library.empty()) {
    throw usage_error("kernel " + kernel.name + " is " + kernel.make.library + "'s and has no twin for a CPU",
                      "--backend host", "take --backend cuda, or another kernel");
  }
  return std::make_unique<HostRunner>(kernel.make.make(params), options);
}

int cuda_devices() { return count_cuda_devices(); }

DeviceInfo device_info(Backend backend, int device) {
  return backend == Backend::host ? host_info() : cuda_device_info(device);
}

}  // namespace palstudy
