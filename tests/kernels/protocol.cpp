// SPDX-License-Identifier: MIT
#include "kernels/protocol.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace palstudy {
namespace {

/// A device whose time per launch is a function of how long it has run; it knows no clock.
class Device : public BatchSource {
 public:
  using LaunchTime = std::function<double(double)>;
  explicit Device(LaunchTime launch_s) : launch_s_(std::move(launch_s)) {}

  std::vector<double> batches(std::size_t count, std::size_t launches) override {
    std::vector<double> seconds;
    for (std::size_t i = 0; i < count; ++i) {
      double batch = 0;
      for (std::size_t j = 0; j < launches; ++j) batch += launch_s_(ran + batch);
      ran += batch;
      seconds.push_back(batch);
    }
    return seconds;
  }
  double ran = 0;  // seconds

 private:
  LaunchTime launch_s_;
};

/// Gives the samples of a script, the last one for ever.
class Script : public TelemetrySource {
 public:
  explicit Script(std::vector<TelemetrySample> samples) : samples_(std::move(samples)) {}
  [[nodiscard]] TelemetrySample sample() override { return samples_[std::min(next_++, samples_.size() - 1)]; }

 private:
  std::vector<TelemetrySample> samples_;
  std::size_t next_ = 0;
};

/// One clock and the other by turns; the thread that takes samples takes two at least.
class Clock : public TelemetrySource {
 public:
  Clock(double mhz, double other_mhz) : now_(mhz), next_(other_mhz) {}
  [[nodiscard]] TelemetrySample sample() override {
    TelemetrySample sample;
    sample.sm_mhz = now_;
    std::swap(now_, next_);
    return sample;
  }

 private:
  double now_, next_;
};

TelemetrySample degrees(double temp_c) {
  TelemetrySample sample;
  sample.temp_c = temp_c;
  return sample;
}

NoTelemetry no_sensors;

// Times here are not of this machine, so host_s says nothing and `starved` is left out of what is expected.
std::uint32_t flags(const Repeat& repeat) { return repeat.flags & ~std::uint32_t{starved}; }

TEST(Protocol, BatchesLastAsLongAsAsked) {
  for (const double launch_s : {1e-6, 3e-4, 0.02, 0.7}) {
    Device device([&](double) { return launch_s; });
    const std::size_t launches = calibrate(device, 0.1);
    EXPECT_EQ(launches, std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(0.1 / launch_s)))) << launch_s;
  }
}

// The first launch loads code and touches memory: a hundred times as long here, and not counted.
TEST(Protocol, FirstLaunchIsNotTimed) {
  Device device([](double ran) { return ran == 0 ? 0.1 : 0.001; });
  EXPECT_EQ(calibrate(device, 0.1), 100u);
}

// A device that is steady from the start still runs the least time, and 10 s of batches of 0.1 s.
TEST(Protocol, SteadyDevice) {
  Device device([](double) { return 0.001; });
  const Repeat repeat = measure_repeat(device, default_protocol(Backend::cuda), no_sensors, 0);
  EXPECT_EQ(flags(repeat), 0u) << flag_names(repeat.flags);
  EXPECT_EQ(repeat.launches, 100u);
  EXPECT_GE(repeat.warm_up_s, 5);
  EXPECT_LT(repeat.warm_up_s, 8);
  EXPECT_EQ(repeat.batch_ms.size(), 100u);
  for (const float ms : repeat.batch_ms) EXPECT_NEAR(ms, 100, 1e-3);
  EXPECT_TRUE(repeat.telemetry.empty());
}

// One that warms up with a time constant of 2 s and loses 5 %: between windows of 2.5 s the change falls under 0.1 %
// after about four of them, and what is timed then is within 0.1 % of the end.
TEST(Protocol, WarmsUpUntilSteady) {
  Device device([](double ran) { return 0.001 * (1 - 0.05 * std::exp(-ran / 2)); });
  const Repeat repeat = measure_repeat(device, default_protocol(Backend::cuda), no_sensors, 0);
  EXPECT_EQ(flags(repeat), 0u) << flag_names(repeat.flags);
  EXPECT_GT(repeat.warm_up_s, 6);
  EXPECT_LT(repeat.warm_up_s, 15);
  for (const float ms : repeat.batch_ms) EXPECT_NEAR(ms, static_cast<double>(repeat.launches), 0.2);
}

