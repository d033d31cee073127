// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/protocol.hpp"
#include "measure/devices.hpp"
#include "measure/options.hpp"
#include "shard/measured_frame.hpp"

namespace palstudy {

/// How a device is measured.
struct BenchmarkSettings {
  Protocol protocol;
  double telemetry_hz = 10;
  std::uint64_t seed = 1;
  int ranks_on_host = 1;                                                  ///< that share its memory
  std::function<double(const std::string& kernel)> injected_factor = {};  ///< host only; null: no slowdown is injected
  MakeRunner make_runner = palstudy::make_runner;
  std::vector<unsigned> processes = {};  ///< of the measurement on this host
};

/// Bytes that one of so many ranks of a host can have: its share of the host's memory, and no more than its GPU has.
[[nodiscard]] double memory_of_rank(const MeasuredDevice& device, int ranks_on_host);
/// Errors (usage): the arrays of a kernel are larger than that; names its parameters.
void require_memory(const ChosenKernel& kernel, double memory_bytes);

/// The device of one rank, with its sensors and the kernels that it holds ready. Kernels stay ready as long as all of
/// them together take less than 40 % of the memory of the device and of this rank's share of the host's.
class DeviceBenchmark {
 public:
  DeviceBenchmark(const MeasuredDevice& device, const std::vector<ChosenKernel>& kernels,
                  const BenchmarkSettings& settings);

  /// Makes a kernel ready, so that ranks can begin together afterwards. Errors (usage): it does not fit the memory, a
  /// library is not there.
  void prepare(std::size_t kernel);
  /// Gives back what a kernel holds.
  void drop(std::size_t kernel) { ready_.at(kernel).reset(); }
  /// Warm-up, timed batches, check. The kernel has been prepared.
  [[nodiscard]] MeasuredRepeat measure(std::size_t kernel, std::size_t repeat);

 private:
  const MeasuredDevice& device_;
  const std::vector<ChosenKernel>& kernels_;
  BenchmarkSettings settings_;
  std::unique_ptr<TelemetrySource> sensors_;
  bool has_sensors_ = false;
  std::vector<std::unique_ptr<Runner>> ready_;  // by kernel
  double memory_bytes_ = 0;
};

}  // namespace palstudy
