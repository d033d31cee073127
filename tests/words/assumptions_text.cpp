// SPDX-License-Identifier: MIT
// The settings that gains depend on, in one line.
#include "words/assumptions_text.hpp"

#include <fmt/format.h>

#include "analysis/comparison_notes.hpp"
#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

// The study that assumptions are of: eight GPUs in two nodes, one of which is slow.
class AssumedStudy : public Scratch {
 protected:
  void write_inputs(double slowest) const {
    write_cluster(8, 4, [&](int gpu) { return gpu == 5 ? slowest : 1.0; });
    write_trace_of(40, [&](int job) { return fmt::format("{},2,900,1,A", 100 * job); });
  }
  [[nodiscard]] Study study(const std::string& more) const {
    return read(minimal + "cluster.gpus = 8\n" + more + "axes.\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n");
  }
};

std::string line_of(const ValueRecord& assumptions) {
  std::string line;
  for (const auto& clauses : {settings_clauses(assumptions), assumption_clauses(assumptions)}) {
    for (const auto& [what, text] : clauses) line += (line.empty() ? "" : "; ") + what + " " + text;
  }
  return line;
}

std::string assumptions_line(const Study& study, const std::vector<std::string>& baselines) {
  return line_of(assumptions_of(study, baselines));
}

TEST_F(AssumedStudy, AssumptionsNameWhatTheGainDependsOn) {
  write_inputs(1.2);
  ValueRecord assumed = assumptions_of(study(""), {"packed-sticky"});
  assumed.emplace_back("slowest_gpu", least_and_most(1.2, 1.2));
  EXPECT_EQ(
      line_of(assumed),
      "scheduler order fifo; backfill none; moves free (engine.migration_s = 0); penalty 1 / 1.7 / 1.7 (node / cabinet "
      "/ cluster); policies know the true slowdowns (oracle); bins silhouette; packed-sticky leaves running jobs where "
      "they are; the slowest GPU has a slowdown of 1.2");
  const std::string others =
      "policy.backfill = \"greedy\"\nengine.migration_s = 60\nnetwork.penalty = { node = 1.0, cluster = 1.3 }\n"
      "policy.knowledge = \"flat\"\naxes.\"policy.order\" = [\"fifo\", \"las\"]\n";
  const std::string line = assumptions_line(study(others), {"pal"});
  expect_parts(line, {"order fifo, las;", "backfill greedy;", "moves each costs 60 s;", "penalty 1 / 1.3 / 1.3",
                      "no slowdowns (flat)", "pal places all jobs again at every boundary"});
}

// Another scheduler has neither order nor backfill, and leaves no baseline where it is; an order that stops jobs does
// not either; what is known of durations, and which nodes are on, is named.
TEST_F(AssumedStudy, AssumptionsNameTheScheduler) {
  write_inputs(1.2);
  const std::string gavel = assumptions_line(study("policy.scheduler = \"gavel\"\n"), {"packed-sticky"});
  expect_parts(gavel, {"scheduler gavel; moves"});
  EXPECT_EQ(gavel.find("packed-sticky"), std::string::npos);
  expect_parts(assumptions_line(study("axes.\"policy.scheduler\" = [\"list\", \"gavel\"]\n"), {}),
               {"scheduler list, gavel; of list: order fifo; backfill none;"});
  expect_parts(assumptions_line(study("policy.order = \"las\"\n"), {"packed-sticky"}),
               {"packed-sticky leaves running jobs where they are, but for those that the order stops"});
  // Where only some of the orders stop jobs, they are named.
  expect_parts(assumptions_line(study("axes.\"policy.order\" = [\"fifo\", \"las\"]\n"), {"packed-sticky"}),
               {"packed-sticky leaves running jobs where they are, but for those that are stopped by las"});
  expect_parts(assumptions_line(study("policy.order = \"qssf\"\nworkload.predictor = \"ewma\"\n"), {}),
               {"durations predicted by ewma"});
}

