// SPDX-License-Identifier: MIT
// Studies whose clusters are drawn from a profile file.
#include <algorithm>

#include "archive/profile/profile_file.hpp"
#include "campaign/campaign_info.hpp"
#include "campaign/scratch.hpp"
#include "core/sha256.hpp"
#include "inputs/inputs.hpp"
#include "inputs/profile/profile_files.hpp"
#include "inputs/profile/profile_tools.hpp"
#include "study/data_dir.hpp"
#include "variability/profile/importer.hpp"
#include "variability/profile/profile_of_sessions.hpp"

namespace palstudy {
namespace {

class ProfileClusters : public Scratch {
 protected:
  ProfileClusters() { write("jobs.csv", "job_id,submit_s,num_gpus,iterations,iteration_s,class\n0,0,1,10,1.0,A\n"); }
  void save(const std::string& name, const Profile& profile) const { write_profile(dir / name, profile, {}); }
  [[nodiscard]] static std::string study_text(const std::string& cluster) {
    return "[workload]\ntrace = \"jobs.csv\"\nreader = \"native\"\n[cluster]\ngpus = 8\ngpus_per_node = 2\n" + cluster;
  }
  /// Code and message with which the inputs of a study are refused.
  std::pair<ErrorCode, std::string> refused(const std::string& cluster) {
    try {
      const Study study = read(study_text(cluster));
      Inputs inputs(study);
      (void)inputs.check();
    } catch (const Error& error) {
      return {error.code(), error.what()};
    }
    return {ErrorCode::fault, "accepted"};
  }
};

const std::string all_of_mine = "source = \"measured\"\nprofile = \"mine.h5\"\n";
const std::string block = "source = \"block\"\nprofile = \"mine.h5\"\n";

// Whole nodes of the profile, in some order: GPU g of it took 1 + g/100, the median GPU 1.035, and a class of its own
// name is not needed: the bundled classes of the default kernels are used.
TEST_F(ProfileClusters, AreDrawnFromTheProfile) {
  save("mine.h5", made_up::profile_of(4, 2, {"1", "2", "3"}));
  const Study study = read(study_text(all_of_mine));
  EXPECT_EQ(study.runs[0].cluster.classes, "measured");
  Inputs inputs(study);
  (void)inputs.check();
  const auto loaded = inputs.load_cluster(study.runs[0]);
  EXPECT_EQ(loaded.truth.class_names(), (std::vector<std::string>{"A", "B", "C", "D"}));
  EXPECT_EQ(loaded.classes.at("A")->name, "sgemm");
  EXPECT_EQ(loaded.classes.at("D")->name, "pagerank");
  std::vector<double> drawn;
  for (std::uint32_t g = 0; g < 8; ++g) drawn.push_back(loaded.truth.at(ClassId(0), GpuId(g)));
  for (std::size_t g = 0; g < 8; g += 2) EXPECT_LT(drawn[g], drawn[g + 1]);  // of a node local GPU 0 is the faster one
  std::sort(drawn.begin(), drawn.end());
  for (std::size_t g = 0; g < 8; ++g) EXPECT_NEAR(drawn[g], (1 + 0.01 * static_cast<double>(g)) / 1.035, 1e-6);
  EXPECT_EQ(inputs.sha256().at("mine.h5"), sha256_file(dir / "mine.h5"));
  EXPECT_EQ(inputs.profile_origin(), "bundled-kernels");
  EXPECT_EQ(make_provenance(study, inputs, "", 1).profile_origin, "bundled-kernels");
  std::vector<std::string> copied;
  for (const Measurements* copy : inputs.measurements()) copied.push_back(copy->name);
  EXPECT_EQ(copied, (std::vector<std::string>{"pagerank", "sgemm", "transformer"}));
}

TEST_F(ProfileClusters, BlockAndBootstrapTooAndTheStudyRunsAgainAsResolved) {
  save("mine.h5", made_up::profile_of(4, 2, {"1", "2"}));
  for (const char* source : {"block", "bootstrap"}) {
    const std::string text = study_text("source = \"" + std::string(source) + "\"\nprofile = \"mine.h5\"\n");
    const Study study = read(text);
    Inputs inputs(study);
    (void)inputs.check();
    const Study again = read_study(write("again.toml", study.resolved));
    Inputs of_again(again);
    EXPECT_EQ(of_again.cluster_key(again.runs[0]), inputs.cluster_key(study.runs[0]));
  }
}

// 41 GPUs within 4 %, one of 1.14 and six of over 3, so that mean + 3 s is more than 1.14, all as slow in both
// sessions: the policies believe the GPU of 1.14 to be in no bin of GPUs that are ordinary. In one session nothing
// confirms it.
TEST_F(ProfileClusters, ConfirmedOutliersAreInBinsOfTheirOwn) {
  const auto shares_a_bin = [this](const std::vector<std::string>& sessions) {
    Profile profile = made_up::profile_of(24, 2, sessions, {"sgemm", "transformer", "pagerank"}, 1);
    for (ProfileRepeat& repeat : profile.repeats) {
      const float slowdown = repeat.gpu < 41    ? 0.98F + 0.001F * static_cast<float>(repeat.gpu)
                             : repeat.gpu == 41 ? 1.14F
                                                : 3.0F + 0.1F * static_cast<float>(repeat.gpu - 42);
      repeat.batch_ms.assign(3, 100 * slowdown);
    }
    save("mine.h5", profile);
    const Study study = read(
        "[workload]\ntrace = \"jobs.csv\"\nreader = \"native\"\n[cluster]\ngpus = 48\n"
        "gpus_per_node = 2\nbins = 2\n" +
        all_of_mine);
    Inputs inputs(study);
    const auto world = inputs.load(study.runs[0]);
    const auto truth = world.truth.of(ClassId(0));
    const auto& bins = world.believed.of(ClassId(0)).of_gpu;
    const auto slow = static_cast<std::size_t>(
        std::find_if(truth.begin(), truth.end(), [](double s) { return s > 1.1 && s < 1.2; }) - truth.begin());
    for (std::size_t g = 0; g < bins.size(); ++g) {
      if (truth[g] < 1.1 && bins[g] == bins.at(slow)) return true;
    }
    return false;
  };
  EXPECT_FALSE(shares_a_bin({"1", "2"}));
  EXPECT_TRUE(shares_a_bin({"1"}));
}

// Block draws nodes to any size, so it needs to know how far GPUs differ, and whether they do again; measured and
// bootstrap claim no more than was measured.
TEST_F(ProfileClusters, BlockNeedsEightGpusAndTwoSessions) {
  save("mine.h5", made_up::profile_of(4, 2, {"1"}));
  auto [code, message] = refused(block);
  EXPECT_EQ(code, ErrorCode::data);
  expect_parts(message, {"study.toml:8:11", "sgemm was measured on 8 GPUs in 1 session", "2 sessions", "merge"});
  save("mine.h5", made_up::profile_of(3, 2, {"1", "2"}));
  std::tie(code, message) = refused(block);
  expect_parts(message, {"6 GPUs in 2 sessions", "8 GPUs and 2 sessions are needed"});
  EXPECT_EQ(refused(all_of_mine + "nodes_per_cabinet = 2\n").first, ErrorCode::usage);  // 4 nodes wanted, 3 are there
  save("mine.h5", made_up::profile_of(4, 2, {"1"}));
  EXPECT_EQ(refused(all_of_mine).second, "accepted");
}

// A table of classes may be a file, as `palstudy classify -o` writes it.
TEST_F(ProfileClusters, ClassesOfAFile) {
  save("mine.h5", made_up::profile_of(4, 2, {"1", "2"}));
  write("classes.toml", "[classes.mine]\nA = \"sgemm\"\nB = \"pagerank\"\n");
  const Study study = read(study_text(block + "classes = \"classes.toml\"\n"));
  Inputs inputs(study);
  (void)inputs.check();
  EXPECT_EQ(inputs.load_cluster(study.runs[0]).truth.classes(), 2U);
  EXPECT_EQ(inputs.sha256().count("classes.toml"), 1U);
  write("classes.toml", "[classes.mine]\nA = \"sgem\"\n");
  auto [code, message] = refused(block + "classes = \"classes.toml\"\n");
  EXPECT_EQ(code, ErrorCode::usage);
  expect_parts(message, {"class A stands on sgem, which mine.h5 does not have", "did you mean \"sgemm\"?",
                         "pagerank, sgemm, transformer"});
  write("classes.toml", "[classes.a]\nA = \"sgemm\"\n[classes.b]\nA = \"sgemm\"\n");
  std::tie(code, message) = refused(block + "classes = \"classes.toml\"\n");
  EXPECT_EQ(code, ErrorCode::data);
  expect_parts(message, {"classes.toml", "2 tables of classes"});
  write("machine.toml", "[classes.mine]\nA = \"longhorn-sgemm\"\nB = \"longhorn-nothing\"\n");
  std::tie(code, message) = refused("source = \"block\"\nclasses = \"machine.toml\"\n");
  EXPECT_EQ(code, ErrorCode::usage);
  expect_parts(message, {"longhorn-nothing", "no such bundled measurement"});
}

TEST_F(ProfileClusters, WhatDoesNotFitIsRefused) {
  EXPECT_EQ(refused(all_of_mine).first, ErrorCode::data);  // no such file
  write("mine.h5", "no HDF5");
  EXPECT_EQ(refused(all_of_mine).first, ErrorCode::data);
  save("mine.h5", made_up::profile_of(4, 2, {"1", "2"}, {"triad"}));
  auto [code, message] = refused(all_of_mine);
  EXPECT_EQ(code, ErrorCode::usage);
  expect_parts(message, {"class A stands on sgemm, which mine.h5 does not have", "it has triad"});
  std::tie(code, message) = refused("source = \"measured\"\nprofile = \"longhorn\"\nclasses = \"measured\"\n");
  EXPECT_EQ(code, ErrorCode::usage);
  expect_parts(message, {"stand on sgemm, which is not of the profile \"longhorn\""});
}

// What a result stands on is said on screen and, by the notes, in the archive.
TEST_F(ProfileClusters, WarnsOfWhatIsNoMachine) {
  Profile profile = made_up::profile_of(4, 2, {"1", "2"});
  profile.sessions[1].backend = "host";
  profile.sessions[1].injected_slowdown = true;
  save("mine.h5", profile);
  const Study study = read(study_text(all_of_mine));
  Inputs inputs(study);
  const auto notes = inputs.check();
  EXPECT_NE(find(notes, "cpu-times", "mine.h5"), nullptr);
  EXPECT_NE(find(notes, "made-up", "mine.h5"), nullptr);
}

// Two profiles on one axis: each run has its own kernels, and the archive tells the copies apart.
TEST_F(ProfileClusters, TwoProfilesInOneStudy) {
  save("mine.h5", made_up::profile_of(4, 2, {"1", "2"}));
  save("other.h5", made_up::profile_of(5, 2, {"3", "4"}));
  const Study study =
      read(study_text("source = \"block\"\n[axes]\n\"cluster.profile\" = [\"mine.h5\", \"other.h5\", \"longhorn\"]\n"));
  ASSERT_EQ(study.runs.size(), 3U);
  EXPECT_EQ(study.runs[2].cluster.classes, "pal");
  Inputs inputs(study);
  (void)inputs.check();
  std::vector<std::string> names;
  for (const Measurements* copy : inputs.measurements()) names.push_back(copy->name);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  EXPECT_EQ(std::count(names.begin(), names.end(), "sgemm of other.h5"), 1);
  EXPECT_EQ(inputs.profile_origin(), "imported");
  const Study again = read_study(write("again.toml", study.resolved));
  EXPECT_EQ(again.runs[2].cluster.classes, "pal");
  EXPECT_EQ(again.runs[0].cluster.classes, "measured");
}

// From bundled CSVs to a profile and back: the same cluster as from the CSVs, to the precision of a float.
TEST_F(ProfileClusters, AnImportGivesTheSameCluster) {
  const auto csv = [](const std::string& name) { return data_dir() / "kernels/measurements" / (name + ".csv"); };
  const auto imported = import_files({csv("longhorn-sgemm"), csv("longhorn-pagerank")});
  EXPECT_EQ(imported.read.size(), 4U);
  save("mine.h5", imported.merged.profile);
  write("classes.toml", "[classes.x]\nA = \"longhorn-sgemm\"\nD = \"longhorn-pagerank\"\n");
  const auto cluster = [&](const std::string& profile) {
    const Study study = read(
        "[workload]\ntrace = \"jobs.csv\"\nreader = \"native\"\n[cluster]\nsource = \"block\"\nclasses = "
        "\"classes.toml\"\nprofile = \"" +
        profile + "\"\n");
    Inputs inputs(study);
    (void)inputs.check();
    return inputs.load_cluster(study.runs[0]).truth;
  };
  const Slowdowns of_csv = cluster("longhorn"), of_profile = cluster("mine.h5");
  for (std::uint32_t g = 0; g < 64; ++g) {
    for (const ClassId cls : {ClassId(0), ClassId(1)}) {
      EXPECT_NEAR(of_profile.at(cls, GpuId(g)), of_csv.at(cls, GpuId(g)), 1e-6) << g;
    }
  }
}

}  // namespace
}  // namespace palstudy
