// SPDX-License-Identifier: MIT
// How attempts fail is made once for all runs that agree in what it is made from, and for no others.
#include "inputs/failure_inputs.hpp"

#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

/// Two tables of slowdowns and two traces of one job, on four GPUs.
class FailuresOf : public Scratch {
 protected:
  FailuresOf() {
    write_cluster(4, 2);
    std::filesystem::copy_file(dir / "c.csv", dir / "d.csv");
    for (const char* trace : {"jobs.csv", "more.csv"}) {
      write(trace, "job_id,submit_s,num_gpus,iterations,iteration_s,class\n0,0,1,10,1.0,A\n");
    }
    std::filesystem::copy_file(std::filesystem::path(PALSTUDY_SOURCE_DIR) / "jobs/failures/philly.csv",
                               dir / "mine.csv");
  }
  /// Whether the two runs of an axis have one.
  [[nodiscard]] bool share(const std::string& key, const std::string& values, const std::string& more = "") const {
    const std::string model = key == "failures.model" ? "" : "failures.model = \"philly\"\n";
    const std::string trace = key == "workload.trace" ? "" : "workload.trace = \"jobs.csv\"\n";
    const std::string table = key == "cluster.table" ? "" : "cluster.table = \"c.csv\"\n";
    const Study study = read(trace + table + model + "workload.reader = \"native\"\ncluster.gpus = 4\n" +
                             "cluster.gpus_per_node = 2\n" + more + "[axes]\n\"" + key + "\" = " + values + "\n");
    EXPECT_EQ(study.runs.size(), 2u) << key;
    Inputs inputs(study);
    const FailureWorld* first = inputs.load(study.runs.at(0)).failures;
    const FailureWorld* second = inputs.load(study.runs.at(1)).failures;
    EXPECT_TRUE(first != nullptr && second != nullptr) << key;
    return first == second;
  }
};

// Each key of [failures] makes another; a policy does not.
TEST_F(FailuresOf, RunsWithOtherKeysAreOthers) {
  const std::vector<std::pair<std::string, std::string>> keys = {{"failures.model", "[\"philly\", \"mine.csv\"]"},
                                                                 {"failures.retries", "[1, 2]"},
                                                                 {"failures.repeat", "[0.5, 0.6]"},
                                                                 {"failures.checkpoint_s", "[0, 60]"},
                                                                 {"failures.scale", "[1, 0.5]"},
                                                                 {"failures.validate_s", "[0, 60]"},
                                                                 {"failures.adaptive_retry", "[false, true]"},
                                                                 {"failures.kill_exponent", "[0, 0.5]"},
                                                                 {"failures.kills", "[\"end\", \"within\"]"},
                                                                 {"failures.late", "[\"fails\", \"passes\"]"},
                                                                 {"failures.faults", "[\"job\", \"gpu\"]"},
                                                                 {"failures.seed", "[1, 2]"}};
  for (const auto& [key, values] : keys) EXPECT_FALSE(share(key, values)) << key;
  EXPECT_FALSE(share("failures.slow", "[false, true]", "failures.faults = \"node\"\n"));
  EXPECT_FALSE(share("failures.kill_exponent", "[1, 1.5]"));
  EXPECT_TRUE(share("policy.placement", "[\"pal\", \"packed-sticky\"]"));
}

// The cluster is asked where faults are of nodes or GPUs, the jobs where their lengths decide who is killed.
TEST_F(FailuresOf, TheClusterAndTheJobsCountWhereTheyAreAsked) {
  const std::string tables = "[\"c.csv\", \"d.csv\"]", traces = "[\"jobs.csv\", \"more.csv\"]";
  EXPECT_TRUE(share("cluster.table", tables));
  EXPECT_FALSE(share("cluster.table", tables, "failures.faults = \"node\"\n"));
  EXPECT_FALSE(share("cluster.table", tables, "failures.faults = \"gpu\"\n"));
  EXPECT_TRUE(share("workload.trace", traces));
  EXPECT_FALSE(share("workload.trace", traces, "failures.kill_exponent = 1\n"));
}

}  // namespace
}  // namespace palstudy
