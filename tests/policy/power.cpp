// SPDX-License-Identifier: MIT
// The rules that power nodes off, on series: worked by hand, and what must hold of each.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "core/random.hpp"
#include "policy/power/series_replay.hpp"

namespace palstudy {
namespace {

constexpr double tick_s = 600;

NodeSeries constant_total(std::vector<double> used, double total) {
  return {std::vector<double>(used.size(), total), std::move(used), {}};
}

std::vector<ReplayedTick> replay_by(const std::string& rule, const NodeSeries& series, const PowerRuleOptions& options,
                                    const std::string& forecast = "none") {
  const auto foreseen = forecasts().at(forecast).make();
  return replay_series(series, *power_rules().at(rule).make(options, foreseen), tick_s);
}

std::vector<std::int64_t> active(const std::vector<ReplayedTick>& ticks) {
  std::vector<std::int64_t> all;
  for (const ReplayedTick& tick : ticks) all.push_back(tick.active);
  return all;
}

/// A cluster of 100 nodes whose load has days, noise and a burst.
NodeSeries busy_days(std::size_t days) {
  RandomStream random(7, Purpose::faulty_place, 1);
  std::vector<double> used;
  for (std::size_t i = 0; i < days * 144; ++i) {
    const double wave = 15 * std::sin(static_cast<double>(i) * 2 * 3.14159265358979 / 144);
    used.push_back(std::clamp(std::round(55 + wave + 8 * (random.uniform_positive() - 0.5) + (i % 500 < 12 ? 20 : 0)),
                              0.0, 100.0));
  }
  return constant_total(std::move(used), 100);
}

CesOptions by_hand() {
  return {.history = 2,
          .future = 2,
          .his_threshold = 1,
          .fut_threshold = 0,
          .de_threshold = 1,
          .buffer = 2,
          .keep = 3,
          .stable_until_initial = 0};
}

// helios.md 4.4: 12 nodes are on until tick 7 lacks one and wakes three; the hold ends at tick 10, where the mean of
// the last two ticks is 1 above and the forecast (the series itself) does not rise: 13 stay.
TEST(PowerRules, CesByHand) {
  const NodeSeries series = constant_total({10, 10, 10, 10, 10, 10, 10, 13, 13, 11, 11, 11, 11, 11}, 20);
  const auto ticks = replay_by("ces", series, {.ces = by_hand()}, "oracle");
  EXPECT_EQ(active(ticks), (std::vector<std::int64_t>{12, 12, 12, 12, 12, 12, 12, 15, 15, 15, 13, 13, 13, 13}));
  EXPECT_EQ(ticks[7], (ReplayedTick{15, 5, 3, 1}));
  EXPECT_EQ(ticks[9], (ReplayedTick{15, 5, 0, 0}));
  EXPECT_EQ(ticks[10], (ReplayedTick{13, 7, -2, 0}));
}

// As published, the change is written before the number is limited by the nodes that there are.
TEST(PowerRules, CesReportsTheChangeThatItWanted) {
  const auto ticks = replay_by("ces", constant_total({4, 4, 4, 4, 4, 4, 8, 8}, 9), {.ces = by_hand()});
  EXPECT_EQ(ticks[6], (ReplayedTick{9, 0, 4, 2}));  // 8 + 2 = 10 wanted, 6 were on
  EXPECT_EQ(ticks[7], (ReplayedTick{9, 0, 0, 0}));
}

// Among the first six ticks the number is not limited at all, as published: two nodes more than there are.
TEST(PowerRules, CesIsNotLimitedAtFirst) {
  EXPECT_EQ(replay_by("ces", constant_total({9}, 9), {.ces = by_hand()})[0], (ReplayedTick{11, -2, 0, 0}));
}

// The rule that is not a published one never has more nodes on than there are, however many shall be idle.
TEST(PowerRules, LowWaterIsLimitedFromTheStart) {
  const auto ticks = replay_by("low-water", constant_total({5, 6, 7}, 10), {.spare = 20, .ces = by_hand()});
  EXPECT_EQ(active(ticks), (std::vector<std::int64_t>{10, 10, 10}));
}

// Nodes are powered on when fewer than two are idle, not when one lacks: with 3 + 2 on, 4 in use leave one idle.
TEST(PowerRules, LowWaterWakesBeforeNodesLack) {
  const NodeSeries series = constant_total({3, 3, 3, 3, 3, 3, 4, 5, 6}, 20);
  CesOptions ces = by_hand();
  const auto published = replay_by("ces", series, {.ces = ces});
  const auto low = replay_by("low-water", series, {.spare = 2, .ces = ces});
  EXPECT_EQ(active(published), (std::vector<std::int64_t>{5, 5, 5, 5, 5, 5, 5, 5, 8}));
  EXPECT_EQ(published[8].lack, 1);
  EXPECT_EQ(active(low), (std::vector<std::int64_t>{5, 5, 5, 5, 5, 5, 6, 7, 8}));
  EXPECT_TRUE(std::all_of(low.begin(), low.end(), [](const ReplayedTick& tick) { return tick.lack == 0; }));
}

// Idle for one tick: a node is on in the tick in which it is used, and in one more.
TEST(PowerRules, TimerKeepsTheMostOfItsWindow) {
  const NodeSeries series = constant_total({5, 3, 4, 1, 0, 0, 6}, 6);
  EXPECT_EQ(active(replay_by("timer", series, {.idle_s = 600})), (std::vector<std::int64_t>{5, 5, 4, 4, 1, 0, 6}));
  EXPECT_EQ(active(replay_by("timer", series, {.idle_s = 600, .spare = 1})),
            (std::vector<std::int64_t>{6, 6, 5, 5, 2, 1, 6}));
  EXPECT_EQ(active(replay_by("timer", series, {.idle_s = 0})), (std::vector<std::int64_t>{5, 3, 4, 1, 0, 0, 6}));
}

// Its answer changes by itself when the larger number is `idle_s` old: 3 ended at 100 s, 2 at 150 s.
TEST(PowerRules, TimerSaysWhenItChanges) {
  const auto none = forecasts().at("none").make();
  const auto rule = power_rules().at("timer").make({.idle_s = 600}, none);
  rule->use(0, 3), rule->use(100, 2), rule->use(150, 1);
  const std::vector<double> used = {3};
  EXPECT_EQ(rule->next_change_s(), 700);
  EXPECT_EQ(rule->decide({700, tick_s, used, {}, 3, 9}).on, 2);
  EXPECT_EQ(rule->next_change_s(), 750);
  EXPECT_EQ(rule->decide({750, tick_s, used, {}, 2, 9}).on, 1);
  EXPECT_EQ(rule->next_change_s(), std::numeric_limits<double>::infinity());
}

double off_mean(const NodeSeries& series, const std::vector<ReplayedTick>& ticks) {
  return saving(series, ticks, tick_s, {}).powered_off_mean;
}

// Longer patience powers fewer nodes off and wakes fewer: exact, since the window only grows.
TEST(PowerRules, TimerIsMonotoneInPatience) {
  const NodeSeries series = busy_days(5);
  double off = 1e9, wakes = 1e9;
  for (const double idle_s : {0.0, 600.0, 3600.0, 21600.0}) {
    const auto now = saving(series, replay_by("timer", series, {.idle_s = idle_s}), tick_s, {});
    EXPECT_LE(now.powered_off_mean, off);
    EXPECT_LE(now.increases_per_day, wakes);
    off = now.powered_off_mean, wakes = now.increases_per_day;
  }
}

// The oracle's nodes never lack, and it saves at least what a timer of the same patience does.
TEST(PowerRules, OracleSavesAtLeastWhatTimersDo) {
  const NodeSeries series = busy_days(5);
  for (const double idle_s : {0.0, 600.0, 3600.0, 21600.0}) {
    const auto known = replay_by("oracle", series, {.idle_s = idle_s});
    EXPECT_GE(off_mean(series, known), off_mean(series, replay_by("timer", series, {.idle_s = idle_s})));
    for (std::size_t i = 0; i < known.size(); ++i) EXPECT_GE(known[i].active, series.used[i]);
  }
}

// A gap of three ticks is slept through with a patience of two ticks, not with one of three.
TEST(PowerRules, OracleSleepsThroughLongGapsAlone) {
  const NodeSeries series = constant_total({2, 2, 0, 0, 0, 2, 2}, 4);
  EXPECT_EQ(active(replay_by("oracle", series, {.idle_s = 1200})), (std::vector<std::int64_t>{2, 2, 0, 0, 0, 2, 2}));
  EXPECT_EQ(active(replay_by("oracle", series, {.idle_s = 1800})), (std::vector<std::int64_t>{2, 2, 2, 2, 2, 2, 2}));
}

// No rule but the oracle, and no forecast but the oracle's, depends on what comes after the present tick.
TEST(PowerRules, AreCausal) {
  const NodeSeries series = busy_days(4);
  NodeSeries other = series;
  const std::size_t changed = 3 * 144 + 50;
  for (std::size_t i = changed; i < other.used.size(); ++i) other.used[i] = 100 - other.used[i];
  for (const auto& rule : power_rules().entries()) {
    for (const auto& forecast : forecasts().entries()) {
      if (rule.name == "oracle" || forecast.name == "oracle") continue;
      auto a = replay_by(rule.name, series, {.spare = 1}, forecast.name);
      auto b = replay_by(rule.name, other, {.spare = 1}, forecast.name);
      a.resize(changed), b.resize(changed);
      EXPECT_EQ(a, b) << rule.name << " with " << forecast.name;
    }
  }
}

// What a rule keeps is all of its state: another object with the same state goes on alike.
TEST(PowerRules, GoOnFromTheirState) {
  const NodeSeries series = busy_days(3);
  for (const auto& rule : power_rules().entries()) {
    const auto forecast = forecasts().at("ewma").make();
    const auto first = rule.make({.spare = 1}, forecast);
    std::int64_t on = 100;
    for (std::size_t i = 0; i + 1 < series.used.size(); ++i) {
      const double now_s = static_cast<double>(i) * tick_s;
      const auto second = rule.make({.spare = 1}, forecast);
      second->state() = first->state();
      first->use(now_s, static_cast<std::int64_t>(series.used[i]));
      second->use(now_s, static_cast<std::int64_t>(series.used[i]));
      const PowerTick tick{now_s, tick_s, std::span(series.used).first(i + 1), series.used, on, 100};
      on = first->decide(tick).on;
      ASSERT_EQ(on, second->decide(tick).on) << rule.name << " at tick " << i;
    }
  }
}

// 2 nodes off for an hour of two save 2 x 642 W x 1 h, less 2 x 360 s at idle power for the wake-up: per year 8,760
// / 2.
TEST(PowerRules, EnergyByHand) {
  const NodeSeries series = constant_total(std::vector<double>(12, 1.0), 3);
  std::vector<ReplayedTick> ticks(12, {3, 0, 0, 0});
  for (std::size_t i = 0; i < 6; ++i) ticks[i] = {1, 2, 0, 0};
  ticks[6].change = 2;
  EXPECT_NEAR(saving(series, ticks, tick_s, {}).mwh_per_year, (2 * 642 * 3600 - 2 * 642 * 360) / 3.6e9 * 4380, 1e-9);
}

// A constant number of nodes is forecast as it is, by all that forecast.
TEST(Forecasts, KeepAConstant) {
  const std::vector<double> used(4 * 144, 17.0);
  for (const auto& forecast : forecasts().entries()) {
    const auto mean = forecast.make()({0, tick_s, used, used, 20, 20}, 18);
    EXPECT_EQ(mean.has_value(), forecast.name != "none") << forecast.name;
    EXPECT_NEAR(mean.value_or(17.0), 17.0, 0.05) << forecast.name;
  }
}

// Where days repeat, the regression foresees the slope of the next three hours; the last value cannot.
TEST(Forecasts, RidgeLearnsTheDay) {
  std::vector<double> used;
  for (int i = 0; i < 6 * 144; ++i) used.push_back(50 + 20 * std::sin(i * 2 * 3.14159265358979 / 144));
  const auto forecast = forecasts().at("ridge").make();
  for (std::size_t now = 4 * 144; now + 18 < used.size(); now += 7) {
    const PowerTick tick{0, tick_s, std::span(used).first(now + 1), {}, 100, 100};
    EXPECT_NEAR(*forecast(tick, 18), mean_from(used, now, 18), 0.5);
  }
}

// Without a buffer given, one node in 21 of all is on beyond those in use, to the nearest, and one at least.
TEST(PowerRules, CesKeepsOneNodeIn21Idle) {
  for (const auto& [total, buffer] : {std::pair(5.0, 1), {31.0, 1}, {32.0, 2}, {42.0, 2}, {420.0, 20}}) {
    EXPECT_EQ(replay_by("ces", constant_total({3}, total), {})[0].active, 3 + buffer) << total;
  }
}

// Two ticks ahead three nodes are foreseen, as many as are in use now: of the eleven that are on six go off, unless
// over twice as many ticks more are foreseen. No other time is asked for.
TEST(PowerRules, CesKeepsNodesThatWillBeNeededAgain) {
  const std::vector<double> used = {9, 9, 9, 9, 9, 9, 9, 9, 3};
  for (const double later : {3.0, 4.0}) {
    const Forecast foreseen = [&](const PowerTick&, std::uint32_t ahead) -> std::optional<double> {
      return ahead == 2 ? 3.0 : ahead == 4 ? later : 99.0;
    };
    const auto rule = power_rules().at("ces").make({.ces = by_hand()}, foreseen);
    EXPECT_EQ(rule->decide({8 * tick_s, tick_s, used, {}, 11, 20}).on, later > 3 ? 11 : 5);
  }
}

// Spare nodes stay on beyond those that the oracle knows to be needed, up to all that there are.
TEST(PowerRules, OracleKeepsSpareNodes) {
  const NodeSeries series = constant_total({2, 2, 0, 0, 0, 2, 2}, 4);
  EXPECT_EQ(active(replay_by("oracle", series, {.idle_s = 1200, .spare = 1})),
            (std::vector<std::int64_t>{3, 3, 1, 1, 1, 3, 3}));
  EXPECT_EQ(active(replay_by("oracle", series, {.idle_s = 1200, .spare = 3})),
            (std::vector<std::int64_t>{4, 4, 3, 3, 3, 4, 4}));
}

// Nodes that take two ticks to boot are powered on two ticks before they are used, so that none lacks.
TEST(PowerRules, OracleBootsAhead) {
  const NodeSeries series = constant_total({2, 2, 0, 0, 0, 0, 0, 2, 2}, 4);
  const auto ticks = replay_by("oracle", series, {.idle_s = 600, .boot_s = 1200});
  EXPECT_EQ(active(ticks), (std::vector<std::int64_t>{2, 2, 0, 0, 0, 2, 2, 2, 2}));
  for (const ReplayedTick& tick : replay_by("oracle", series, {.idle_s = 600})) EXPECT_EQ(tick.lack, 0);
}

// After a rise from 0 to 1 the mean has come to 1 - 1/e in six hours, which are 36 ticks; what was 20 times as long ago
// is forgotten.
TEST(Forecasts, EwmaForgetsInSixHours) {
  std::vector<double> used(500, 0.0);
  used.insert(used.end(), 36, 1.0);
  const auto forecast = forecasts().at("ewma").make();
  EXPECT_NEAR(*forecast({0, tick_s, used, {}, 9, 9}, 18), 1 - std::exp(-1.0), 1e-12);
  std::vector<double> old(800, 0.0);
  old[0] = 1e9;
  EXPECT_EQ(*forecast({0, tick_s, old, {}, 9, 9}, 18), 0);
}

// No fewer nodes are foreseen than none, also where none was ever used, and no more than there are.
TEST(Forecasts, RidgeStaysWithinTheNodesThatThereAre) {
  const std::vector<double> none(5 * 144, 0.0), many(5 * 144, 17.0);
  EXPECT_EQ(*forecasts().at("ridge").make()({0, tick_s, none, {}, 9, 9}, 18), 0);
  EXPECT_EQ(*forecasts().at("ridge").make()({0, tick_s, many, {}, 9, 9}, 18), 9);
}

// Where a tick is longer than an hour, the mean of the last hour is the last tick.
TEST(Forecasts, RidgeTakesATickForAnHourWhereItIsLonger) {
  const std::vector<double> used = {3, 5};
  EXPECT_EQ(*forecasts().at("ridge").make()({0, 7200, used, {}, 9, 9}, 2), 5);
}

// Before the third day, or where that has too few ticks before those that are asked for, it is the mean of the last
// hour, which is six ticks or as many as there are: of 94, ..., 99 that is 96.5.
TEST(Forecasts, RidgeBeginsWithTheMeanOfAnHour) {
  const auto forecast = forecasts().at("ridge").make();
  const auto of_first = [&](int ticks, std::uint32_t ahead) {
    std::vector<double> used;
    for (int i = 0; i < ticks; ++i) used.push_back(i);
    return *forecast({0, tick_s, used, {}, 1000, 1000}, ahead);
  };
  EXPECT_DOUBLE_EQ(of_first(3, 18), 1);
  EXPECT_DOUBLE_EQ(of_first(100, 18), 96.5);
  EXPECT_DOUBLE_EQ(of_first(2 * 144 - 1, 18), 283.5);
  EXPECT_DOUBLE_EQ(of_first(2 * 144, 140), 284.5);
}

}  // namespace
}  // namespace palstudy