TEST(Protocol, SaysWhenItNeverIsSteady) {
  Device device([](double ran) { return 0.001 * (1 + 0.01 * ran); });
  const Repeat repeat = measure_repeat(device, default_protocol(Backend::cuda), no_sensors, 0);
  EXPECT_EQ(flags(repeat), not_steady) << flag_names(repeat.flags);
  EXPECT_LT(repeat.warm_up_s, 15 + 5);
}

// Equal times but a temperature that climbs by two degrees a window: the warm-up goes on while it does.
TEST(Protocol, TemperatureCounts) {
  const auto warm_up = [](std::vector<TelemetrySample> samples) {
    Device device([](double) { return 0.001; });
    Script script(std::move(samples));
    return measure_repeat(device, default_protocol(Backend::cuda), script, 0);
  };
  std::vector<TelemetrySample> climbing;
  for (int i = 0; i < 100; ++i) climbing.push_back(degrees(40 + 2 * i));
  EXPECT_EQ(flags(warm_up(climbing)), not_steady);
  EXPECT_EQ(flags(warm_up({degrees(40), degrees(42), degrees(44), degrees(46), degrees(46.5)})), 0u);
  EXPECT_GT(warm_up({degrees(40), degrees(42), degrees(44), degrees(46), degrees(46.5)}).warm_up_s,
            warm_up({degrees(40)}).warm_up_s);
}

// Every fifth batch twice as long: the median does not see it, the flag does.
TEST(Protocol, NeighboursShow) {
  std::size_t launch = 0;
  Device device([&](double) { return ++launch / 100 % 5 == 4 ? 0.002 : 0.001; });
  const Repeat repeat = measure_repeat(device, default_protocol(Backend::cuda), no_sensors, 0);
  EXPECT_NE(repeat.flags & contended, 0u);
}

// A clock of its own says 0.1 s for what takes no time here: never starved. One that says nothing passed: starved.
TEST(Protocol, DeviceThatWaitsShows) {
  Device busy([](double) { return 0.001; });
  EXPECT_EQ(measure_repeat(busy, default_protocol(Backend::cuda), no_sensors, 0).flags & starved, 0u);
  class Idle : public BatchSource {
   public:
    std::vector<double> batches(std::size_t count, std::size_t launches) override {
      return std::vector<double>(count, static_cast<double>(launches) * 1e-15);
    }
  } idle;
  Protocol tiny;
  tiny.batch_s = 1e-15;
  tiny.window_s = tiny.warm_up_least_s = 1e-14;
  tiny.warm_up_most_s = 1e-12;
  tiny.repeat_least_s = tiny.repeat_most_s = 1e-13;
  EXPECT_NE(measure_repeat(idle, tiny, no_sensors, 0).flags & starved, 0u);
}

TEST(Protocol, ThrottlingShows) {
  Device device([](double) { return 0.001; });
  TelemetrySample slowed;
  slowed.reasons = 0x40;  // hot
  TelemetrySample capped;
  capped.reasons = 0x4;  // at the power limit, as a matrix product on any GPU
  Script hot({slowed}), normal({capped});
  EXPECT_NE(measure_repeat(device, default_protocol(Backend::cuda), hot, 1000).flags & throttled, 0u);
  EXPECT_EQ(measure_repeat(device, default_protocol(Backend::cuda), normal, 1000).flags & throttled, 0u);
}

// One launch of 2 s: no 50 batches then, but ten.
TEST(Protocol, LongLaunchesAreFew) {
  Device device([](double) { return 2.0; });
  const Repeat repeat = measure_repeat(device, default_protocol(Backend::cuda), no_sensors, 0);
  EXPECT_EQ(repeat.launches, 1u);
  EXPECT_EQ(repeat.batch_ms.size(), 10u);
}

