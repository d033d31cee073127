// SPDX-License-Identifier: MIT
// What is read of a slurm.conf, by hand, and what a study takes from it.
#include "study/slurm_conf.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "campaign/scratch.hpp"
#include "words/phrases.hpp"

namespace palstudy {
namespace {

constexpr const char* small_conf =
    "# a site\n"
    "ClusterName=small SchedulerType=sched/backfill\n"
    "PriorityType=priority/multifactor\n"
    "PriorityWeightAge=1000\n"
    "priorityweightfairshare=2000 # names do not mind capitals\n"
    "PriorityMaxAge=7-12\n"
    "PriorityCalcPeriod=00:02:30\n"
    "PriorityFavorSmall=YES\n"
    "PriorityFlags=MAX_TRES,NO_FAIR_TREE\n"
    "SchedulerParameters=bf_interval=60,bf_continue,\\\n"
    "bf_max_job_test=50\n"
    "AuthInfo=socket=/run/munge,cred_expire=5\n"
    "NodeName=DEFAULT CPUs=32 Gres=gpu:a100:4(S:0-1),shard:8 Weight=10\n"
    "NodeName=g[01-03,7]\n"
    "NodeName=login Gres=\n"
    "NodeName=h1,h2 Gres=gpu:8 Weight=1\n"
    "PartitionName=DEFAULT MaxTime=2:00:00\n"
    "PartitionName=short Nodes=g[02-03],h1 PriorityTier=10 DefaultTime=30\n"
    "PartitionName=main Nodes=ALL Default=YES MaxTime=UNLIMITED\n"
    "PartitionName=service Nodes=login\n";

TEST(SlurmConf, HasNodesWithGpusInOrder) {
  const SlurmConf conf = parse_slurm_conf(small_conf, "slurm.conf");
  std::vector<std::tuple<std::string, std::uint32_t, double>> nodes;
  for (const SlurmNode& node : conf.nodes) nodes.emplace_back(node.name, node.gpus, node.weight);
  EXPECT_EQ(nodes, (std::vector<std::tuple<std::string, std::uint32_t, double>>{
                       {"g01", 4, 10}, {"g02", 4, 10}, {"g03", 4, 10}, {"g7", 4, 10}, {"h1", 8, 1}, {"h2", 8, 1}}));
}

// The default queue comes first; one that has no node with GPUs is none. Nodes are counted among those with GPUs.
TEST(SlurmConf, HasQueues) {
  const SlurmConf conf = parse_slurm_conf(small_conf, "slurm.conf");
  ASSERT_EQ(conf.queues.size(), 2U);
  EXPECT_EQ(conf.queues[0].name, "main");
  EXPECT_TRUE(conf.queues[0].nodes.empty()) << "all";
  EXPECT_EQ(conf.queues[0].most_s, std::nullopt);
  EXPECT_EQ(conf.queues[1].tier, 10U);
  EXPECT_EQ(conf.queues[1].default_s, 1800);
  EXPECT_EQ(conf.queues[1].most_s, 7200);
  std::vector<std::uint32_t> nodes;
  nodes_of_queue(conf.queues[1], 6).for_each([&](NodeId node) { nodes.push_back(node.value); });
  EXPECT_EQ(nodes, (std::vector<std::uint32_t>{1, 2, 4}));
  EXPECT_THROW((void)nodes_of_queue(conf.queues[1], 4), Error);
}

// Two brackets are a product; a flag that is not modelled and a state that matters are named.
TEST(SlurmConf, NamesWhatItDoesNotModel) {
  const SlurmConf conf = parse_slurm_conf(
      "include /etc/slurm/nodes.conf\nPriorityFlags=SMALL_RELATIVE_TO_TIME,NO_FAIR_TREE\nOverTimeLimit=0\n"
      "NodeName=r[1-2]n[08-10] Gres=gpu:4 State=UNKNOWN\n"
      "PartitionName=p Nodes=r1n[08-09],r2n10 State=DRAIN\n",
      "x.conf");
  std::vector<std::string> names;
  for (const SlurmNode& node : conf.nodes) names.push_back(node.name);
  EXPECT_EQ(names, (std::vector<std::string>{"r1n08", "r1n09", "r1n10", "r2n08", "r2n09", "r2n10"}));
  EXPECT_EQ(conf.unread, (std::vector<std::string>{"Include", "PriorityFlags=SMALL_RELATIVE_TO_TIME", "State=DRAIN"}));
  ASSERT_EQ(conf.queues.at(0).nodes.size(), 2U);
  EXPECT_EQ(conf.queues[0].nodes[1].first, 5U);
}

TEST(SlurmConf, SetsTheKeysThatItNames) {
  const SlurmConf conf = parse_slurm_conf(small_conf, "slurm.conf");
  std::map<std::string, std::string> values;
  for (const auto& [key, value] : conf.values) values.emplace(key, to_toml(value));
  EXPECT_EQ(values, (std::map<std::string, std::string>{{"policy.order", "\"multifactor\""},
                                                        {"slurm.PriorityCalcPeriod", "2.5"},
                                                        {"slurm.PriorityFavorSmall", "true"},
                                                        {"slurm.PriorityFlags", "\"NO_FAIR_TREE\""},
                                                        {"slurm.PriorityMaxAge", "10800.0"},
                                                        {"slurm.PriorityWeightAge", "1000.0"},
                                                        {"slurm.PriorityWeightFairshare", "2000.0"},
                                                        {"slurm.bf_interval", "60.0"},
                                                        {"slurm.bf_max_job_test", "50"},
                                                        {"slurm.cred_expire", "5.0"}}));
  EXPECT_EQ(conf.unread, (std::vector<std::string>{"CPUs", "ClusterName", "PriorityFlags=MAX_TRES", "bf_continue"}));
}

TEST(SlurmConf, IsRefusedWithItsLine) {
  const auto refused = [](const std::string& text) {
    return message_of(ErrorCode::data, [&] { (void)parse_slurm_conf(text, "x.conf"); });
  };
  const std::string node = "NodeName=a Gres=gpu:4\n";
  expect_parts(refused(node + "PartitionName=p Nodes=b\n"), {"x.conf:2", "node b"});
  expect_parts(refused(node + "NodeName=a Gres=gpu:4\n"), {"x.conf:2", "node a"});
  expect_parts(refused(node + "PriorityMaxAge=soon\n"), {"x.conf:2", "soon"});
  expect_parts(refused(node + "what\n"), {"x.conf:2", "what"});
  expect_parts(refused("NodeName=a[1- Gres=gpu:4\n"), {"x.conf:1", "a[1-"});
  expect_parts(refused("NodeName=a\n"), {"x.conf", "GPUs"});
}

class StudyOfASite : public Scratch {
 protected:
  StudyOfASite() {
    write("slurm.conf", small_conf);
    write_cluster(32, 4);
    write("jobs.csv", "job_id,submit_s,num_gpus,iterations,iteration_s,class\n0,0,4,60,1,A\n");
  }
  [[nodiscard]] Study of_site(const std::string& more = "") const {
    return read(minimal + "slurm.conf = \"slurm.conf\"\n" + more);
  }
};

TEST_F(StudyOfASite, SchedulesAsTheSite) {
  const RunPlan run = of_site().runs.at(0);
  EXPECT_EQ(run.policy.order, "multifactor");
  EXPECT_EQ(run.policy.backfill, "slurm");
  EXPECT_EQ(run.policy.placement, "slurm");
  EXPECT_EQ(run.policy.backfill_params.number("bf_max_job_test"), 50);
  EXPECT_EQ(run.slurm.queues, "slurm.conf");
  EXPECT_EQ(run.cluster.weights, "slurm.conf");
  ASSERT_EQ(run.cluster.nodes.size(), 2U);
  EXPECT_EQ(run.cluster.nodes[0].count, 4U);
  EXPECT_EQ(run.cluster.nodes[1].gpus, 8U);
  const auto notes = of_site().notes;
  const auto note = std::ranges::find(notes, "slurm-conf", &Note::id);
  ASSERT_NE(note, notes.end());
  EXPECT_EQ(note->subject, "slurm.conf");
  EXPECT_EQ(names_of((*note)["unread"]),
            (std::vector<std::string>{"CPUs", "ClusterName", "PriorityFlags=MAX_TRES", "bf_continue"}));
  EXPECT_TRUE(run.engine.kills_overruns) << "Slurm kills at limits";
}

// What the study says counts, also on an axis; and what belongs to a policy that no run has is left out.
TEST_F(StudyOfASite, MaySayOtherwise) {
  const Study study = of_site(
      "policy.order = \"fifo\"\nslurm.bf_max_job_test = 7\ncluster.gpus = 64\n"
      "slurm.queues = \"q.csv\"\naxes.\"policy.placement\" = [\"slurm\", \"packed-sticky\"]\n");
  EXPECT_EQ(study.runs.at(0).policy.order, "fifo");
  EXPECT_EQ(study.runs.at(0).policy.backfill_params.number("bf_max_job_test"), 7);
  EXPECT_EQ(study.runs.at(1).policy.placement, "packed-sticky");
  EXPECT_EQ(study.runs.at(0).slurm.queues, "q.csv");
  EXPECT_EQ(study.runs.at(0).cluster.nodes.at(0).count, 16U);
}

// The study as it is stored has what the file said, and needs it no more for that.
TEST_F(StudyOfASite, IsStoredWithoutThePathOfItsSettings) {
  const Study study = of_site();
  const Study again = parse_study(study.resolved, (dir / "study.toml").string());
  EXPECT_EQ(again.runs.at(0).id, study.runs.at(0).id);
  EXPECT_EQ(study.resolved.find("\nconf"), std::string::npos);
}

// With weights of 0 all priorities are 0, which is first come, first served.
TEST_F(StudyOfASite, WithoutAWeightIsFirstComeFirstServed) {
  write("slurm.conf", "PriorityType=priority/multifactor\nNodeName=a[1-8] Gres=gpu:4\n");
  const RunPlan run = of_site().runs.at(0);
  EXPECT_EQ(run.policy.order, "fifo");
  EXPECT_EQ(run.slurm.queues, "") << "no queue says anything";
  EXPECT_EQ(run.cluster.weights, "");
}

// Without the backfill that knows them the queues are named as not read.
TEST_F(StudyOfASite, NamesQueuesThatNoRunKnows) {
  const Study study = of_site("policy.backfill = \"easy\"\n");
  EXPECT_EQ(study.runs.at(0).slurm.queues, "");
  EXPECT_FALSE(study.runs.at(0).engine.kills_overruns);
  const auto unread = names_of((*std::ranges::find(study.notes, "slurm-conf", &Note::id))["unread"]);
  EXPECT_EQ(unread.back(), "PartitionName");
}

// A backfill that counts GPUs would give jobs nodes that their queue does not have.
TEST_F(StudyOfASite, NeedsABackfillThatKnowsQueues) {
  expect_parts(
      refusal(minimal + "slurm.queues = \"q.csv\"\npolicy.backfill = \"easy\"\npolicy.placement = \"packed-sticky\"\n"),
      {":4:", "slurm.queues", "easy"});
}

}  // namespace
}  // namespace palstudy
