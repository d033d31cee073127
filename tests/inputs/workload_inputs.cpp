// SPDX-License-Identifier: MIT
// What is said of the jobs of a study before it runs.
#include "inputs/workload_inputs.hpp"

#include <fmt/format.h>

#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

/// Two jobs on one GPU.
class TwoJobs : public Scratch {
 protected:
  TwoJobs() { write("c.csv", "gpu_id,node_id,class,score\n0,0,A,1.0\n"); }
  /// The notes about jobs that are submitted then.
  [[nodiscard]] std::vector<Note> notes(long long first_s, long long last_s) const {
    write("jobs.csv", fmt::format("job_id,submit_s,num_gpus,iterations,iteration_s,class\n0,{},1,900,1.0,A\n"
                                  "1,{},1,900,1.0,A\n",
                                  first_s, last_s));
    const Study study = read(minimal + "cluster.gpus = 1\ncluster.gpus_per_node = 1\n");
    return Inputs(study).check();
  }
};

// Times that begin a week or more after time 0, and no less than the trace is long, seem to count from another day.
TEST_F(TwoJobs, ThatBeginLongAfterTime0AreSaid) {
  constexpr long long week_s = 604800;
  EXPECT_TRUE(notes(week_s - 1, week_s - 1).empty());
  EXPECT_EQ(notes(week_s, week_s + 1000),
            (std::vector<Note>{{"late-start", Severity::care, "jobs.csv", {{"first_s", 604800.0}}}}));
  EXPECT_EQ(notes(700000, 1400000).size(), 1u) << "as long after time 0 as the trace is long";
  EXPECT_TRUE(notes(700000, 1400001).empty());
}

}  // namespace
}  // namespace palstudy
