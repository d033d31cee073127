// SPDX-License-Identifier: MIT
// Whether gains will have intervals is known before a run is made, and is what `compare` then says.
#include "campaign/planned_intervals.hpp"

#include <fmt/format.h>

#include <tuple>

#include "analysis/comparison.hpp"
#include "archive/write_records.hpp"
#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

class PlannedIntervals : public Scratch {
 protected:
  /// Jobs of five users over so many weeks, four a day, on a cluster that each seed draws.
  [[nodiscard]] Study study(const std::string& more, int weeks = 1) const {
    std::string trace = "job_id,submit_s,num_gpus,iterations,iteration_s,class,user\n";
    for (int job = 0; job < 28 * weeks; ++job) {
      trace += fmt::format("{},{},{},{},1,A,u{}\n", job, 21600 * job, 1 + job % 4, 20000 + 1000 * (job % 7), job % 5);
    }
    write("jobs.csv", trace);
    return read(
        "[cluster]\ngpus = 8\nsource = \"bootstrap\"\nprofile = \"longhorn\"\n[workload]\ntrace = \"jobs.csv\"\n"
        "reader = \"native\"\n" +
        more + "\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n");
  }
  static std::string planned(const Study& study) {
    Inputs inputs(study);
    (void)inputs.check();
    return no_interval_line(study, inputs);
  }
  /// Why the gain of pal has no interval.
  [[nodiscard]] std::string compared(const Study& study) const {
    Provenance provenance;
    provenance.resolved_study = study.resolved;
    provenance.baselines = study.baselines;
    provenance.compare_metric = study.compare_metric;
    provenance.resampled = Inputs(study).trace_blocks();
    const auto file = dir / "a.h5";
    std::filesystem::remove(file);
    write_archive(file, simulate_all(study), {}, provenance);
    return compare(ArchiveReader(file), {}).groups.at(0).gains.at(0).gain.value().no_interval;
  }
};

// Seven clusters are too few and eight are not; where clusters and workloads are crossed either may be too few; four
// weeks are too few to draw from, and so are seven resamples. The reason is the one that `compare` gives.
TEST_F(PlannedIntervals, AreKnownBeforeTheRuns) {
  const std::string weeks = "resample = \"weeks\"\n[axes]\nseed = { first = 1, count = 8 }\n";
  for (const auto& [more, trace, why] :
       {std::tuple("[axes]\n", 1, "1 of at least 8 replications (combinations of seeds)"),
        {"[axes]\nseed = { first = 1, count = 7 }\n", 1, "7 of at least 8 replications (combinations of seeds)"},
        {"[axes]\nseed = { first = 1, count = 8 }\n", 1, ""},
        {"resample = \"users\"\n[axes]\n\"cluster.seed\" = [1, 2]\n\"workload.seed\" = { first = 1, count = 8 }\n", 1,
         "2 of at least 8 cluster seeds"},
        {weeks.c_str(), 4, "the trace has 4 whole weeks to draw from (workload.resample), and an interval needs 8"}}) {
    const Study made = study(more, trace);
    const std::string said = compared(made);
    EXPECT_EQ(said, why);
    EXPECT_EQ(planned(made), said.empty() ? "" : "no interval can be told of a gain: " + said) << more;
  }
}

// Workload seeds of a trace that is read from a file change nothing, so that they are no replications; and a study that
// compares nothing needs no interval.
TEST_F(PlannedIntervals, CountWhatDrawsSomething) {
  const Study same = study("[axes]\n\"cluster.seed\" = [1, 2, 3]\n\"workload.seed\" = { first = 1, count = 8 }\n");
  EXPECT_EQ(compared(same), "3 of at least 8 replications (combinations of seeds)");
  EXPECT_EQ(planned(same), "no interval can be told of a gain: " + compared(same));
  const Study single = read(study("[axes]\nseed = [1, 2]\n").resolved, {"policy.placement=pal"});
  EXPECT_EQ(planned(single), "");
}

}  // namespace
}  // namespace palstudy
