// SPDX-License-Identifier: MIT
#include "analysis/run_values.hpp"

#include "archive/write_records.hpp"
#include "campaign/scratch.hpp"
#include "record/small_run.hpp"

namespace palstudy {
namespace {

/// Two runs, numbers 0 and 1, of three jobs each, whose archive keeps no study.
class ValuesOfRuns : public Scratch {
 protected:
  ValuesOfRuns() { write_archive(dir / "a.h5", {test::numbered_record(0), test::numbered_record(1)}, {}, {}); }
};

// Columns of runs and of their provenance are read by name, as texts or as numbers; what is not there, or no number, is
// refused.
TEST_F(ValuesOfRuns, AreReadByName) {
  const ArchiveReader archive(dir / "a.h5");
  const RunValues runs(archive);
  EXPECT_EQ(runs.rows(), 2u);
  EXPECT_EQ(runs.axes(), (std::vector<std::string>{"engine.round_s", "policy.placement", "workload.seed"}));
  EXPECT_TRUE(runs.has("jct_mean_s"));
  EXPECT_TRUE(runs.has("slowdown_max"));
  EXPECT_FALSE(runs.has("jct"));
  EXPECT_EQ(runs.text("run", 1), "1");
  EXPECT_EQ(runs.text("engine.round_s", 1), "360");
  EXPECT_EQ(runs.text("policy.placement", 0), "pal");
  EXPECT_EQ(runs.number("slowdown_max", 0), 3);
  EXPECT_EQ(runs.number("workload.seed", 0), -5);
  EXPECT_EQ(runs.codes("run"), (Codes{0, 1}));
  EXPECT_EQ(runs.codes("jct_mean_s"), (Codes{0, 0}));
  EXPECT_EQ(runs.codes("id"), (Codes{0, 1}));
  const auto refused = [&](auto read) -> std::string { return message_of([&] { (void)read(); }); };
  EXPECT_EQ(refused([&] { return runs.number("policy.placement", 0); }), "policy.placement: is text, not a number");
  EXPECT_EQ(refused([&] { return runs.number("jct", 0); }), "/runs: the archive has no column jct");
  EXPECT_EQ(runs.study(), nullptr);
  EXPECT_FALSE(runs.any_run([](const RunPlan&) { return true; }));
  EXPECT_THROW((void)runs.needed_study(), Error);
}

// Where a run has a row for each part of its jobs, its own values stand in each, and those of the parts before them.
TEST_F(ValuesOfRuns, MayHaveARowForEachPart) {
  const ArchiveReader archive(dir / "a.h5");
  RunValues runs(archive);
  runs.add("jct_log_mean_s", std::vector<double>{7, 8});
  runs.spread({1, 0, 1}, {{"size", TextColumn{{0, 1, 0}, {"1", "2-4"}}}, {"jct_mean_s", std::vector<double>{4, 5, 6}}});
  ASSERT_EQ(runs.rows(), 3u);
  EXPECT_TRUE(runs.has("size"));
  EXPECT_EQ(runs.run_of(2), 1u);
  EXPECT_EQ(runs.text("run", 0), "1");
  EXPECT_EQ(runs.text("run", 1), "0");
  EXPECT_EQ(runs.text("size", 1), "2-4");
  EXPECT_EQ(runs.number("jct_mean_s", 1), 5);
  EXPECT_EQ(runs.number("jct_log_mean_s", 2), 8);
  EXPECT_EQ(runs.codes("size"), (Codes{0, 1, 0}));
  EXPECT_EQ(runs.codes("run"), (Codes{0, 1, 0}));
}

// Combinations are numbered in the order in which they first occur; without columns all rows are alike.
TEST(RunCodes, OfCombinationsCountFromTheFirst) {
  EXPECT_EQ(combined({{0, 1, 0, 1}, {0, 0, 1, 0}}, 4), (Codes{0, 1, 2, 1}));
  const Codes alike = combined({}, 3);
  ASSERT_EQ(alike.size(), 3u);
  EXPECT_TRUE(alike[0] == alike[1] && alike[1] == alike[2]);
}

// The name of a file without its folder and its last ending, that of a compressed file before .gz; a name that begins
// with a dot is no ending.
TEST(TraceNames, AreThoseOfTheFiles) {
  const auto names =
      trace_names({"a.b/philly", "x/helios.2020.csv", "x/sia.csv.gz", "x/.hidden", "x/.csv.gz", "plain"});
  EXPECT_EQ(names.at("a.b/philly"), "philly");
  EXPECT_EQ(names.at("x/helios.2020.csv"), "helios.2020");
  EXPECT_EQ(names.at("x/sia.csv.gz"), "sia");
  EXPECT_EQ(names.at("x/.hidden"), ".hidden");
  EXPECT_EQ(names.at("x/.csv.gz"), ".csv");
  EXPECT_EQ(names.at("plain"), "plain");
  const auto alike = trace_names({"x/sia.csv", "y/sia.csv", "x/sia.csv"});
  EXPECT_EQ(alike.at("x/sia.csv"), "x/sia.csv");
  EXPECT_EQ(trace_names({"x/sia.csv", "x/sia.csv"}).at("x/sia.csv"), "sia") << "one file, named twice";
}

}  // namespace
}  // namespace palstudy
