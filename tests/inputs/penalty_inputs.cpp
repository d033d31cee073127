// SPDX-License-Identifier: MIT
// network.penalty = "measured", from the study file to the schedule.
#include "archive/profile/profile_file.hpp"
#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

const std::string measured =
    minimal +
    "workload.models = \"models.toml\"\ncluster.gpus = 4\ncluster.gpus_per_node = 2\ncluster.nodes_per_cabinet = 1\n"
    "engine.round_s = 10\npolicy.placement = \"packed-sticky\"\nnetwork.penalty = \"measured\"\n"
    "network.profile = \"links.h5\"\n";

/// Two nodes of two GPUs of slowdown 1; 10 GB/s within a node and 1 GB/s between, no latency.
class MeasuredPenalty : public Scratch {
 protected:
  MeasuredPenalty() {
    write("c.csv", "gpu_id,node_id,class,score\n0,0,A,1\n1,0,A,1\n2,1,A,1\n3,1,A,1\n");
    write("jobs.csv",
          "job_id,submit_s,num_gpus,iterations,iteration_s,class,model\n"
          "0,0,4,990,0.1,A,big\n1,0,4,1000,0.1,A,small\n2,0,2,950,0.1,A,big\n3,0,4,1000,0.1,A,other\n");
    write("models.toml",
          "[models.big]\nclass = \"A\"\niteration_s = 0.1\ngradient_bytes = 1e9\nsource = \"here\"\n"
          "[models.small]\nclass = \"A\"\niteration_s = 0.1\ngradient_bytes = 1e8\nsource = \"here\"\n"
          "[models.other]\nclass = \"A\"\niteration_s = 0.1\nsource = \"here\"\n");
    Profile profile;
    profile.sessions.resize(1);
    profile.sessions[0].id = "s";
    for (const auto& [level, beta] : {std::pair("node", 10e9), std::pair("cluster", 1e9)}) {
      for (const double bytes : {1e6, 1e8}) {
        ProfileTransfer row;
        row.kernel = "allreduce";
        row.level = level;
        row.path = "mpi-host";
        row.ranks = 4;
        row.bytes = bytes;
        row.seconds = 1.5 * bytes / beta;  // 2 (n - 1) / n = 1.5
        profile.transfers.push_back(row);
      }
    }
    write_profile(dir / "links.h5", profile, {});
  }
  [[nodiscard]] std::vector<double> finishes(const Study& study) const {
    Inputs inputs(study);
    LocalExchange alone;
    const RunRecord record = execute(study, study.runs.at(0), inputs, alone).value();
    for (std::size_t i = 0; i < record.jobs.columns.size(); ++i) {
      if (record.jobs.columns[i].name == "finish_s") return std::get<std::vector<double>>(record.jobs.values[i]);
    }
    return {};
  }
};

// By hand, of 4 GPUs: the 1 GB of `big` takes 0.15 s within a node and 1.5 s between, L = (0.1 + 1.5) / (0.1 + 0.15) =
// 6.4; the 100 MB of `small` 0.015 and 0.15 s, L = 0.25 / 0.115. Jobs run one after the other, from
// the next boundary on: 0 to 99 x 6.4 = 633.6; 640 to 857.39; that of one node 860 to 955; that of unknown bytes 960 to
// 1060.
TEST_F(MeasuredPenalty, GivesTheScheduleByHand) {
  const auto finish_s = finishes(read(measured));
  ASSERT_EQ(finish_s.size(), 4U);
  EXPECT_NEAR(finish_s[0], 633.6, 1e-6);
  EXPECT_NEAR(finish_s[1], 640 + 100 * 0.25 / 0.115, 1e-6);
  EXPECT_NEAR(finish_s[2], 955, 1e-6);
  EXPECT_NEAR(finish_s[3], 1060, 1e-6);
}

// Half of the exchange hidden: L of `big` is (0.1 + 0.75) / (0.1 + 0.075); all of it: 1.
TEST_F(MeasuredPenalty, HidesWhatOverlaps) {
  EXPECT_NEAR(finishes(read(measured + "network.overlap = 0.5\n"))[0], 99 * 0.85 / 0.175, 1e-6);
  EXPECT_NEAR(finishes(read(measured + "network.overlap = 1\n"))[0], 99, 1e-6);
}

