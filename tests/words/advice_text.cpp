// SPDX-License-Identifier: MIT
#include "words/advice_text.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "words/says.hpp"

namespace palstudy {
namespace {

Improvement shorter(double gain, double low, double high) {
  Improvement jct;
  jct.mean = gain, jct.low = low, jct.high = high;
  jct.ratio = 1 - gain, jct.ratio_low = 1 - high, jct.ratio_high = 1 - low;
  return jct;
}

ActionGain gain_of(Action action, double gain) {
  ActionGain one{action};
  one.jct = shorter(gain, gain - 0.01, gain + 0.01);
  return one;
}

/// Six nodes, the first two slow; draining these is advised.
AdviceFound two_drained() {
  AdviceFound found;
  for (std::uint32_t n = 0; n < 6; ++n) {
    found.nodes.push_back(
        {.node = n, .host = "n" + std::to_string(n), .cls = "A", .slowdown = n < 2 ? 1.3 : 1, .gpus = 4});
  }
  found.advice.action = {ActionKind::drain, 2};
  found.advice.actions = {gain_of({}, 0), gain_of({ActionKind::drain, 1}, 0.02), gain_of({ActionKind::drain, 2}, 0.05),
                          gain_of({ActionKind::place, 0}, 0.04)};
  found.advice.actions[2].job_h_saved = 12, found.advice.actions[2].gpu_h_saved = -3;
  found.advice.actions[2].capacity_share = 2.0 / 6;
  found.span_s = 28 * 86400.0;
  return found;
}

// The answer names the action, its nodes, and the gain with its interval.
TEST(AdviceText, AnswersWithActionNodesAndGain) {
  const std::string text = advice_head(two_drained());
  EXPECT_EQ(text.rfind("drain 2 nodes (n0, n1): ", 0), 0U) << text;
  EXPECT_TRUE(says(text, "5.00 % shorter (4.00 to 6.00 %)")) << text;
  AdviceFound nothing = two_drained();
  nothing.advice.action = {};
  EXPECT_EQ(advice_head(nothing).rfind("do nothing", 0), 0U);
}

// A loss is more hours, not hours saved below zero; what is out of service is a share.
TEST(AdviceText, SaysWhatItSavesAndCosts) {
  const std::string text = advice_effect(two_drained());
  EXPECT_TRUE(says(text, "12 job hours saved")) << text;
  EXPECT_TRUE(says(text, "3 more GPU hours")) << text;
  EXPECT_TRUE(says(text, "28 days")) << text;
  EXPECT_TRUE(says(text, "33.3 % of the GPUs")) << text;
  EXPECT_EQ(days_text(36 * 3600.0), "36 h 0 min");
}

TEST(AdviceText, NamesFourNodesAtMost) {
  const AdviceFound found = two_drained();
  EXPECT_EQ(drained_text(found, {}), "");
  EXPECT_EQ(drained_text(found, {ActionKind::drain, 4}), "n0, n1, n2, n3");
  EXPECT_EQ(drained_text(found, {ActionKind::both, 6}), "n0, n1, n2, n3 and 2 more");
  EXPECT_EQ(node_name({.node = 7}), "node 7");
}

TEST(AdviceText, ListsNodesWithoutAMeasurement) {
  AdviceFound found = two_drained();
  EXPECT_TRUE(unmeasured_nodes(found).empty());
  found.nodes[4].measured = false;
  EXPECT_EQ(unmeasured_nodes(found), std::vector<std::string>{"n4"});
}

// Tables have the change, ratio - 1: minus is shorter. Doing nothing changes nothing, and unfinished jobs give no
// number.
TEST(AdviceText, ShowsGainsAsChanges) {
  EXPECT_EQ(gain_text(gain_of({ActionKind::place, 0}, 0.05)), "-5.00 %");
  EXPECT_EQ(gain_interval_text(gain_of({ActionKind::place, 0}, 0.05)), "-6.00 to -4.00 %");
  EXPECT_EQ(gain_text(gain_of({}, 0)), "");
  EXPECT_EQ(gain_text({.action = {ActionKind::drain, 1}}), "-");
  EXPECT_EQ(gain_interval_text({.action = {ActionKind::drain, 1}}), "");
}

// Each action has words of its own, and so has what it needs.
TEST(AdviceText, NamesEachAction) {
  std::set<std::string> names, needs;
  for (const ActionKind kind :
       {ActionKind::nothing, ActionKind::prefer, ActionKind::drain, ActionKind::place, ActionKind::both}) {
    names.insert(action_text({kind, 3}));
    needs.insert(needs_text(kind));
  }
  EXPECT_EQ(names.size(), 5U);
  EXPECT_EQ(needs.size(), 5U);
  EXPECT_EQ(action_text({ActionKind::drain, 1}), "drain 1 node");
}

TEST(AdviceText, SaysWhyThereIsNoInterval) {
  Advice advice;
  EXPECT_EQ(no_interval_text(advice), "");
  advice.replications = 3;
  advice.no_interval = NoInterval{Missing::few_replications, 3, 8};
  EXPECT_TRUE(says(no_interval_text(advice), "3 replications"));
  EXPECT_TRUE(says(no_interval_text(advice), "8"));
  advice.no_interval = NoInterval{Missing::few_blocks, 5, 8};
  EXPECT_TRUE(says(no_interval_text(advice), "5 days"));
}

// The slowest GPU alone beside its node and pal-sticky; of a node of one GPU there is nothing to compare.
TEST(AdviceText, ComparesTheSlowestGpuWithItsNode) {
  AdviceFound found = two_drained();
  EXPECT_EQ(slowest_gpu_text(found), "");
  found.slowest_gpu_alone = gain_of({ActionKind::drain, 1}, 0.03);
  const std::string text = slowest_gpu_text(found);
  for (const char* part : {"on n0", "1.30 times", "class A", "-2.00 %", "3 others", "-3.00 %", "-4.00 %"}) {
    EXPECT_TRUE(says(text, part)) << part << " in " << text;
  }
}

TEST(AdviceText, NamesSettingsByWhatIsOtherwise) {
  EXPECT_EQ(setting_text({OtherSetting::What::penalty, "1.35", {}}), "penalty 1.35");
  EXPECT_EQ(setting_text({OtherSetting::What::load, "x 1.2", {}}), "load x 1.2");
  EXPECT_EQ(setting_text({OtherSetting::What::backfill, "none", {}}), "backfill none");
  EXPECT_EQ(setting_text({OtherSetting::What::knowledge, "other-half", {}}), "knowledge other-half");
}

}  // namespace
}  // namespace palstudy