// The promise: the default set of five kernels under 8 minutes on a GPU, under 5 on a core; and no device takes longer
// than the estimate says by more than a window.
TEST(Protocol, DefaultSetHasABudget) {
  EXPECT_LT(estimate_s(default_protocol(Backend::cuda), 5), 8 * 60);
  EXPECT_LT(estimate_s(default_protocol(Backend::host), 5), 5 * 60);
  for (const Backend backend : {Backend::host, Backend::cuda}) {
    const Protocol protocol = default_protocol(backend);
    Device never([](double ran) { return 0.001 * (1 + 0.01 * ran); });
    (void)measure_repeat(never, protocol, no_sensors, 0);
    EXPECT_LT(never.ran, estimate_s(protocol, 1) / static_cast<double>(protocol.repeats) + protocol.window_s + 1);
  }
}

TEST(Protocol, OrderIsRandomButEqual) {
  std::set<std::vector<std::size_t>> orders;
  for (std::size_t repeat = 0; repeat < 20; ++repeat) {
    auto order = kernel_order(5, repeat, 3);
    EXPECT_EQ(order, kernel_order(5, repeat, 3));
    orders.insert(order);
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  }
  EXPECT_GT(orders.size(), 10u);
  EXPECT_NE(kernel_order(12, 0, 1), kernel_order(12, 0, 2));
}

TEST(Protocol, UnstableRepeatIsTheOneThatIsOff) {
  const std::vector<float> normal = {100, 100.1F, 99.9F}, slow = {103, 103.1F, 102.9F}, noisy = {90, 100, 110};
  const auto off = [](const std::vector<std::vector<float>>& repeats) {
    std::vector<double> medians, scatter;
    for (const auto& batches : repeats) {
      medians.push_back(summarize(batches).median);
      scatter.push_back(summarize(batches).mad);
    }
    return unstable_repeats(medians, scatter, Protocol());
  };
  EXPECT_EQ(off({normal, slow, normal}), (std::vector<bool>{false, true, false}));
  EXPECT_EQ(off({normal, normal, normal}), (std::vector<bool>{false, false, false}));
  // 3 % is nothing where batches scatter by 10 %.
  EXPECT_EQ(off({noisy, slow, noisy}), (std::vector<bool>{false, false, false}));
  EXPECT_EQ(off({slow}), (std::vector<bool>{false}));
}

// Another process that shares evenly makes batches twice as long while it is there. Of 100 batches it is found whenever
// more than five are of either kind; noise of 3 %, drift of 10 % and two odd fast batches are no other process.
TEST(Protocol, EvenSharersShowInBatches) {
  const auto steps = [](std::size_t fast, std::size_t slow) {
    std::vector<float> batches(fast, 100);
    batches.resize(fast + slow, 200);
    return batches;
  };
  for (const std::size_t slow : {6, 30, 50, 70, 94})
    EXPECT_TRUE(shared_batches(steps(100 - slow, slow), false)) << slow;
  for (const std::size_t slow : {0, 4, 98, 100}) EXPECT_FALSE(shared_batches(steps(100 - slow, slow), false)) << slow;
  std::vector<float> taking_turns, noise, drift;
  for (int i = 0; i < 100; ++i) {
    taking_turns.push_back(i % 2 == 0 ? 100 : 190);
    noise.push_back(100 + static_cast<float>(i * 37 % 7 - 3));
    drift.push_back(100 + 0.1F * static_cast<float>(i));
  }
  EXPECT_TRUE(shared_batches(taking_turns, false));
  EXPECT_FALSE(shared_batches(noise, false));
  EXPECT_FALSE(shared_batches(drift, false));
}

