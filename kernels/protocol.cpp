// SPDX-License-Identifier: MIT
#include "kernels/protocol.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/random.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

/// Linear interpolation between order statistics of sorted values.
double quantile(std::span<const double> sorted, double q) {
  const double place = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return quantile(values, 0.5);
}

double sum_of(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

std::size_t count_for(double seconds, double batch_s) {
  return static_cast<std::size_t>(std::ceil(seconds / std::max(batch_s, 1e-9)));
}

/// A sensor that is not there does not hold the warm-up back.
bool steady_sensors(const TelemetrySample& before, const TelemetrySample& now, const Protocol& protocol) {
  return !(std::abs(now.temp_c - before.temp_c) > protocol.steady_temp_c);
}

struct WarmUp {
  double seconds = 0, batch_s = 0;
  double least_s = std::numeric_limits<double>::infinity();  // median batch of the fastest window
  bool steady = false;
};

WarmUp warm_up(BatchSource& source, const Protocol& protocol, std::size_t launches, TelemetrySource& telemetry) {
  WarmUp result;
  result.batch_s = source.batches(1, launches)[0];
  result.seconds = result.batch_s;
  TelemetrySample before = telemetry.sample();
  for (std::size_t window = 0; result.seconds < protocol.warm_up_most_s; ++window) {
    const auto times = source.batches(std::max<std::size_t>(3, count_for(protocol.window_s, result.batch_s)), launches);
    const double now = median(times), change = std::abs(now / result.batch_s - 1);
    const TelemetrySample sensors = telemetry.sample();
    const bool steady = window > 0 && change < protocol.steady_change && steady_sensors(before, sensors, protocol);
    result.seconds += sum_of(times);
    result.batch_s = now;
    result.least_s = std::min(result.least_s, now);
    before = sensors;
    if (steady && result.seconds >= protocol.warm_up_least_s) {
      result.steady = true;
      break;
    }
  }
  return result;
}

std::size_t timed_batches(const Protocol& protocol, double batch_s) {
  const std::size_t wanted = std::max(protocol.batches_least, count_for(protocol.repeat_least_s, batch_s));
  const auto fitting = static_cast<std::size_t>(protocol.repeat_most_s / std::max(batch_s, 1e-9));
  return std::min(wanted, std::max<std::size_t>(10, fitting));
}

bool is_throttled(const std::vector<TelemetrySample>& samples) {
  const auto held = std::count_if(samples.begin(), samples.end(),
                                  [](const TelemetrySample& s) { return (s.reasons & throttle_reasons) != 0; });
  return 10 * static_cast<std::size_t>(held) > samples.size();
}

// A GPU at its power limit lowers its clock for a second and raises it again: batches are slow without another process.
bool clock_moved(const std::vector<TelemetrySample>& samples) {
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const TelemetrySample& sample : samples) {
    if (std::isnan(sample.sm_mhz)) continue;
    least = std::min(least, sample.sm_mhz);
    most = std::max(most, sample.sm_mhz);
  }
  return most > 1.05 * least;
}

}  // namespace

Protocol default_protocol(Backend backend) {
  Protocol protocol;
  if (backend == Backend::host) {
    protocol.batch_s = 0.05;
    protocol.window_s = 0.5;
    protocol.warm_up_least_s = 1;
    protocol.warm_up_most_s = 4;
    protocol.steady_change = 0.005;
    protocol.repeat_least_s = 2.5;
    protocol.repeat_most_s = 5;
  }
  return protocol;
}

double estimate_s(const Protocol& protocol, std::size_t kernels) {
  const double timed = std::clamp(static_cast<double>(protocol.batches_least) * protocol.batch_s,
                                  protocol.repeat_least_s, protocol.repeat_most_s);
  return static_cast<double>(kernels * protocol.repeats) * (protocol.warm_up_most_s + timed);
}

std::vector<std::size_t> kernel_order(std::size_t kernels, std::size_t repeat, std::uint64_t seed) {
  std::vector<std::size_t> order(kernels);
  std::iota(order.begin(), order.end(), std::size_t{0});
  RandomStream stream(seed, Purpose::kernel_order, repeat);
  for (std::size_t i = kernels; i > 1; --i) std::swap(order[i - 1], order[stream.below(static_cast<std::uint32_t>(i))]);
  return order;
}

std::string flag_names(std::uint32_t flags) {
  static constexpr const char* names[] = {"not-steady", "contended", "starved", "throttled", "unstable", "wrong"};
  std::vector<std::string> set;
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if ((flags >> i & 1U) != 0) set.emplace_back(names[i]);
  }
  return set.empty() ? "none" : join(set);
}