// A profile is read once for all overlaps: it may be gone by the second.
TEST_F(MeasuredPenalty, IsMadeOfAProfileThatIsReadOnce) {
  const Study study = read(measured + "[axes]\n\"network.overlap\" = [0, 0.5]\n");
  Inputs inputs(study);
  LocalExchange alone;
  (void)execute(study, study.runs.at(0), inputs, alone);
  std::filesystem::remove(dir / "links.h5");
  EXPECT_NO_THROW((void)execute(study, study.runs.at(1), inputs, alone));
}

TEST_F(MeasuredPenalty, IsSaidToMissModels) {
  const Study study = read(measured);
  Inputs inputs(study);
  const auto notes = inputs.check();
  const Note* bytes = find(notes, "no-gradients");
  ASSERT_NE(bytes, nullptr);
  EXPECT_EQ((*bytes)["models"], Value(ValueList{"other"}));
  const Note* links = find(notes, "few-links", "links.h5");
  ASSERT_NE(links, nullptr);
  EXPECT_EQ((*links)["level"], Value("cabinet"));
  EXPECT_TRUE(inputs.sha256().contains("links.h5"));
}

TEST_F(MeasuredPenalty, NeedsBytesOfAModelAndAProfile) {
  const auto data_error_of = [&](const std::string& text) -> std::string {
    const Study study = read(text);
    Inputs inputs(study);
    return message_of(ErrorCode::data, [&] { (void)inputs.check(); });
  };
  const std::string other = measured.substr(0, measured.find("network.profile"));
  expect_parts(data_error_of(other), {"\"longhorn\" is no file", "network.profile"});
  expect_parts(data_error_of(other + "network.profile = \"c.csv\"\n"), {"c.csv"});
  write("jobs.csv", "job_id,submit_s,num_gpus,iterations,iteration_s,class,model\n0,0,4,1000,0.1,A,other\n");
  expect_parts(data_error_of(measured), {"no model of the jobs has gradient_bytes", "models.toml", "other"});
}

TEST_F(MeasuredPenalty, IsBelievedUnlessAnotherIsGiven) {
  const RunPlan plain = read(measured).runs[0];
  EXPECT_TRUE(plain.network.measured);
  EXPECT_TRUE(plain.policy.locality_measured);
  const RunPlan blind = read(measured + "policy.locality.cluster = 1.7\n").runs[0];
  EXPECT_TRUE(blind.network.measured);
  EXPECT_FALSE(blind.policy.locality_measured);
  EXPECT_EQ(blind.policy.locality, (LocalityPenalty{1, 1.7, 1.7}));
  EXPECT_EQ(read(minimal).runs[0].network.profile, "");
}

// The resolved study is the same study, and --set goes from the word to the table and back.
TEST_F(MeasuredPenalty, ResolvesAndIsReplaced) {
  const Study study = read(measured);
  const Study again = read_study(write("again.toml", study.resolved));
  EXPECT_EQ(again.runs[0].id, study.runs[0].id);
  EXPECT_EQ(again.resolved, study.resolved);
  const RunPlan table = read(measured, {"network.penalty.cluster=3"}).runs[0];
  EXPECT_FALSE(table.network.measured);
  EXPECT_EQ(table.network.penalty, (LocalityPenalty{1, 3, 3}));
  EXPECT_TRUE(
      read(minimal + "network.penalty = { cluster = 2 }\n", {"network.penalty=measured"}).runs[0].network.measured);
}

TEST_F(MeasuredPenalty, RefusesWhatContradictsIt) {
  expect_parts(refusal(minimal + "network.penalty = \"mesured\""), {":4:19", "did you mean \"measured\"?"});
  expect_parts(refusal(minimal + "network.penalty = 1.7"), {":4:19", "a table or \"measured\""});
  expect_parts(refusal(measured + "[axes]\n\"network.penalty.cluster\" = [1, 2]"), {"network.penalty.cluster", "keep"});
  expect_parts(refusal(measured + "network.overlap = 1.5"), {"from 0 to 1"});
  EXPECT_EQ(read(minimal + "network.overlap = 0.5").notes.size(), 1U);
  EXPECT_EQ(read(minimal + "network.overlap = 0.5").runs[0].id, read(minimal).runs[0].id);
}

}  // namespace
}  // namespace palstudy
