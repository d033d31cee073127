// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace palstudy {

/// What a device's sensors say at one instant; NaN where there is none.
struct TelemetrySample {
  std::uint64_t t_ns = 0;  ///< since 1970
  double sm_mhz = std::numeric_limits<double>::quiet_NaN();
  double mem_mhz = std::numeric_limits<double>::quiet_NaN();
  double power_mw = std::numeric_limits<double>::quiet_NaN();  ///< a mean over a window of the driver's, up to 1 s
  double temp_c = std::numeric_limits<double>::quiet_NaN();
  double energy_mj = std::numeric_limits<double>::quiet_NaN();  ///< since the driver was loaded
  std::uint64_t reasons = 0;                                    ///< NVML's mask of why clocks are not higher
  std::size_t other_processes = 0;                              ///< that compute on the device beside the measurement
};

/// Bits of TelemetrySample::reasons that say that the device was held back by more than its normal limits: slowed by
/// hardware, too hot for software or hardware, power brake (NVML API reference, nvmlClocksEventReasons).
inline constexpr std::uint64_t throttle_reasons = 0x8 | 0x20 | 0x40 | 0x80;

class TelemetrySource {
 public:
  TelemetrySource() = default;
  TelemetrySource(const TelemetrySource&) = delete;
  TelemetrySource& operator=(const TelemetrySource&) = delete;
  virtual ~TelemetrySource() = default;
  [[nodiscard]] virtual TelemetrySample sample() = 0;
};

/// Where there are no sensors: the time, and NaN.
class NoTelemetry : public TelemetrySource {
 public:
  [[nodiscard]] TelemetrySample sample() override;
};

inline constexpr const char* nvml_library = "libnvidia-ml.so.1";

/// NVML, opened at run time: the GPU at a PCI bus id ("00000000:0F:00.0"), never by number, since
/// CUDA_VISIBLE_DEVICES changes those. No setting is ever changed. Nothing, and why, if the library or the device is
/// not there.
struct NvmlResult {
  std::unique_ptr<TelemetrySource> source;
  std::string problem;
};
/// The processes of the measurement, this one alone where none is given; and the least time between two looks at the
/// list of all, which is dearer to the driver than a sensor.
struct ProcessWatch {
  std::vector<unsigned> own = {};
  double every_s = 1;
};
[[nodiscard]] NvmlResult open_nvml(const std::string& pci_bus_id, const std::string& library = nvml_library,
                                   const ProcessWatch& watch = {});

/// Takes samples in a thread of its own while it lives.
class TelemetryThread {
 public:
  TelemetryThread(TelemetrySource& source, double hz);
  ~TelemetryThread();
  TelemetryThread(const TelemetryThread&) = delete;
  TelemetryThread& operator=(const TelemetryThread&) = delete;

  /// Ends the thread and gives its samples; the first and the last are taken at the begin and the end.
  [[nodiscard]] std::vector<TelemetrySample> stop();

 private:
  void run(double hz);

  TelemetrySource& source_;
  std::vector<TelemetrySample> samples_;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool stopping_ = false;
  std::thread thread_;
};

/// Nanoseconds since 1970.
[[nodiscard]] std::uint64_t now_ns();

}  // namespace palstudy