std::size_t calibrate(BatchSource& source, double batch_s) {
  (void)source.batches(1, 1);
  std::size_t launches = 1;
  double seconds = source.batches(1, launches)[0];
  while (seconds < batch_s / 4) {
    // Toward the target, but not blindly: a first short time may be off by much.
    const double factor = std::clamp(batch_s / 2 / std::max(seconds, 1e-9), 2.0, 100.0);
    launches = static_cast<std::size_t>(static_cast<double>(launches) * factor);
    seconds = source.batches(1, launches)[0];
  }
  const double each = seconds / static_cast<double>(launches);
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(batch_s / each)));
}

Repeat measure_repeat(BatchSource& source, const Protocol& protocol, TelemetrySource& telemetry, double telemetry_hz) {
  Repeat repeat;
  repeat.launches = calibrate(source, protocol.batch_s);
  const WarmUp warm = warm_up(source, protocol, repeat.launches, telemetry);
  repeat.warm_up_s = warm.seconds;
  if (!warm.steady) repeat.flags |= not_steady;

  std::unique_ptr<TelemetryThread> thread;
  if (telemetry_hz > 0) thread = std::make_unique<TelemetryThread>(telemetry, telemetry_hz);
  repeat.start_ns = now_ns();
  const auto begin = std::chrono::steady_clock::now();
  const auto seconds = source.batches(timed_batches(protocol, warm.batch_s), repeat.launches);
  repeat.host_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (thread) repeat.telemetry = thread->stop();
  repeat.other_processes = telemetry.sample().other_processes;
  for (const TelemetrySample& sample : repeat.telemetry) {
    repeat.other_processes = std::max(repeat.other_processes, sample.other_processes);
  }

  for (const double s : seconds) repeat.batch_ms.push_back(static_cast<float>(s * 1e3));
  const bool slower = median(seconds) > shared_ratio * warm.least_s;
  const bool shared = shared_batches(repeat.batch_ms, clock_moved(repeat.telemetry));
  if (slower || shared || repeat.other_processes > 0) repeat.flags |= contended;
  if (repeat.host_s > 1.01 * sum_of(seconds)) repeat.flags |= starved;
  if (is_throttled(repeat.telemetry)) repeat.flags |= throttled;
  return repeat;
}

bool shared_batches(std::span<const float> batch_ms, bool clock_moved) {
  std::vector<float> sorted(batch_ms.begin(), batch_ms.end());
  std::sort(sorted.begin(), sorted.end());
  // Two fast ones by chance are no level.
  const float fast = sorted[std::min(std::max<std::size_t>(2, sorted.size() / 20), sorted.size() - 1)];
  const auto slow =
      sorted.end() - std::upper_bound(sorted.begin(), sorted.end(), static_cast<float>(shared_ratio) * fast);
  return 20 * slow > static_cast<std::ptrdiff_t>(sorted.size()) ||
         (!clock_moved && summarize(batch_ms).slow_share > 0.1);
}

std::vector<bool> shared_repeats(const std::vector<double>& medians) {
  const double least = medians.empty() ? 0 : *std::min_element(medians.begin(), medians.end());
  std::vector<bool> shared;
  for (const double m : medians) shared.push_back(m > shared_ratio * least);
  return shared;
}

std::vector<bool> unstable_repeats(const std::vector<double>& medians, const std::vector<double>& scatter,
                                   const Protocol& protocol) {
  const double middle = median(medians), allowed = std::max(protocol.unstable_change * middle, 5 * median(scatter));
  std::vector<bool> off;
  for (const double m : medians) off.push_back(std::abs(m - middle) > allowed);
  return off;
}

BatchSummary summarize(std::span<const float> batch_ms) {
  std::vector<double> values(batch_ms.begin(), batch_ms.end()), deviations;
  const auto n = static_cast<double>(values.size());
  BatchSummary summary;
  summary.count = values.size();
  summary.mean = sum_of(values) / n;
  double square = 0, successive = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    square += (values[i] - summary.mean) * (values[i] - summary.mean);
    if (i > 0) successive += (values[i] - summary.mean) * (values[i - 1] - summary.mean);
  }
  summary.deviation = values.size() > 1 ? std::sqrt(square / (n - 1)) : 0;
  summary.correlation = square > 0 ? successive / square : 0;
  std::sort(values.begin(), values.end());
  summary.least = values.front();
  summary.most = values.back();
  summary.p05 = quantile(values, 0.05);
  summary.median = quantile(values, 0.5);
  summary.p95 = quantile(values, 0.95);
  for (const double v : values) deviations.push_back(std::abs(v - summary.median));
  summary.mad = median(deviations);
  const auto slow = std::count_if(values.begin(), values.end(), [&](double v) { return v > 1.05 * summary.median; });
  summary.slow_share = static_cast<double>(slow) / n;
  return summary;
}

}  // namespace palstudy
