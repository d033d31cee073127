// SPDX-License-Identifier: MIT
// Which measurements a study's clusters are drawn from; profiles of one's own: tests/campaign/profile_clusters.cpp.
#include "inputs/profile/profile_inputs.hpp"

#include <algorithm>

#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

class BundledProfiles : public Scratch {
 protected:
  BundledProfiles() { write("jobs.csv", "job_id,submit_s,num_gpus,iterations,iteration_s,class\n0,0,1,10,1.0,A\n"); }
  [[nodiscard]] Study study(const std::string& more) const {
    return read("[workload]\ntrace = \"jobs.csv\"\nreader = \"native\"\n[cluster]\ngpus = 8\nsource = \"bootstrap\"\n" +
                more);
  }
};

// A class may stand on another machine than the first one, which is said of that class.
TEST_F(BundledProfiles, ClassesOfAnotherMachineAreSaid) {
  const auto said = [&](const std::string& classes) {
    const Study one = study("classes = \"" + classes + "\"\n");
    std::vector<Note> notes = Inputs(one).check();
    std::erase_if(notes, [](const Note& note) { return note.id != "other-machine"; });
    return notes;
  };
  EXPECT_TRUE(said("pal").empty());
  const ValueRecord bert = {{"kernel", "frontera-bert"}, {"profile", "longhorn"}};
  EXPECT_EQ(said("reliable"), (std::vector<Note>{{"other-machine", Severity::care, "B", bert},
                                                 {"other-machine", Severity::care, "C", bert}}));
}

// A machine that there is not is refused where it is named, with those that there are.
TEST_F(BundledProfiles, AnUnknownMachineIsRefused) {
  const Study one = study("profile = \"longhron\"\n");
  expect_parts(message_of(ErrorCode::usage, [&] { (void)Inputs(one).check(); }),
               {"study.toml:7:11", "no bundled profile \"longhron\"; did you mean \"longhorn\"?",
                "there are frontera, lonestar6, longhorn; or name a profile (.h5) of your own"});
}

// What a cluster is drawn from counts as read: of each measurement the table of GPUs and that of their runs.
TEST_F(BundledProfiles, CountAsRead) {
  const Study one = study("");
  Inputs inputs(one);
  (void)inputs.check();
  const auto read_files = inputs.sha256();
  for (const char* name : {"longhorn-bert", "longhorn-pagerank", "longhorn-resnet50"}) {
    EXPECT_TRUE(read_files.contains(std::string("kernels/measurements/") + name + ".csv")) << name;
    EXPECT_TRUE(read_files.contains(std::string("kernels/measurements/runs/") + name + ".csv")) << name;
  }
  EXPECT_FALSE(read_files.contains("kernels/measurements/longhorn-sgemm.csv"));
  EXPECT_EQ(inputs.profile_origin(), "imported");
  EXPECT_EQ(inputs.measurements().size(), 3u);
}

}  // namespace
}  // namespace palstudy
