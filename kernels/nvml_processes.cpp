// SPDX-License-Identifier: MIT
#include "kernels/nvml_processes.hpp"

#include <algorithm>

namespace palstudy {
namespace {

/// What nvmlDeviceGetComputeRunningProcesses_v2 and _v3 fill.
struct Process {
  unsigned pid;
  unsigned long long memory_bytes;
  unsigned gpu_instance, compute_instance;
};
using List = NvmlDevice::Result(NvmlDevice::Handle, unsigned*, Process*);
constexpr NvmlDevice::Result too_small = 7;

}  // namespace

std::optional<std::vector<unsigned>> computing_processes(const NvmlDevice& nvml) {
  auto* list = nvml.function<List>("nvmlDeviceGetComputeRunningProcesses_v3");
  if (list == nullptr) list = nvml.function<List>("nvmlDeviceGetComputeRunningProcesses_v2");
  if (list == nullptr) return std::nullopt;
  std::vector<Process> processes(64);
  auto count = static_cast<unsigned>(processes.size());
  auto result = list(nvml.handle(), &count, processes.data());
  if (result == too_small) {
    count += 16;  // more may come meanwhile
    processes.resize(count);
    result = list(nvml.handle(), &count, processes.data());
  }
  if (result != 0) return std::nullopt;
  std::vector<unsigned> pids;
  for (std::size_t i = 0; i < std::min<std::size_t>(count, processes.size()); ++i) pids.push_back(processes[i].pid);
  return pids;
}

std::size_t other_processes(const std::vector<unsigned>& computing, const std::vector<unsigned>& own) {
  const auto others = static_cast<std::size_t>(std::count_if(computing.begin(), computing.end(), [&](unsigned pid) {
    return std::find(own.begin(), own.end(), pid) == own.end();
  }));
  if (others < computing.size()) return others;
  return others - std::min(others, own.size());
}

}  // namespace palstudy
