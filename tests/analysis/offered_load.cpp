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
  EXPECT_FALSE(none.note());
}

/// An archive of so many runs, of which a test gives the waits and completion times.
class WaitingRuns : public Scratch {
 protected:
  /// What is said of runs with these shares of waiting, by policy; of the last run nothing may be claimed.
  [[nodiscard]] std::optional<Note> said_of(const std::vector<std::pair<std::string, double>>& percent) const {
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
    return note_on_waiting(runs, {[&](std::size_t run) { return run + 1 < percent.size(); },
                                  [&](std::size_t run) { return percent[run].first; }});
  }
};

// Over half on average, or in a quarter of the runs: one of four is, one of five is not. A run that makes no claim
// counts nowhere.
TEST_F(WaitingRuns, AreNotedByPolicy) {
  const Note note = said_of({{"a", 90}, {"a", 10}, {"a", 10}, {"a", 10}, {"b", 60}, {"b", 99}}).value();
  EXPECT_EQ(note.id, "waiting");
  const ValueList& policies = note["policies"].list();
  ASSERT_EQ(policies.size(), 2u);
  EXPECT_EQ(policies[0]["name"], Value("a"));
  EXPECT_NEAR(policies[0]["share"].number(), 0.3, 1e-12);
  EXPECT_EQ(policies[0]["over_half"], Value(1));
  EXPECT_EQ(policies[0]["runs"], Value(4));
  EXPECT_EQ(policies[1]["over_half"], policies[1]["runs"]);
  EXPECT_FALSE(said_of({{"a", 90}, {"a", 10}, {"a", 10}, {"a", 10}, {"a", 10}, {"a", 99}}));
  EXPECT_FALSE(said_of({{"a", 50}, {"a", 99}})) << "half is not over half";
}

// Without its study an archive does not say how many GPUs a run has, so no load is known, but which runs began on an
// empty cluster is; and what the run noted of its load is read as numbers.
TEST_F(WaitingRuns, OfAnArchiveWithoutItsStudyAreReadAsFarAsTheyGo) {
  const auto noted = [&](const Provenance& provenance) {
    std::filesystem::remove(dir / "a.h5");
    write_archive(dir / "a.h5", {test::numbered_record(0), test::numbered_record(1)}, {}, provenance);
    const ArchiveReader archive(dir / "a.h5");
    const RunValues runs(archive);
    const RunLoads loads(archive, runs);
    EXPECT_TRUE(loads.known());
    EXPECT_EQ(loads.runs(), 2u);
    EXPECT_EQ(loads.runs_from_empty(), 2u);
    EXPECT_FALSE(
        note_on_load(archive, runs, loads, {[](std::size_t) { return true; }, [](std::size_t) { return "pal"; }}));
    return archived_load(archive);
  };
  EXPECT_TRUE(noted({}).empty());
  Provenance provenance;
  provenance.load = "offered load: 0.5";
  provenance.load_values = {
      {"workloads", 2}, {"overloaded", 0}, {"over_one", 0}, {"load_least", 0.5}, {"load_most", 0.5}};
  EXPECT_EQ(noted(provenance),
            (ValueRecord{{"workloads", 2}, {"overloaded", 0}, {"over_one", 0}, {"load", least_and_most(0.5, 0.5)}}));
}

}  // namespace
}  // namespace palstudy
