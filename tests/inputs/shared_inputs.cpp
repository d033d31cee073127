// SPDX-License-Identifier: MIT
// Which inputs were made is seen by the files that were read for them: three runs, each with a trace of its own.
#include "inputs/shared_inputs.hpp"

#include <algorithm>

#include "campaign/scratch.hpp"
#include "inputs/inputs.hpp"

namespace palstudy {
namespace {

class Ahead : public Scratch {
 protected:
  Ahead() {
    write("c.csv", "gpu_id,node_id,class,score\n0,0,A,1.0\n");
    for (const char* trace : {"a.csv", "b.csv", "c-jobs.csv"}) {
      write(trace, "job_id,submit_s,num_gpus,iterations,iteration_s,class\n0,0,1,10,1.0,A\n");
    }
  }
  [[nodiscard]] Study three_runs() const {
    return read(
        "cluster.table = \"c.csv\"\ncluster.gpus = 1\ncluster.gpus_per_node = 1\nworkload.reader = \"native\"\n"
        "[axes]\n\"workload.trace\" = [\"a.csv\", \"b.csv\", \"c-jobs.csv\"]\n");
  }
};

// Of two teams the second gets about every other run: here the one in the middle, and none behind the end.
TEST_F(Ahead, MakesTheInputsOfItsOwnShare) {
  const Study study = three_runs();
  ASSERT_EQ(study.runs.size(), 3u);
  Inputs inputs(study);
  InputPrefetch ahead(study, inputs, 1, 2);
  for (int i = 0; i < 3; ++i) ahead.load_some();
  const auto read = inputs.sha256();
  EXPECT_FALSE(read.contains("a.csv"));
  EXPECT_TRUE(read.contains("b.csv"));
  EXPECT_FALSE(read.contains("c-jobs.csv"));
}

// What is wrong with a file is rank 0's to say, once; this rank leaves off.
TEST_F(Ahead, LeavesOffInSilenceWhereInputsAreBad) {
  write("b.csv", "no trace\n");
  const Study study = three_runs();
  Inputs inputs(study);
  InputPrefetch ahead(study, inputs, 0, 1);
  EXPECT_NO_THROW(for (int i = 0; i < 3; ++i) ahead.load_some());
  const auto read = inputs.sha256();
  EXPECT_TRUE(read.contains("a.csv"));
  EXPECT_FALSE(read.contains("c-jobs.csv"));
  EXPECT_THROW((void)inputs.check(), Error) << "nothing is taken to be good that was not";
}

// A table of models beside the study that has the name of the program's own is not read, and its owner is told.
TEST_F(Ahead, AModelTableOfTheProgramsNameIsNotTheStudys) {
  const Study study = three_runs();
  const auto told = [&] {
    Inputs inputs(study);
    InputPrefetch ahead(study, inputs, 0, 1);
    for (int i = 0; i < 3; ++i) ahead.load_some();
    return inputs.notes();
  };
  const auto before = told();
  std::filesystem::create_directory(dir / "jobs");
  write("jobs/models.toml", "no table\n");
  const auto after = told();
  ASSERT_EQ(after.size(), before.size() + 1);
  const Note* unused = find(after, "unused-table");
  ASSERT_NE(unused, nullptr);
  EXPECT_EQ(unused->subject, (dir / "jobs/models.toml").string());
  EXPECT_EQ(find(before, "unused-table"), nullptr);
}

}  // namespace
}  // namespace palstudy
