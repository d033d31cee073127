// SPDX-License-Identifier: MIT
#include "analysis/offered_load.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "archive/reader.hpp"
#include "archive/write_records.hpp"
#include "campaign/scratch.hpp"
#include "record/small_run.hpp"

namespace palstudy {
namespace {

// Queues that grow below capacity are those of jobs behind one that does not fit: the advice to let them pass is for
// such runs alone, not for a cluster that is offered more than it can do.
TEST(Overload, KnowsQueuesThatGrowBelowCapacity) {
  Overload below, above, none;
  below.add(0.8, 5);
  above.add(0.8, 5);
  above.add(1.3, 9);
  none.add_other();
  EXPECT_TRUE(below.below_capacity());
  EXPECT_FALSE(above.below_capacity());
  EXPECT_FALSE(none.below_capacity());
  EXPECT_EQ(none.text(), "");
}

/// An archive of so many runs, of which a test gives the waits and completion times.
class WaitingRuns : public Scratch {
 protected:
  /// What is said of runs with these shares of waiting, by policy; of the last run nothing may be claimed.
  [[nodiscard]] std::string said_of(const std::vector<std::pair<std::string, double>>& percent) const {
    std::vector<RunRecord> records;
    std::vector<double> waits, times(percent.size(), 1000.0);
    for (const auto& [policy, share] : percent) {
      records.push_back(test::numbered_record(static_cast<std::int64_t>(records.size())));
      waits.push_back(10 * share);
    }
    std::filesystem::remove(dir / "a.h5");
    write_archive(dir / "a.h5", records, {}, {});
    const ArchiveReader archive(dir / "a.h5");
    RunValues runs(archive);
    runs.add("wait_mean_s", waits);
    runs.add("jct_mean_s", times);
    return waiting_line(runs, {[&](std::size_t run) { return run + 1 < percent.size(); },
                               [&](std::size_t run) { return percent[run].first; }});
  }
};

// Over half on average, or in a quarter of the runs: one of four is, one of five is not. Up to four policies are named,
// of five the range. A run that makes no claim counts nowhere.
TEST_F(WaitingRuns, AreNamedByPolicyOrCounted) {
  const std::string why =
      ", on average over the runs; where it is over half, a gain is mostly one of waits, which depend on the load, on "
      "what queued before and on the length of rounds";
  EXPECT_EQ(said_of({{"a", 90}, {"a", 10}, {"a", 10}, {"a", 10}, {"b", 60}, {"b", 99}}),
            "waiting is 30 % of the completion time under a (over half in 1 of 4 runs), 60 % under b" + why);
  EXPECT_EQ(said_of({{"a", 90}, {"a", 10}, {"a", 10}, {"a", 10}, {"a", 10}, {"a", 99}}), "");
  EXPECT_EQ(said_of({{"a", 50}, {"a", 99}}), "") << "half is not over half";
  EXPECT_EQ(said_of({{"a", 60}, {"b", 70}, {"c", 80}, {"d", 55}, {"e", 10}, {"f", 99}}),
            "waiting is 60 % of the completion time under a, 70 % under b, 80 % under c, 55 % under d" + why);
  EXPECT_EQ(said_of({{"a", 60}, {"b", 70}, {"c", 80}, {"d", 55}, {"e", 90}, {"f", 99}}),
            "waiting is 55 to 90 % of the completion time under 5 policies" + why);
}

// Without its study an archive does not say how many GPUs a run has, so no load is known, but which runs began on an
// empty cluster is. Of the line that the run noted the part about the load is read.
TEST_F(WaitingRuns, OfAnArchiveWithoutItsStudyAreReadAsFarAsTheyGo) {
  const auto lines = [&](const Provenance& provenance) {
    std::filesystem::remove(dir / "a.h5");
    write_archive(dir / "a.h5", {test::numbered_record(0), test::numbered_record(1)}, {}, provenance);
    const ArchiveReader archive(dir / "a.h5");
    const RunValues runs(archive);
    const RunLoads loads(archive, runs);
    EXPECT_TRUE(loads.known());
    EXPECT_EQ(loads.runs(), 2u);
    EXPECT_EQ(loads.runs_from_empty(), 2u);
    return measured_lines(archive, runs, loads, {[](std::size_t) { return true; }, [](std::size_t) { return "pal"; }});
  };
  const MeasuredLines silent = lines({});
  EXPECT_EQ(silent.measured, "");
  EXPECT_EQ(silent.load, "");
  EXPECT_EQ(silent.overloaded, "");
  Provenance provenance;
  provenance.measured = "measured: all 3 jobs";
  provenance.load = "offered load: 0.5; overloaded in 1 of 2 runs";
  const MeasuredLines said = lines(provenance);
  EXPECT_EQ(said.measured, "measured: all 3 jobs; the cluster is empty when the first of them arrives");
  EXPECT_EQ(said.load, "offered load: 0.5");
  EXPECT_EQ(said.overloaded, "");
}

}  // namespace
}  // namespace palstudy
