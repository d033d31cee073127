// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"

namespace palstudy {

/// Where batches come from; the protocol knows no more of a kernel.
class BatchSource {
 public:
  BatchSource() = default;
  BatchSource(const BatchSource&) = delete;
  BatchSource& operator=(const BatchSource&) = delete;
  virtual ~BatchSource() = default;
  /// Runs `count` batches of `launches` launches, one after the other without a pause, and returns the seconds of each
  /// by the device's clock.
  virtual std::vector<double> batches(std::size_t count, std::size_t launches) = 0;
};

/// A kernel with its arrays on a device, ready to be launched.
class Runner : public BatchSource {
 public:
  /// Poisons the outputs, launches once and compares with float64.
  [[nodiscard]] virtual Verdict check() = 0;
};

/// What a batch on the host is timed with: the time that passed, or the time that the calling thread had a core, which
/// does not count what other programs took. A kernel of several threads wants the former.
enum class HostClock { wall, cpu };

struct RunnerOptions {
  std::uint64_t seed = 1;
  int device = 0;  ///< CUDA's number of the GPU, among the visible ones
  double injected_factor =
      1.0;  ///< host only: each batch is made to take so many times as long, as a slow device would
  HostClock clock = HostClock::wall;
};

/// Errors (usage): CUDA where the build, the driver or the machine has none; a kernel that a backend has not; a size
/// that does not fit the memory.
[[nodiscard]] std::unique_ptr<Runner> make_runner(Backend backend, const KernelEntry& kernel, const ParamValues& params,
                                                  const RunnerOptions& options = {});
/// make_runner, or what a test puts in its place.
using MakeRunner =
    std::function<std::unique_ptr<Runner>(Backend, const KernelEntry&, const ParamValues&, const RunnerOptions&)>;

/// What is known of a device without NVML; of the host, its processor.
struct DeviceInfo {
  std::string name, uuid, pci_bus_id;
  std::string driver, runtime;  ///< versions, "" on the host
  double memory_bytes = 0;
  int multiprocessors = 0;
};

/// The number of GPUs that this process sees: 0 without a driver, without a GPU, and in a build without CUDA.
[[nodiscard]] int cuda_devices();
[[nodiscard]] DeviceInfo device_info(Backend backend, int device);
/// Whether this build can run a kernel on a backend.
[[nodiscard]] bool has_kernel(Backend backend, const KernelEntry& kernel);

}  // namespace palstudy
