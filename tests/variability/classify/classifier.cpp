// SPDX-License-Identifier: MIT
#include "variability/classify/classifier.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.hpp"
#include "core/random.hpp"
#include "message_of.hpp"
#include "variability/made_up_profile.hpp"

namespace palstudy {
namespace {

KernelUse use(const std::string& label, double u_dram, double u_fu, double spread = 0.01) {
  KernelUse made;
  made.label = label;
  made.gpus = 8;
  made.time_s = 1;
  made.u_dram = made.u_dram_most = u_dram;
  made.u_fu = u_fu;
  made.spread = spread;
  return made;
}

Classification classified(const std::vector<KernelUse>& uses, const ClassifierOptions& options = {}) {
  return classify(uses, options, "p.h5");
}

Note unsure(ValueRecord values) { return {"unsure-class", Severity::care, "x", std::move(values)}; }

std::vector<std::string> members(const Classification& of, std::size_t cls) {
  std::vector<std::string> labels;
  for (const std::size_t i : of.classes[cls].members) labels.push_back(of.uses[i].label);
  return labels;
}

std::string representative(const Classification& of, std::size_t cls) {
  return of.uses[of.classes[cls].representative].label;
}

// Three groups: those that compute, a middle, those that stream.
std::vector<KernelUse> three_groups() {
  return {use("gemm", 0.05, 0.92, 0.03),  use("conv", 0.10, 0.88, 0.02), use("big", 0.07, 0.95, 0.025),
          use("bert", 0.40, 0.50, 0.01),  use("md", 0.45, 0.45, 0.012),  use("gcn", 0.42, 0.48, 0.011),
          use("rank", 0.90, 0.03, 0.001), use("fft", 0.85, 0.10, 0.002), use("stencil", 0.88, 0.06, 0.003)};
}

TEST(Classify, RecoversPlantedGroupsFromComputeToMemory) {
  const auto found = classified(three_groups());
  ASSERT_EQ(found.classes.size(), 3U);
  EXPECT_EQ(members(found, 0), (std::vector<std::string>{"big", "conv", "gemm"}));
  EXPECT_EQ(members(found, 1), (std::vector<std::string>{"bert", "gcn", "md"}));
  EXPECT_EQ(members(found, 2), (std::vector<std::string>{"fft", "rank", "stencil"}));
  EXPECT_EQ(found.classes[0].name, "A");
  EXPECT_EQ(found.classes[2].name, "C");
  // The centroids are (.0733, .9167), (.4233, .4767), (.8767, .0633); nearest, by eye: gemm, gcn, stencil.
  EXPECT_EQ(representative(found, 0), "gemm");
  EXPECT_EQ(representative(found, 1), "gcn");
  EXPECT_EQ(representative(found, 2), "stencil");
  EXPECT_NEAR(found.classes[0].centroid.y, (0.92 + 0.88 + 0.95) / 3, 1e-12);
  EXPECT_EQ(found.classes[1].spread, 0.011);
}

// Every K from 2 to min(6, n - 1) is tried, and the first of the greatest is taken.
TEST(Classify, TriesEveryK) {
  const auto found = classified(three_groups());
  std::vector<std::size_t> tried;
  double greatest = -1;
  for (const TriedK& one : found.tried) {
    tried.push_back(one.k);
    greatest = std::max(greatest, one.silhouette);
  }
  EXPECT_EQ(tried, (std::vector<std::size_t>{2, 3, 4, 5, 6}));
  EXPECT_EQ(found.tried[1].silhouette, greatest);
  const auto four = classified({three_groups()[0], three_groups()[1], three_groups()[3], three_groups()[6]});
  EXPECT_EQ(four.tried.size(), 2U);  // 2 and 3
}

// The same kernels in another order are the same classes.
TEST(Classify, IsStableUnderPermutation) {
  std::vector<KernelUse> uses;
  RandomStream random(4, Purpose::reliability, 2);
  for (int i = 0; i < 12; ++i) {
    uses.push_back(use("k" + std::to_string(i), random.uniform(), random.uniform(), random.uniform()));
  }
  const auto first = classified(uses);
  for (int turn = 0; turn < 20; ++turn) {
    for (std::uint32_t left = 12; left > 1; --left) std::swap(uses[left - 1], uses[random.below(left)]);
    const auto again = classified(uses);
    EXPECT_EQ(again.class_of, first.class_of);
    ASSERT_EQ(again.classes.size(), first.classes.size());
    for (std::size_t c = 0; c < first.classes.size(); ++c) {
      EXPECT_EQ(again.classes[c].representative, first.classes[c].representative);
    }
    EXPECT_EQ(again.order.tau, first.order.tau);
  }
}

// Ceilings stand in the corners by what they are, not by what was measured, and no application is like them.
TEST(Classify, LeavesOutWhatStandsForNoApplication) {
  auto uses = three_groups();
  uses.push_back(use("triad", 1, 0.01));
  uses.back().no_application = true;
  const auto without = classified(uses);
  EXPECT_EQ(without.uses.size(), 10U);
  EXPECT_EQ(without.class_of[9], "");
  const Note expected{"left-kernel", Severity::info, "triad", {{"why", "no-application"}}};
  EXPECT_EQ(without.notes, std::vector{expected});
  const auto with = classified(uses, {.classes = 0, .with_ceilings = true, .leave_out = {"md"}});
  EXPECT_NE(with.class_of[9], "");
  EXPECT_EQ(with.class_of[6], "");  // md
}

TEST(Classify, OfFewKernelsSaysWhatItCan) {
  const auto one = classified({use("gemm", 0.1, 0.9)});
  ASSERT_EQ(one.classes.size(), 1U);
  EXPECT_TRUE(one.tried.empty());
  EXPECT_EQ(one.notes.size(), 1U);
  const auto two = classified({use("rank", 0.9, 0.1), use("gemm", 0.1, 0.9)});
  ASSERT_EQ(two.classes.size(), 2U);
  EXPECT_EQ(members(two, 0), (std::vector<std::string>{"gemm"}));
  const std::vector<KernelUse> default_set = {use("pagerank", 0.5, 0.02), use("sgemm", 0.03, 0.9),
                                              use("transformer", 0.1, 0.7)};
  const auto three = classified(default_set);
  ASSERT_EQ(three.classes.size(), 2U);
  EXPECT_EQ(members(three, 0), (std::vector<std::string>{"sgemm", "transformer"}));
  const auto asked = classified(default_set, {.classes = 3, .with_ceilings = false, .leave_out = {}});
  ASSERT_EQ(asked.classes.size(), 3U);
  EXPECT_EQ(members(asked, 1), (std::vector<std::string>{"transformer"}));
}

// Kernels of one use are one point: no class is invented between them.
TEST(Classify, OfEqualKernels) {
  const auto found = classified({use("a", 0.2, 0.3), use("b", 0.2, 0.3), use("c", 0.2, 0.3)});
  EXPECT_EQ(found.classes.size(), 1U);
  EXPECT_EQ(representative(found, 0), "a");
}

// The order by spread is told, never forced: here the one class that should be steadiest is the most variable.
TEST(Classify, SaysWhetherSpreadsAgree) {
  auto uses = three_groups();
  const auto agreeing = classified(uses);
  EXPECT_EQ(agreeing.order.agreeing, 3U);
  EXPECT_EQ(agreeing.order.pairs, 3U);
  EXPECT_GT(agreeing.order.tau, 0.5);
  for (KernelUse& one : uses) one.spread = one.u_dram > 0.8 ? 0.5 : one.spread;
  const auto against = classified(uses);
  EXPECT_EQ(against.order.agreeing, 1U);
  EXPECT_EQ(against.classes[2].spread, 0.5);
  EXPECT_EQ(members(against, 2), members(agreeing, 2));
}

// Of two kernels by hand: u_fu - u_dram and the spread go the same way, tau = 1, or against each other, tau = -1.
TEST(Classify, CountsPairsOfKernels) {
  EXPECT_EQ(classified({use("a", 0, 1, 0.2), use("b", 1, 0, 0.1)}).order.tau, 1);
  EXPECT_EQ(classified({use("a", 0, 1, 0.1), use("b", 1, 0, 0.2)}).order.tau, -1);
  EXPECT_TRUE(std::isnan(classified({use("a", 0, 1)}).order.tau));
}

TEST(Assign, TakesTheNearestAndWarnsOfTheFar) {
  const auto classes = classified(three_groups());
  const Assigned near = assign(classes, "x", {0.08, 0.9});
  EXPECT_EQ(near.cls, "A");
  EXPECT_EQ(near.next, "B");
  EXPECT_EQ(near.unsure, std::nullopt);
  EXPECT_LT(near.distance, near.next_distance);
  EXPECT_EQ(assign(classes, "x", {0.9, 0.05}).cls, "C");
  EXPECT_EQ(assign(classes, "x", {0.95, 0.95}).unsure.value()["why"].name(), "far");
  // Half way between the centroids of A and B.
  const Assigned between = assign(classes, "x", {0.249, 0.696});
  EXPECT_EQ(between.unsure, unsure({{"why", "between"}, {"other", between.next}}));
}

// Beside one class of one kernel there is no other to compare with: what is off by more than one (uses do not scatter,
// so that nothing is scaled) is far.
TEST(Assign, ToTheOnlyClass) {
  const auto classes = classified({use("gemm", 0.1, 0.9)});
  EXPECT_EQ(assign(classes, "x", {0.5, 0.9}).cls, "A");
  EXPECT_EQ(assign(classes, "x", {0.5, 0.9}).next, "");
  EXPECT_EQ(assign(classes, "x", {0.5, 0.9}).unsure, std::nullopt);
  EXPECT_EQ(assign(classes, "x", {0.1, 2.0}).unsure.value()["why"].name(), "far");
}

// Of what one share is not known there is no class.
TEST(Assign, TellsNothingOfAnUnknownShare) {
  const Assigned found = assign(classified(three_groups()), "x", {NAN, 0.5});
  EXPECT_EQ(found.cls, "");
  EXPECT_TRUE(std::isnan(found.distance));
  EXPECT_EQ(found.unsure, unsure({{"why", "unknown-use"}}));
}

TEST(Classify, RefusesWhatItCannotDo) {
  const Error unknown = error_of([] { (void)classified(three_groups(), {0, false, {"gem"}}); });
  EXPECT_EQ(unknown.code(), ErrorCode::usage);
  EXPECT_NE(std::string(unknown.what()).find("\"gemm\""), std::string::npos);
  EXPECT_EQ(error_of([] { (void)classified(three_groups(), {10, false, {}}); }).code(), ErrorCode::usage);
  auto untold = use("x", NAN, 0.1);
  EXPECT_EQ(error_of([&] { (void)classified({untold}); }).code(), ErrorCode::data);
  EXPECT_NE(std::string(error_of([&] { (void)classified({untold}); }).what()).find("it has x (unknown-use)"),
            std::string::npos);
}

TEST(Classify, NeedsGpusAndSessions) {
  const auto error = [](int gpus, int sessions) {
    Profile profile = made_up::empty_profile(gpus, sessions);
    made_up::measure(profile, made_up::kernel("k", "fp32", 1, 1, 1), 1);
    return error_of([&] { require_classifiable(profile, "p.h5"); });
  };
  EXPECT_EQ(error(8, 2).code(), ErrorCode::fault);  // not refused
  EXPECT_EQ(error(7, 2).code(), ErrorCode::data);
  EXPECT_NE(std::string(error(7, 2).what()).find("7 GPUs"), std::string::npos);
  EXPECT_EQ(error(8, 1).code(), ErrorCode::data);
  Profile imported = made_up::empty_profile(8, 1);
  imported.origin = "imported";  // names no sessions
  made_up::measure(imported, made_up::kernel("k", "", 0, 1, 1), 1);
  EXPECT_NO_THROW(require_classifiable(imported, "p.h5"));
  EXPECT_NE(std::string(error(8, 1).what()).find("session"), std::string::npos);
}

// By hand: uses of 0.1 and 0.3 of the memory have the mean 0.2 and the deviation 0.1, of 0.2 and 0.8 of a pipe 0.5 and
// 0.3. So the classes lie at (1, 1) and (-1, -1), and what is over sqrt(2), half of their distance, from both is far;
// nearly as near is what has over 0.8 of the way to the next: 1.281 of 1.562, but not 1.25 of 1.601.
TEST(Assign, DistancesAreInDeviations) {
  const auto found = classified({use("a", 0.1, 0.2), use("b", 0.3, 0.8)});
  EXPECT_NEAR(found.mean.x, 0.2, 1e-12);
  EXPECT_NEAR(found.mean.y, 0.5, 1e-12);
  EXPECT_NEAR(found.scale.x, 0.1, 1e-12);
  EXPECT_NEAR(found.scale.y, 0.3, 1e-12);
  const Assigned near = assign(found, "x", {0.3, 0.5});
  EXPECT_EQ(near.cls, "A");
  EXPECT_EQ(near.next, "B");
  EXPECT_NEAR(near.distance, 1, 1e-12);
  EXPECT_NEAR(near.next_distance, std::sqrt(5), 1e-12);
  EXPECT_EQ(near.unsure, std::nullopt);
  const Note far = assign(found, "x", {0.5, 0.5}).unsure.value();
  EXPECT_EQ(far["class"].name(), "A");
  EXPECT_NEAR(far["distance"].number(), std::sqrt(5), 1e-12);
  EXPECT_EQ(assign(found, "x", {0.22, 0.5}).unsure, unsure({{"why", "between"}, {"other", "B"}}));
  EXPECT_EQ(assign(found, "x", {0.225, 0.5}).unsure, std::nullopt);
  EXPECT_EQ(assign(found, "x", {0.18, 0.5}).unsure, unsure({{"why", "between"}, {"other", "A"}}));
}

// Each kernel that is left out is named with its reason, by label; none of them has a class, nor moves the others.
TEST(Classify, SaysWhyAKernelIsLeftOut) {
  auto uses = three_groups();
  uses.push_back(use("a-link", 1, 1));
  uses.back().no_application = true;
  uses.push_back(use("b-lost", 0.5, NAN));
  uses.push_back(use("c-lost", NAN, 0.5));
  uses.back().missing = {"triad"};
  uses.push_back(use("d-never", 0.5, 0.5));
  uses.back().gpus = 0;
  uses.push_back(use("e-little", 0.5, 0.5));
  uses.back().too_little = {8, 1};
  const auto found = classified(uses, {.classes = 0, .with_ceilings = false, .leave_out = {"md"}});
  const auto left = [](const char* label, ValueRecord why) {
    return Note{"left-kernel", Severity::info, label, std::move(why)};
  };
  EXPECT_EQ(found.notes, (std::vector{left("a-link", {{"why", "no-application"}}),
                                      left("b-lost", {{"why", "unknown-use"}, {"missing", ValueList{}}}),
                                      left("c-lost", {{"why", "unknown-use"}, {"missing", ValueList{"triad"}}}),
                                      left("d-never", {{"why", "no-times"}}),
                                      left("e-little", {{"why", "too-little"}, {"gpus", 8}, {"sessions", 1}}),
                                      left("md", {{"why", "asked"}})}));
  ASSERT_EQ(found.classes.size(), 3U);
  EXPECT_EQ(members(found, 1), (std::vector<std::string>{"bert", "gcn"}));
  for (std::size_t i = 0; i < found.uses.size(); ++i) {
    const bool left_out = found.uses[i].label.find('-') != std::string::npos || found.uses[i].label == "md";
    EXPECT_EQ(found.class_of[i].empty(), left_out) << found.uses[i].label;
  }
}

// Of too few kernels to choose from it is said how many there are; where a number is asked for nothing is chosen.
TEST(Classify, SaysOfHowManyKernelsItCannotChoose) {
  const std::vector<KernelUse> all = {use("a", 0.1, 0.9), use("b", 0.2, 0.8), use("c", 0.9, 0.1), use("d", 0.8, 0.2)};
  const auto notes = [&](std::ptrdiff_t kernels, std::size_t asked = 0) {
    return classified({all.begin(), all.begin() + kernels}, {asked, false, {}}).notes;
  };
  const auto few = [](int kernels) {
    return std::vector{Note{"few-kernels", Severity::care, "", {{"kernels", kernels}}}};
  };
  for (const int kernels : {1, 2, 3}) EXPECT_EQ(notes(kernels), few(kernels));
  EXPECT_TRUE(notes(4).empty());
  EXPECT_TRUE(notes(2, 1).empty());
  EXPECT_TRUE(notes(3, 2).empty());
}

// Which class it would be of, at the use at which it would: that of all gathers missing, but no more than memory gives;
// what is over that already cannot move more. What stays in its class is not noted.
TEST(Classify, SaysWhereTheIntervalWouldPutAKernel) {
  auto uses = three_groups();
  uses.push_back(use("gather", 0.42, 0.3));
  uses.back().u_dram_most = 2.5;
  uses.push_back(use("cached", 1.2, 0.1));
  uses.back().u_dram_most = 2.5;
  uses[0].u_dram_most = 0.12;
  const auto found = classified(uses, {.classes = 3, .with_ceilings = false, .leave_out = {}});
  const Note expected{
      "unsure-class", Severity::care, "gather", {{"why", "cache-misses"}, {"other", "C"}, {"u_dram", 1.0}}};
  EXPECT_EQ(found.notes, std::vector{expected});
}

}  // namespace
}  // namespace palstudy
