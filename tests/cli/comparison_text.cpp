// SPDX-License-Identifier: MIT
#include "cli/tables/comparison_text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "analysis/overload.hpp"
#include "cli/tables/comparison_json.hpp"

namespace palstudy {
namespace {

Comparison of(std::size_t clusters, std::size_t workloads, std::size_t replications) {
  Improvement gain;
  gain.pairs = gain.replications = replications;
  gain.clusters = clusters;
  gain.workloads = workloads;
  Comparison comparison;
  comparison.metric = "jct_mean_s";
  comparison.groups.push_back({{}, {}, {{"packed-sticky", "pal", "jct_mean_s", gain, 0, {}, replications}}});
  return comparison;
}

// 30 x 30 combinations of crossed seeds are 60 draws that are independent, not 900.
TEST(ComparisonBrief, CrossedSeedsAreCountedByDirection) {
  const std::string crossed = comparison_brief(of(30, 30, 900));
  EXPECT_NE(crossed.find("900 pairs, 30 cluster seeds x 30 workload seeds"), std::string::npos) << crossed;
  EXPECT_EQ(crossed.find("900 seeds"), std::string::npos) << crossed;
  EXPECT_NE(comparison_brief(of(0, 0, 20)).find("20 pairs, 20 seeds"), std::string::npos);
}

// What is left out, of how many, stands before the tables; the pairs that were used stand in the row of the gain, and
// so does the interval that holds together with the others.
TEST(ComparisonText, WhatIsLeftOutStandsFirst) {
  Comparison comparison = of(0, 0, 18);
  comparison.runs = 40;
  comparison.left_out = {{3, {{"workload.trace", "x/sia1.csv"}}, NoClaim::failed, 0, 0}};
  comparison.trace_names = {{"x/sia1.csv", "sia1"}};
  PolicyGain& one = comparison.groups[0].gains[0];
  one.pairs_of = 20;
  one.gain->low = 0.1;
  one.gain->high = 0.2;
  one.simultaneous = one.gain;
  one.simultaneous->high = 0.3;
  one.comparisons = 4;
  one.over = IntervalOver{{}, {Replicated::together, 18, 0, 0}, {}};
  comparison.groups[0].averaged_over = {{"policy.knowledge", 4}};
  const std::string text = comparison_text(comparison);
  const auto at = [&](const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
    return text.find(part);
  };
  EXPECT_LT(at("1 of 40 runs make no claim"), at("Against packed-sticky"));
  EXPECT_LT(at("run 3 (workload.trace = sia1): failed"), at("Against packed-sticky"));
  EXPECT_LT(at("averaged over policy.knowledge (4 values)"), at("Against packed-sticky"));
  EXPECT_LT(at("10.0 % to 20.0 %"), at("10 % to 30 %"));
  EXPECT_LT(at("10 % to 30 %"), at("18 of 20"));
  (void)at("95 % intervals: over 18 seeds");
  (void)at("Simultaneous: ");
}

// One line a gain says nothing of metrics that it leaves out: neither how their intervals are made nor why there is
// none.
TEST(ComparisonBrief, NamesOnlyWhatItShows) {
  Comparison comparison = of(0, 0, 20);
  auto& gains = comparison.groups[0].gains;
  gains.push_back(gains[0]);
  gains[0].gain->low = gains[0].gain->high = 0.1;
  gains[0].over = IntervalOver();
  gains[0].gain->method = IntervalMethod::student;
  gains[1].metric = "jct_p50_s";
  gains[1].gain->no_interval = {Missing::no_change};
  const std::string brief = comparison_brief(comparison);
  EXPECT_NE(brief.find("Student's t"), std::string::npos) << brief;
  EXPECT_EQ(brief.find("jct_p50_s"), std::string::npos) << brief;
  EXPECT_NE(comparison_text(comparison).find("No interval of jct_p50_s: the seeds change nothing"), std::string::npos);
}

// Of several gains each interval holds for itself: one line a gain has no room for the wider ones, and says so.
TEST(ComparisonBrief, SaysThatIntervalsDoNotHoldTogether) {
  Comparison comparison = of(0, 0, 20);
  PolicyGain& one = comparison.groups[0].gains[0];
  one.gain->low = one.gain->high = 0.1;
  EXPECT_EQ(comparison_brief(comparison).find("Each interval alone"), std::string::npos)
      << "one gain needs no wider interval";
  one.comparisons = 4;
  EXPECT_NE(comparison_brief(comparison).find("Each interval alone holds in 95 % of studies"), std::string::npos);
  one.gain->low.reset();
  EXPECT_EQ(comparison_brief(comparison).find("Each interval alone"), std::string::npos) << "there is no interval";
}

// As they are kept, whatever this program would say today; and for programs as values.
TEST(ComparisonText, RepeatsTheNotesOnInputs) {
  Comparison comparison = of(0, 0, 20);
  comparison.input_notes = {{{"no-quota", Severity::care, "", {{"jobs", 3}}}, "3 jobs left out"}};
  EXPECT_NE(comparison_text(comparison).find("Warning: 3 jobs left out\n"), std::string::npos);
  EXPECT_NE(comparison_brief(comparison).find("Warning: 3 jobs left out\n"), std::string::npos);
  const auto said = nlohmann::json::parse(comparison_json(comparison)).at("notes").back();
  EXPECT_EQ(said, (nlohmann::json{{"id", "no-quota"},
                                  {"severity", "care"},
                                  {"subject", ""},
                                  {"values", {{"jobs", 3}}},
                                  {"text", "3 jobs left out"}}));
}

// The settings stand above every gain, in the text, in brief and for programs.
TEST(ComparisonText, AssumptionsStandAboveTheGains) {
  Comparison comparison = of(0, 0, 20);
  comparison.assumptions = {{"policy.scheduler", ValueList{"list"}},
                            {"policy.order", ValueList{"fifo"}},
                            {"policy.backfill", ValueList{"none"}}};
  for (const std::string& text : {comparison_text(comparison), comparison_brief(comparison)}) {
    ASSERT_NE(text.find("assumes: order fifo; backfill none;"), std::string::npos) << text;
    EXPECT_LT(text.find("assumes: "), text.find("packed-sticky"));
  }
  EXPECT_NE(comparison_json(comparison).find("\"policy.order\""), std::string::npos);
}

// Metrics that the options name are shown, also if they are not the first; one that was not asked for is not.
TEST(ComparisonBrief, ShowsTheMetricsThatWereAskedFor) {
  Comparison comparison = of(0, 0, 20);
  auto& gains = comparison.groups[0].gains;
  for (const char* metric : {"jct_p99_s", "makespan_s"}) {
    gains.push_back(gains[0]);
    gains.back().metric = metric;
  }
  EXPECT_EQ(comparison_brief(comparison).find("jct_p99_s"), std::string::npos);
  comparison.asked = {"jct_mean_s", "jct_p99_s"};
  const std::string asked = comparison_brief(comparison);
  EXPECT_NE(asked.find("pal against packed-sticky, jct_p99_s: gain"), std::string::npos) << asked;
  EXPECT_EQ(asked.find("makespan_s"), std::string::npos) << asked;
}

TEST(ComparisonText, AveragesSayFromWhereToWhere) {
  Comparison comparison = of(0, 0, 20);
  comparison.groups[0].gains[0].parts = {4, 0.047, 0.368, false};
  for (const std::string& text : {comparison_text(comparison), comparison_brief(comparison)}) {
    EXPECT_NE(text.find("averaged over 4 traces, from 4.7 % to 36.8 %"), std::string::npos) << text;
  }
  EXPECT_NE(comparison_json(comparison).find("\"n\": 4"), std::string::npos);
}

// The sentence stands once above the lines, which then have the word alone.
TEST(ComparisonBrief, SaysOverloadedOnce) {
  Comparison comparison = of(0, 0, 20);
  auto& gains = comparison.groups[0].gains;
  PolicyOverload pal{"pal", {}}, sticky{"packed-sticky", {}};
  pal.runs.add(1.5, 9);
  sticky.runs.add(1.5, 9);
  gains[0].overloaded = overload_of_pair(pal, sticky);
  gains.push_back(gains[0]);
  comparison.notes = {*gains[0].overloaded};
  const std::string text = comparison_brief(comparison), waits = "the waits, and the gain with them";
  EXPECT_NE(text.find(waits), std::string::npos) << text;
  EXPECT_EQ(text.find(waits), text.rfind(waits)) << text;
  EXPECT_NE(text.find(", overloaded\n"), std::string::npos) << text;
}

// Where one policy has an interval and another none, the line says of which there is none.
TEST(ComparisonText, NamesThePolicyWithoutAnInterval) {
  Comparison comparison = of(0, 0, 20);
  auto& gains = comparison.groups[0].gains;
  gains[0].gain->no_interval = {Missing::no_change};
  EXPECT_NE(comparison_text(comparison).find("No interval of jct_mean_s: the seeds"), std::string::npos);
  gains.push_back(gains[0]);
  gains[1].policy = "random-sticky";
  gains[1].gain->no_interval = {};
  gains[1].gain->low = 0.1;
  gains[1].gain->high = 0.2;
  gains[1].over = IntervalOver();
  EXPECT_NE(comparison_text(comparison).find("No interval of jct_mean_s (pal against packed-sticky): the seeds"),
            std::string::npos)
      << comparison_text(comparison);
  comparison.groups[0].labels = {{"size", "=", "1"}};
  EXPECT_NE(comparison_text(comparison).find("No interval of jct_mean_s (pal against packed-sticky at size = 1): the"),
            std::string::npos)
      << comparison_text(comparison);
}

// Whose runs are overloaded stands in every line, with the pair of policies that it is about: under the policy's name
// alone an overload of the baseline would read as the policy's.
TEST(ComparisonText, SaysWhoseRunsAreOverloaded) {
  Comparison comparison = of(0, 0, 20);
  PolicyOverload pal{"pal", {}}, sticky{"packed-sticky", {}};
  for (int run = 0; run < 20; ++run) {
    pal.runs.add_other();
    run < 11 ? sticky.runs.add(1.5, 9) : sticky.runs.add_other();
  }
  comparison.groups[0].gains[0].overloaded = overload_of_pair(pal, sticky);
  comparison.notes = {*comparison.groups[0].gains[0].overloaded};
  const std::string brief = comparison_brief(comparison), text = comparison_text(comparison);
  EXPECT_NE(brief.find(", overloaded in 11 of 20 runs of packed-sticky alone\n"), std::string::npos) << brief;
  EXPECT_NE(text.find("pal against packed-sticky: overloaded in 11 of 20 runs of packed-sticky alone: offered"),
            std::string::npos)
      << text;
}

}  // namespace
}  // namespace palstudy
