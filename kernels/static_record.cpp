// SPDX-License-Identifier: MIT
#include "kernels/static_record.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>

#include "kernels/nvml_device.hpp"
#include "kernels/nvml_processes.hpp"

namespace palstudy {
namespace {

using Device = NvmlDevice::Handle;
using Result = NvmlDevice::Result;

struct Utilization {
  unsigned gpu, memory;  // per cent
};

std::string text(const NvmlDevice& nvml, const char* name) {
  std::array<char, 96> value{};
  auto* call = nvml.function<Result(Device, char*, unsigned)>(name);
  if (call == nullptr || call(nvml.handle(), value.data(), value.size()) != 0) return "";
  return value.data();
}

/// Of a function with one number, or the first of two.
std::string on_or_off(const NvmlDevice& nvml, const char* name, bool has_pending) {
  unsigned now = 0, pending = 0;
  Result result = 1;
  if (has_pending) {
    auto* call = nvml.function<Result(Device, unsigned*, unsigned*)>(name);
    if (call != nullptr) result = call(nvml.handle(), &now, &pending);
  } else {
    auto* call = nvml.function<Result(Device, unsigned*)>(name);
    if (call != nullptr) result = call(nvml.handle(), &now);
  }
  return result != 0 ? "" : now != 0 ? "on" : "off";
}

double watts(const NvmlDevice& nvml, const char* name) {
  unsigned milliwatts = 0;
  auto* call = nvml.function<Result(Device, unsigned*)>(name);
  if (call == nullptr || call(nvml.handle(), &milliwatts) != 0) return std::numeric_limits<double>::quiet_NaN();
  return milliwatts / 1e3;
}

double max_clock(const NvmlDevice& nvml, unsigned type) {
  unsigned mhz = 0;
  auto* call = nvml.function<Result(Device, unsigned, unsigned*)>("nvmlDeviceGetMaxClockInfo");
  if (call == nullptr || call(nvml.handle(), type, &mhz) != 0) return std::numeric_limits<double>::quiet_NaN();
  return mhz;
}

std::string driver_version(const NvmlDevice& nvml) {
  std::array<char, 96> value{};
  auto* call = nvml.function<Result(char*, unsigned)>("nvmlSystemGetDriverVersion");
  return call != nullptr && call(value.data(), value.size()) == 0 ? value.data() : "";
}

void look_for_others(const NvmlDevice& nvml, StaticRecord& record) {
  auto others = computing_processes(nvml).value_or(std::vector<unsigned>());
  std::erase(others, static_cast<unsigned>(getpid()));
  if (!others.empty()) {
    record.remarks.push_back(std::to_string(others.size()) + " other process(es) on it before the measurement");
    record.in_use = true;
  }
  Utilization use{};
  auto* call = nvml.function<Result(Device, Utilization*)>("nvmlDeviceGetUtilizationRates");
  // In a container the processes of others are hidden; their work is not.
  if (call != nullptr && call(nvml.handle(), &use) == 0 && use.gpu > 1) {
    record.remarks.push_back(std::to_string(use.gpu) + " % utilised before the measurement");
    record.in_use = true;
  }
}

void look_for_repairs(const NvmlDevice& nvml, StaticRecord& record) {
  unsigned pending = 0;
  auto* pages = nvml.function<Result(Device, unsigned*)>("nvmlDeviceGetRetiredPagesPendingStatus");
  if (pages != nullptr && pages(nvml.handle(), &pending) == 0 && pending != 0) {
    record.remarks.emplace_back("pages of its memory wait for a reset to be retired");
  }
  unsigned corrected = 0, uncorrected = 0, waiting = 0, failed = 0;
  auto* rows = nvml.function<Result(Device, unsigned*, unsigned*, unsigned*, unsigned*)>("nvmlDeviceGetRemappedRows");
  if (rows == nullptr || rows(nvml.handle(), &corrected, &uncorrected, &waiting, &failed) != 0) return;
  if (waiting != 0) record.remarks.emplace_back("rows of its memory wait for a reset to be remapped");
  if (failed != 0) record.remarks.emplace_back("a row of its memory could not be remapped");
}

/// "00000000:0F:00.0" of NVML and CUDA is "0000:0f:00.0" in /sys.
int numa_node_of(std::string pci_bus_id) {
  std::transform(pci_bus_id.begin(), pci_bus_id.end(), pci_bus_id.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto colon = pci_bus_id.find(':');
  if (colon != std::string::npos && colon > 4) pci_bus_id.erase(0, colon - 4);
  std::ifstream file("/sys/bus/pci/devices/" + pci_bus_id + "/numa_node");
  int node = -1;
  return file >> node ? node : -1;
}

}  // namespace

StaticRecord read_static_record(const std::string& pci_bus_id, const std::string& library) {
  StaticRecord record;
  record.numa_node = numa_node_of(pci_bus_id);
  std::string problem;
  const auto nvml = NvmlDevice::open(pci_bus_id, library, problem);
  if (!nvml) {
    record.remarks.push_back("clocks, power, temperature and serial number are not known: " + problem);
    return record;
  }
  record.serial = text(*nvml, "nvmlDeviceGetSerial");
  record.board_part = text(*nvml, "nvmlDeviceGetBoardPartNumber");
  record.vbios = text(*nvml, "nvmlDeviceGetVbiosVersion");
  record.driver = driver_version(*nvml);
  record.ecc = on_or_off(*nvml, "nvmlDeviceGetEccMode", true);
  record.mig = on_or_off(*nvml, "nvmlDeviceGetMigMode", true);
  record.persistence = on_or_off(*nvml, "nvmlDeviceGetPersistenceMode", false);
  record.power_limit_w = watts(*nvml, "nvmlDeviceGetEnforcedPowerLimit");
  record.power_limit_default_w = watts(*nvml, "nvmlDeviceGetPowerManagementDefaultLimit");
  record.max_sm_mhz = max_clock(*nvml, NvmlDevice::sm_clock);
  record.max_mem_mhz = max_clock(*nvml, NvmlDevice::memory_clock);
  look_for_others(*nvml, record);
  look_for_repairs(*nvml, record);
  return record;
}

}  // namespace palstudy
