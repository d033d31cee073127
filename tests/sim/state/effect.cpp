// SPDX-License-Identifier: MIT
// What the effects of a run do together follows from what each registration says and from which of them the run has.
#include "sim/state/effect.hpp"

#include <gtest/gtest.h>

#include <memory>

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

}  // namespace
}  // namespace palstudy