// Every other setting that is not as by default is named too, and an order that uses true durations.
TEST_F(AssumedStudy, AssumptionsNameEveryOtherSetting) {
  write_inputs(1.2);
  expect_parts(assumptions_line(study("engine.round_s = 3600\ncluster.partitions = 2\n"), {}),
               {"; not as by default: cluster.partitions = 2, engine.round_s = 3600.0"});
  const std::string orders = "axes.\"policy.order\" = [\"fifo\", \"sjf\", \"srtf\"]\n";
  expect_parts(assumptions_line(study(orders), {}), {"; true durations are known to order sjf, srtf"});
  EXPECT_EQ(assumptions_line(study(""), {}).find("true durations"), std::string::npos);
  expect_parts(
      assumptions_line(study("cluster.bins = 4\ncluster.outliers = \"single\"\npolicy.knowledge = \"flat\"\n"), {}),
      {"policies know no slowdowns (flat); bins 4 and outliers"});
  const std::string greedy = "policy.backfill = \"greedy\"\n",
                    waits = "wide jobs may wait for as long as narrower ones";
  expect_parts(assumptions_line(study(greedy), {}), {"; " + waits + " come under backfill greedy"});
  EXPECT_EQ(assumptions_line(study(greedy + "engine.starvation_s = 3600\n"), {}).find(waits), std::string::npos);
  expect_parts(assumptions_line(study("failures.model = \"philly\"\n"), {}), {"; jobs that fail for good end early"});
}

// Eight values are named, of more the first seven and how many there are.
TEST_F(AssumedStudy, AssumptionsNameEightValues) {
  write_inputs(1.2);
  const auto costs = [&](const std::string& values) {
    return assumptions_line(study("axes.\"engine.migration_s\" = [" + values + "]\n"), {});
  };
  expect_parts(costs("1, 2, 3, 4, 5, 6, 7, 8"), {"moves each costs 1, 2, 3, 4, 5, 6, 7, 8 s;"});
  expect_parts(costs("1, 2, 3, 4, 5, 6, 7, 8, 9"), {"moves each costs 1, 2, 3, 4, 5, 6, 7, ... (9 values) s;"});
}

// A name such as "pal" says nothing of what it stands for: every key that a system sets is told, and what a baseline
// does to running jobs.
TEST_F(AssumedStudy, AssumptionsSayWhatEachSystemIs) {
  const std::string systems =
      "axes.\"policy.system\" = [{ name = \"a\", order = \"las\", placement = \"packed-sticky\" }, "
      "{ name = \"pal\", order = \"fifo\", placement = \"pal\" }]\n";
  expect_parts(
      assumptions_line(read(minimal + systems), {"a"}),
      {"; a leaves running jobs where they are, but for those that the order stops",
       "; systems: a (order = \"las\", placement = \"packed-sticky\"), pal (order = \"fifo\", placement = \"pal\")"});
}

// A backfill with reservations plans by estimates: those of the trace, or drawn ones; and which nodes are on is named.
TEST_F(AssumedStudy, AssumptionsNameEstimatesAndPower) {
  const auto line = [&](const std::string& more) {
    return assumptions_line(
        read(minimal + "cluster.gpus = 8\naxes.\"policy.placement\" = [\"pal-sticky\", \"packed-sticky\"]\n" + more),
        {});
  };
  const std::string easy = "policy.backfill = \"easy\"\nworkload.estimates = ";
  expect_parts(line("policy.backfill = \"easy\"\n"), {"; users' estimates those of the trace, else exact"});
  expect_parts(line("policy.backfill = \"slurm\"\nslurm.queues = \"q.csv\"\n"),
               {"; users' estimates those of the trace, else of the queue"});
  expect_parts(line(easy + "\"uniform\"\n"), {"; users' estimates uniform"});
  expect_parts(line(easy + "\"classes\"\n"), {"; users' estimates classes"});
  EXPECT_EQ(line("policy.backfill = \"greedy\"\n").find("estimates"), std::string::npos);
  expect_parts(line("power = { account = false, off = \"timer\", idle_s = 50 }\n"),
               {"; idle nodes powered off by timer"});
  EXPECT_EQ(line("").find("powered off"), std::string::npos);
}

}  // namespace
}  // namespace palstudy
