// SPDX-License-Identifier: MIT
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace palstudy {

/// What NVML says of a GPU that does not change while it is measured; "" and NaN where it says nothing.
struct StaticRecord {
  std::string serial, board_part, vbios, driver;
  std::string ecc, persistence, mig;  ///< "on", "off"
  double power_limit_w = std::numeric_limits<double>::quiet_NaN();
  double power_limit_default_w = std::numeric_limits<double>::quiet_NaN();
  double max_sm_mhz = std::numeric_limits<double>::quiet_NaN();
  double max_mem_mhz = std::numeric_limits<double>::quiet_NaN();
  int numa_node = -1;                ///< from /sys
  std::vector<std::string> remarks;  ///< on its state before: other processes, memory repairs that wait for a reset
  bool in_use = false;               ///< by somebody else
};

/// Reads it of the GPU at a PCI bus id ("00000000:0F:00.0"); only reads. Without NVML a remark says why.
[[nodiscard]] StaticRecord read_static_record(const std::string& pci_bus_id,
                                              const std::string& library = "libnvidia-ml.so.1");

}  // namespace palstudy