// One that comes during the warm-up, after 3 of its seconds, and stays: every timed batch is twice as long, so only the
// warm-up tells. One that came before the first repeat's calibration shows beside the other repeats.
TEST(Protocol, EvenSharersShowBesideTheWarmUpAndOtherRepeats) {
  Device late([](double ran) { return ran < 3 ? 0.001 : 0.002; });
  const Repeat repeat = measure_repeat(late, default_protocol(Backend::cuda), no_sensors, 0);
  EXPECT_FALSE(shared_batches(repeat.batch_ms, false));
  EXPECT_NE(repeat.flags & contended, 0U);
  EXPECT_EQ(shared_repeats({2.0, 1.0, 1.01}), (std::vector<bool>{true, false, false}));
  EXPECT_EQ(shared_repeats({1.0, 2.0, 2.0}), (std::vector<bool>{false, true, true}));
  EXPECT_EQ(shared_repeats({1.0, 1.2}), (std::vector<bool>{false, false}));
  EXPECT_TRUE(shared_repeats({}).empty());
}

// A GPU at its power limit: its clock moves by a fifth, and every fifth batch takes a tenth longer. That is no other
// process. With a clock that moves by a hundredth it is one, and batches of twice the time are one in any case.
TEST(Protocol, AClockThatMovesIsNoOtherProcess) {
  const auto shared = [](double other_mhz, double slow_launch_s) {
    std::size_t launch = 0;
    Device device([&](double) { return ++launch / 100 % 5 == 4 ? slow_launch_s : 0.001; });
    Clock clock(1900, other_mhz);
    return (measure_repeat(device, default_protocol(Backend::cuda), clock).flags & contended) != 0;
  };
  EXPECT_FALSE(shared(1520, 0.0011));
  EXPECT_TRUE(shared(1881, 0.0011));
  EXPECT_TRUE(shared(1520, 0.002));
}

// Seen by the driver, a process counts though no batch took longer: it was there while batches were timed. The warm-up
// alone does not count.
TEST(Protocol, OtherProcessesShow) {
  TelemetrySample alone, shared;
  shared.other_processes = 2;
  for (const double hz : {0.0, 1000.0}) {
    Device device([](double) { return 0.001; });
    Script comes(std::vector<TelemetrySample>(1, shared)), none({alone});
    const Repeat repeat = measure_repeat(device, default_protocol(Backend::cuda), comes, hz);
    EXPECT_EQ(repeat.other_processes, 2U);
    EXPECT_NE(repeat.flags & contended, 0U);
    EXPECT_EQ(measure_repeat(device, default_protocol(Backend::cuda), none, hz).flags & contended, 0U);
  }
  Device device([](double) { return 0.001; });
  Script goes({shared, shared, alone});  // before and after the first window, then while batches are timed
  EXPECT_EQ(measure_repeat(device, default_protocol(Backend::cuda), goes, 0).other_processes, 0U);
}

// 1 to 5: by hand.
TEST(Protocol, SummaryByHand) {
  const std::vector<float> values = {5, 1, 4, 2, 3};
  const BatchSummary summary = summarize(values);
  EXPECT_EQ(summary.count, 5u);
  EXPECT_EQ(summary.least, 1);
  EXPECT_DOUBLE_EQ(summary.p05, 1.2);
  EXPECT_EQ(summary.median, 3);
  EXPECT_EQ(summary.mean, 3);
  EXPECT_DOUBLE_EQ(summary.p95, 4.8);
  EXPECT_EQ(summary.most, 5);
  EXPECT_DOUBLE_EQ(summary.deviation, std::sqrt(2.5));
  EXPECT_EQ(summary.mad, 1);
  EXPECT_DOUBLE_EQ(summary.correlation, (2 * -2 + -2 * 1 + 1 * -1 + -1 * 0) / 10.0);
  EXPECT_DOUBLE_EQ(summary.slow_share, 0.4);
  EXPECT_EQ(summarize(std::vector<float>{2}).deviation, 0);
}

TEST(Protocol, FlagsHaveNames) {
  EXPECT_EQ(flag_names(0), "none");
  EXPECT_EQ(flag_names(not_steady | throttled), "not-steady, throttled");
  EXPECT_EQ(flag_names(wrong), "wrong");
}

}  // namespace
}  // namespace palstudy
