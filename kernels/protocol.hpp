// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "kernels/runner.hpp"
#include "kernels/telemetry.hpp"

namespace palstudy {

/// How long and how often a kernel is run. All times in seconds.
struct Protocol {
  std::size_t repeats = 3;  ///< of each kernel, other kernels between
  double batch_s = 0.1;     ///< what a batch is made to last, by its number of launches
  double window_s = 2.5;    ///< of the warm-up, whose windows are compared
  double warm_up_least_s = 5;
  double warm_up_most_s = 15;
  double steady_change = 0.001;  ///< of the median batch from one window to the next
  double steady_temp_c = 1;      ///< change of the temperature over a window
  std::size_t batches_least = 50;
  double repeat_least_s = 10;     ///< timed part of a repeat
  double repeat_most_s = 12;      ///< where a single launch lasts long, fewer batches do; never fewer than 10
  double unstable_change = 0.01;  ///< between medians of repeats
};

/// The default set stays under 8 minutes on a GPU and under 5 on a CPU core.
[[nodiscard]] Protocol default_protocol(Backend backend);

/// The most seconds that measuring so many kernels takes, but for filling and checking arrays.
[[nodiscard]] double estimate_s(const Protocol& protocol, std::size_t kernels);

/// The order of the kernels in a repeat: random, so that drift does not always meet the same kernel, and a function of
/// (seed, repeat), so that all ranks keep step. Positions in the list of kernels.
[[nodiscard]] std::vector<std::size_t> kernel_order(std::size_t kernels, std::size_t repeat, std::uint64_t seed);

/// Reasons to distrust a repeat; a sum of them is stored.
enum RepeatFlag : std::uint32_t {
  not_steady = 1,  ///< the warm-up ended by its time limit
  contended = 2,   ///< another process was seen on the device, or batch times tell of one: see shared_batches
  starved = 4,     ///< the device waited for the host: more than 1 % between the batches
  throttled = 8,   ///< see throttle_reasons, in more than one sample of ten
  unstable = 16,   ///< its median is off those of the other repeats
  wrong = 32,      ///< the result is not that of float64
};
/// "not-steady, throttled"; "none".
[[nodiscard]] std::string flag_names(std::uint32_t flags);

/// One kernel measured once, every batch of it.
struct Repeat {
  std::size_t launches = 0;  ///< of a batch
  double warm_up_s = 0;
  std::uint64_t start_ns = 0;  ///< since 1970, of the first timed batch
  double host_s = 0;           ///< of the timed part, by the host's clock
  std::vector<float> batch_ms;
  std::vector<TelemetrySample> telemetry;
  std::size_t other_processes = 0;  ///< the most seen on the device meanwhile
  std::uint32_t flags = 0;
};

/// What takes turns with another takes twice as long; heat and power limits do less within a measurement.
inline constexpr double shared_ratio = 1.5;
/// Whether batch times tell of another process on the device: one in ten took 5 % longer than the median, or one in
/// twenty `shared_ratio` times as long as the fastest do. The latter also sees one that came or went early, where most
/// batches are slow. `clock_moved`: the device's clock did by 5 % meanwhile, and only the latter counts.
[[nodiscard]] bool shared_batches(std::span<const float> batch_ms, bool clock_moved);
/// Which repeats of a kernel took `shared_ratio` times as long as the fastest of them: another process came between
/// two.
[[nodiscard]] std::vector<bool> shared_repeats(const std::vector<double>& medians);

/// Launches per batch such that a batch lasts batch_s; at least 1. The first launch is not timed.
[[nodiscard]] std::size_t calibrate(BatchSource& source, double batch_s);

/// Warm-up with the kernel itself until it is steady, then the timed batches. `telemetry_hz` 0: no thread.
[[nodiscard]] Repeat measure_repeat(BatchSource& source, const Protocol& protocol, TelemetrySource& telemetry,
                                    double telemetry_hz = 10);

/// Which repeats are off the median of all by more than the protocol allows and five times what batches scatter.
/// Both of a launch; `scatter`: the MAD of each repeat.
[[nodiscard]] std::vector<bool> unstable_repeats(const std::vector<double>& medians, const std::vector<double>& scatter,
                                                 const Protocol& protocol);

/// What is reported of a repeat's batches, beside the batches themselves.
struct BatchSummary {
  std::size_t count = 0;
  double least = 0, p05 = 0, median = 0, mean = 0, p95 = 0, most = 0;  ///< ms
  double deviation = 0;                                                ///< standard deviation, ms
  double mad = 0;          ///< median of the absolute deviations from the median, ms
  double correlation = 0;  ///< of successive batches
  double slow_share = 0;   ///< of batches over 1.05 medians
};
/// Of at least one batch.
[[nodiscard]] BatchSummary summarize(std::span<const float> batch_ms);

}  // namespace palstudy
