// SPDX-License-Identifier: MIT
// What the effects of a run do together follows from what each registration says and from which of them the run has;
// and how an interval is split for them.
#include "sim/state/effect.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <vector>

#include "sim/small_world.hpp"

namespace palstudy {
namespace {

EffectTraits traits_of(const SmallWorld& small) {
  return small.with_world([](const World& world, const Policies&) { return traits_of_effects(world); });
}

TEST(EffectTraits, AreThoseOfTheEffectsInUse) {
  SmallWorld none;
  EXPECT_EQ(traits_of(none).stalling, 0);
  EXPECT_FALSE(traits_of(none).act_between_boundaries());
  SmallWorld neighbours;
  neighbours.interference = {1.3, 1.5};
  EXPECT_EQ(traits_of(neighbours).stalling, 1);
  EXPECT_FALSE(traits_of(neighbours).act_between_boundaries());
  SmallWorld outages;
  outages.outages = {{NodeId(0), 10, 20}};
  EXPECT_TRUE(traits_of(outages).jobs);
  SmallWorld power;
  power.power.emplace();
  EXPECT_TRUE(traits_of(power).idle_nodes);
  EXPECT_FALSE(traits_of(power).jobs);
}

// An effect that a program gives to a run beside those may stall jobs and act at any time.
TEST(EffectTraits, OfAnUnknownEffectAreAll) {
  SmallWorld more;
  more.interference = {1.3, 1.5};
  more.effects = {[](PartitionState&) { return std::make_unique<Effect>(); }};
  EXPECT_EQ(traits_of(more).stalling, 2);
  EXPECT_TRUE(traits_of(more).jobs);
}

/// The parts of an interval from 10 to 30 s, from 100 to 112 iterations, of which work is kept up to then: from, to,
/// iterations.
std::vector<std::array<double, 3>> parts_kept_until(double kept_until_s) {
  std::vector<std::array<double, 3>> parts;
  const EndedInterval interval{0, JobId(0), EndReason::failed_again, 10, 30, 100, 112, kept_until_s};
  interval.split([&](double from_s, double to_s, double work) { parts.push_back({from_s, to_s, work}); });
  return parts;
}

// Work that is undone from 25 s on ends in two parts, the second without work; where all is kept, or all is undone, or
// what is undone reaches back before it, there is one.
TEST(EndedInterval, IsSplitWhereUndoneWorkBegins) {
  using Parts = std::vector<std::array<double, 3>>;
  EXPECT_EQ(parts_kept_until(25), (Parts{{10, 25, 12}, {25, 30, 0}}));
  for (const double whole : {30.0, 10.0, 5.0}) EXPECT_EQ(parts_kept_until(whole), (Parts{{10, 30, 12}})) << whole;
}

}  // namespace
}  // namespace palstudy
