// SPDX-License-Identifier: MIT
#include "analysis/offered_load.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "analysis/earlier_lines.hpp"
#include "analysis/looks_taken.hpp"
#include "archive/reader.hpp"
#include "archive/write_records.hpp"
#include "campaign/scratch.hpp"
#include "hdf5/attribute.hpp"
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
// empty cluster is; nor does it say which jobs are measured.
TEST_F(WaitingRuns, OfAnArchiveWithoutItsStudyAreReadAsFarAsTheyGo) {
  Provenance provenance;
  provenance.measured_sets = ValueList{ValueRecord{{"run", 0}}};
  write_archive(dir / "a.h5", {test::numbered_record(0), test::numbered_record(1)}, {}, provenance);
  const ArchiveReader archive(dir / "a.h5");
  const RunValues runs(archive);
  const RunLoads loads(archive, runs);
  EXPECT_TRUE(loads.known());
  EXPECT_EQ(loads.runs(), 2u);
  EXPECT_EQ(loads.runs_from_empty(), 2u);
  EXPECT_FALSE(
      note_on_load(archive, runs, loads, {[](std::size_t) { return true; }, [](std::size_t) { return "pal"; }}));
  EXPECT_TRUE(archived_sets(archive, runs.study()).empty());
  EXPECT_TRUE(archived_load(archive, runs.study()).empty());
}

using Sets = std::vector<MeasuredSet>;

/// An archive of a study with two policies, which says of its measured jobs what a test gives.
class ArchivedSets : public Scratch {
 protected:
  ArchivedSets() {
    write_cluster(8);
    write_trace_of(3, [](int job) { return fmt::format("{},2,100,1,A", 10 * job); });
    study = read(minimal + "cluster.gpus = 8\naxes.\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n");
  }
  [[nodiscard]] std::filesystem::path written(const Value& sets) const {
    Provenance provenance;
    provenance.resolved_study = study.resolved;
    provenance.measured_sets = sets;
    std::filesystem::remove(dir / "a.h5");
    write_archive(dir / "a.h5", {test::numbered_record(0), test::numbered_record(1)}, {}, provenance);
    return dir / "a.h5";
  }
  Study study;
};

// Each set comes back whole, loads to the last digit and those that are not known as such, with the plan of its run in
// the study that the archive keeps. Its few numbers are least and most, by hand.
TEST_F(ArchivedSets, ComeBackWhole) {
  const Sets sets = {{&study.runs.at(0), 60, 90, 0.1 + 0.2, 0.4, 0.9, true, 8, 0.25},
                     {&study.runs.at(1), 55, 55, 1.2, nan, nan, false, 16.5, nan}};
  const ArchiveReader archive(written(values_of(sets)));
  const RunValues runs(archive);
  const Sets found = archived_sets(archive, runs.study());
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(values_of(found), values_of(sets));
  EXPECT_EQ(found[1].run, &runs.study()->runs.at(1));
  EXPECT_EQ(found[0].measured, 60u);
  EXPECT_EQ(found[0].total, 90u);
  EXPECT_EQ(found[0].offered_load, 0.1 + 0.2);
  EXPECT_EQ(found[0].whole_load, 0.4);
  EXPECT_EQ(found[0].busiest_load, 0.9);
  EXPECT_EQ(found[0].quiet_load, 0.25);
  EXPECT_TRUE(found[0].from_first && !found[1].from_first);
  EXPECT_TRUE(std::isnan(found[1].whole_load) && std::isnan(found[1].busiest_load) && std::isnan(found[1].quiet_load));
  EXPECT_EQ(found[1].gpus, 16.5);
  const ValueRecord few = {{"workloads", 2},
                           {"overloaded", 0},
                           {"over_one", 1},
                           {"jobs", least_and_most(55, 60)},
                           {"of", least_and_most(55, 90)},
                           {"load", least_and_most(0.1 + 0.2, 1.2)},
                           {"whole", least_and_most(0.4, 0.4)},
                           {"busiest", least_and_most(0.9, 0.9)}};
  EXPECT_EQ(archived_load(archive, runs.study()), few);
  EXPECT_EQ(values_of(Sets()), Value()) << "nothing of none";
}

// What another program put there is refused as data, not as a mistake of ours.
TEST_F(ArchivedSets, ThatAreSomethingElseAreRefused) {
  const Value good = values_of(Sets{{&study.runs.at(0), 60, 90, 0.5}});
  const auto with = [&](const char* name, const Value& value) {
    ValueRecord record = good.list().at(0).record();
    for (auto& [key, one] : record) one = key == name ? value : one;
    return Value(ValueList{record});
  };
  for (const Value& bad : {with("run", 2), with("run", -1), with("measured", "many"), with("gpus", Value()),
                           with("from_first", 1), Value(3), Value(ValueList{4}), Value(ValueList{ValueRecord()})}) {
    const ArchiveReader archive(written(bad));
    expect_parts(message_of(ErrorCode::data, [&] { (void)archived_sets(archive, &study); }),
                 {"measured_sets", "not what this palstudy writes"});
  }
  EXPECT_EQ(archived_sets(ArchiveReader(written(good)), &study).size(), 1u);
}

// Before schema 1.9 an archive had sentences, and the least and the most of jobs and loads as attributes.
TEST_F(ArchivedSets, OfEarlierArchivesAreSentences) {
  hdf5::make_file(dir / "old.h5", [](hdf5::File& file) {
    const std::vector<std::pair<const char*, const char*>> attributes = {
        {"schema", "palstudy-archive 1.7.0"},  {"measured", "measured: all"},
        {"offered_load", "offered load: 0.5"}, {"stop", "looked twice"},
        {"offered_load.workloads", "2"},       {"offered_load.overloaded", "0"},
        {"offered_load.over_one", "0"},        {"offered_load.load_least", "0.5"},
        {"offered_load.load_most", "0.7"}};
    for (const auto& [name, text] : attributes) write_attribute(file, "/", name, std::string(text));
  });
  const ArchiveReader archive(dir / "old.h5");
  const EarlierLines lines = earlier_lines(archive);
  EXPECT_EQ(lines.measured, "measured: all");
  EXPECT_EQ(lines.load, "offered load: 0.5");
  EXPECT_EQ(lines.looks, "looked twice");
  const ValueRecord load = {{"workloads", 2}, {"overloaded", 0}, {"over_one", 0}, {"load", least_and_most(0.5, 0.7)}};
  EXPECT_EQ(lines.load_values, load);
  EXPECT_EQ(archived_load(archive, &study), load);
  EXPECT_TRUE(archived_sets(archive, &study).empty());
  EXPECT_FALSE(archived_looks(archive));
}

}  // namespace
}  // namespace palstudy
