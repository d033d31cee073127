// SPDX-License-Identifier: MIT
#include "cli/tables/comparison_text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/tables/comparison_json.hpp"
#include "cli/tables/comparison_wide.hpp"
#include "cli/tables/text_table.hpp"
#include "core/shown_text.hpp"
#include "core/text.hpp"
#include "core/wrapped_text.hpp"

namespace palstudy {
namespace {

constexpr std::size_t screen = 100;

PolicyGain gain_of(const char* policy, const char* baseline, double ratio) {
  Improvement gain;
  gain.ratio = ratio, gain.mean = 1 - ratio;
  gain.pairs = 20, gain.wins = 18;
  return {baseline, policy, "jct_mean_s", gain, 0, {}, 20};
}

/// Two placements, of which one is the baseline: half as long, without an interval.
Comparison comparison_of() {
  Comparison comparison;
  comparison.study = "s";
  comparison.question = "Is it shorter?";
  comparison.metric = "jct_mean_s";
  comparison.metrics = {{"jct_mean_s", "s", false}, {"jct_p99_s", "s", false}};
  comparison.runs = 40;
  comparison.axes = {{"policy.placement", 2}, {"seed", 20}};
  comparison.gpus = {64, 64};
  comparison.policies = {"pal", "packed-sticky"};
  comparison.baselines = {"packed-sticky"};
  ComparisonGroup& group = comparison.groups.emplace_back();
  group.gains = {gain_of("pal", "packed-sticky", 0.5)};
  group.means = {{"jct_mean_s", "pal", 3600.0, true, 20}, {"jct_mean_s", "packed-sticky", 7200.0, true, 20}};
  return comparison;
}

void expect_in(const std::string& tinted_text, const std::string& part) {
  const std::string text = with_colours(tinted_text, false);
  EXPECT_NE(text.find(part), std::string::npos) << part << "\nis not in\n" << text;
}

void expect_fits(const std::string& text, std::size_t columns) {
  for (const std::string& line : split(text)) EXPECT_LE(width_of(line), columns) << line;
}

// The question, what was run, and the answer stand first; the table has the means of which the change is the quotient.
TEST(ComparisonText, AnswersFirst) {
  const auto lines = split(with_colours(comparison_text(comparison_of(), screen), false));
  EXPECT_EQ(lines.at(0), "Is it shorter?");
  EXPECT_EQ(lines.at(1), "40 runs: 2 placements x 20 seeds; 64 GPUs");
  EXPECT_EQ(lines.at(3), "pal: mean completion time 50.0 % shorter than packed-sticky, no interval");
  EXPECT_EQ(lines.at(5), "placement      mean JCT    change  shorter in");
  EXPECT_EQ(lines.at(6), "pal              1.00 h   -50.0 %    18 of 20");
  EXPECT_EQ(lines.at(7), "packed-sticky    2.00 h  baseline");
}

// The interval that holds together with all others decides: "~" where it holds 0.
TEST(ComparisonText, ShowsTheIntervalThatHoldsTogether) {
  Comparison comparison = comparison_of();
  PolicyGain& one = comparison.groups[0].gains[0];
  one.gain->ratio_low = 0.35, one.gain->ratio_high = 0.65;
  expect_in(comparison_text(comparison, screen), "50 % shorter than packed-sticky (35 to 65 %), shorter in 18 of 20");
  expect_in(comparison_text(comparison, screen), "-65 to -35 %");
  one.comparisons = 4;
  one.simultaneous = one.gain;
  one.simultaneous->ratio_low = 0.2, one.simultaneous->ratio_high = 1.1;
  const std::string text = comparison_text(comparison, screen);
  expect_in(text, "not found to differ from packed-sticky (80 % shorter to 10 % longer)");
  expect_in(text, "  ~");
  expect_in(text, "95 %, together");
}

// Parts of two signs are told with both.
TEST(ComparisonText, ARangeOverTracesHasItsSigns) {
  Comparison comparison = comparison_of();
  comparison.groups[0].gains[0].parts = {8, -0.055, 0.623, true, 0.377, 1.055};
  expect_in(comparison_text(comparison, 120), "62.3 % shorter to 5.5 % longer by trace, no interval");
}

// Two baselines stand beside each other where they fit, else below each other; so do the columns of groups.
TEST(ComparisonText, FitsTheScreen) {
  Comparison comparison = comparison_of();
  comparison.policies.emplace_back("packed-nonsticky");
  comparison.baselines.emplace_back("packed-nonsticky");
  comparison.groups[0].gains.push_back(gain_of("pal", "packed-nonsticky", 0.75));
  const std::string wide = comparison_text(comparison, screen), narrow = comparison_text(comparison, 60);
  expect_in(wide, "packed-sticky  shorter in  packed-nonsticky  shorter in");
  expect_in(narrow, "against packed-nonsticky\n");
  expect_fits(wide, screen);
  expect_fits(narrow, 60);
}

// Of many groups the answer counts which way they point.
TEST(ComparisonText, CountsManyGroups) {
  Comparison comparison = comparison_of();
  for (int i = 0; i < 4; ++i) {
    comparison.groups.push_back(comparison.groups[0]);
    comparison.groups.back().gains[0].gain->ratio = 1.5;
  }
  for (auto& group : comparison.groups) group.labels = {{"a", "=", "1"}};
  expect_in(comparison_text(comparison, screen),
            "pal: mean completion time against packed-sticky: shorter in 1, longer in 4 of 5 groups");
}

// Of the values of another axis it is said which differ.
TEST(ComparisonText, NamesTheValuesThatDiffer) {
  Comparison comparison = comparison_of();
  comparison.compared = "routing.policy";
  comparison.groups[0].gains[0].gain->ratio_low = 0.35;
  comparison.groups[0].gains[0].gain->ratio_high = 0.65;
  comparison.groups[0].gains.push_back(gain_of("hash", "packed-sticky", 1.0));
  comparison.groups[0].gains[1].gain->ratio_low = 0.9;
  comparison.groups[0].gains[1].gain->ratio_high = 1.1;
  expect_in(comparison_text(comparison, screen),
            "mean completion time: 1 of 2 differs from packed-sticky: pal, 50 % shorter (35 to 65 %)");
}

// Where nothing is claimed the reason is the answer, and no note beside it.
TEST(ComparisonText, TellsWhyNothingIsClaimed) {
  Comparison comparison = comparison_of();
  comparison.groups[0].gains[0].gain.reset();
  comparison.notes = {{"failed", Severity::stop, "", {{"runs", 40}, {"of", 40}}}};
  const std::string text = comparison_text(comparison, screen);
  expect_in(text, "no claim: 40 of 40 runs failed");
  EXPECT_EQ(text.find("notes\n"), std::string::npos) << text;
}

// Five notes, the heaviest first, and how many there are more; a note on inputs as the archive keeps it.
TEST(ComparisonText, HasTheHeaviestNotes) {
  Comparison comparison = comparison_of();
  comparison.notes = {{"zero-values",
                       Severity::info,
                       "",
                       {{"gains", ValueList{ValueRecord{{"metric", "jct_mean_s"}, {"pairs", 1}, {"of", 2}}}}}}};
  for (int i = 0; i < 6; ++i) {
    comparison.input_notes.push_back({{"note-" + std::to_string(i), Severity::care, "", {}}, "said then"});
  }
  const std::string text = comparison_text(comparison, screen);
  expect_in(text, "  note-0           said then\n");
  EXPECT_EQ(text.find("zero-values"), std::string::npos) << text;
  expect_in(text, "2 more: --notes   assumed: --assumptions   meaning: palstudy explain note-0");
  const std::string all = comparison_notes(comparison, screen);
  expect_in(all, "care  note-5           said then\n");
  expect_in(all, "info  zero-values      jct_mean_s: 1 of 2 pairs have a zero");
  expect_in(comparison_brief(comparison, screen), "notes: note-0, note-1, note-2, note-3, note-4, 2 more: --notes");
  const auto said = nlohmann::json::parse(comparison_json(comparison)).at("notes").back();
  EXPECT_EQ(said["text"], "said then");
}

TEST(ComparisonText, TellsTheRunsThatAreLeftOut) {
  Comparison comparison = comparison_of();
  comparison.left_out = {{3, {{"workload.trace", "x/sia1.csv"}}, NoClaim::failed, 0, 0}};
  comparison.trace_names = {{"x/sia1.csv", "sia1"}};
  expect_in(comparison_text(comparison, screen), "; 1 run left out\n");
  expect_in(comparison_notes(comparison, screen), "left out: run 3 (workload.trace = sia1): failed\n");
}

// Metrics that are asked for stand in the table and the brief; one that was not asked for does not.
TEST(ComparisonText, HasTheMetricsThatWereAskedFor) {
  Comparison comparison = comparison_of();
  auto& gains = comparison.groups[0].gains;
  gains.push_back(gains[0]);
  gains.back().metric = "jct_p99_s";
  EXPECT_EQ(comparison_text(comparison, screen).find("jct_p99_s"), std::string::npos);
  EXPECT_EQ(comparison_brief(comparison, screen).find("jct_p99_s"), std::string::npos);
  comparison.asked = {"jct_mean_s", "jct_p99_s"};
  expect_in(comparison_text(comparison, screen), "jct_p99_s   pal");
  expect_in(comparison_brief(comparison, screen), "pal        packed-sticky  jct_p99_s");
}

TEST(ComparisonText, AssumptionsAreALineEach) {
  Comparison comparison = comparison_of();
  comparison.assumptions = {{"policy.scheduler", ValueList{"list"}},
                            {"policy.order", ValueList{"fifo"}},
                            {"policy.backfill", ValueList{"none"}}};
  EXPECT_EQ(split(comparison_assumptions(comparison, screen)).at(0), "scheduler          order fifo; backfill none");
}

// Where one policy has an interval and another none, the wide view says of which there is none.
TEST(ComparisonWide, NamesThePolicyWithoutAnInterval) {
  Comparison comparison = comparison_of();
  auto& gains = comparison.groups[0].gains;
  gains[0].gain->no_interval = {Missing::no_change};
  expect_in(comparison_wide(comparison), "No interval of jct_mean_s: the seeds");
  gains.push_back(gains[0]);
  gains[1].policy = "random-sticky";
  gains[1].gain->no_interval = {};
  gains[1].gain->low = 0.1;
  gains[1].gain->high = 0.2;
  gains[1].over = IntervalOver();
  expect_in(comparison_wide(comparison), "No interval of jct_mean_s (pal against packed-sticky): the seeds");
  comparison.groups[0].labels = {{"size", "=", "1"}};
  expect_in(comparison_wide(comparison), "No interval of jct_mean_s (pal against packed-sticky at size = 1): the");
}

}  // namespace
}  // namespace palstudy
