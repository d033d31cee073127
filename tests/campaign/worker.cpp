// SPDX-License-Identifier: MIT
#include "campaign/worker.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "campaign/cost.hpp"
#include "campaign/small_campaign.hpp"
#include "core/text.hpp"
#include "shard/shard_index.hpp"

namespace palstudy {
namespace {

// By hand: a second of an hour and 2 % of ten seconds while no checkpoint has been written; twice a checkpoint of 10 s;
// and half of a limit that is shorter than what checkpoints take.
TEST(TimeLimit, LeavesTimeForCheckpoints) {
  EXPECT_DOUBLE_EQ(stops_ahead_s(3600, 0), 1);
  EXPECT_DOUBLE_EQ(stops_ahead_s(10, 0), 0.2);
  EXPECT_DOUBLE_EQ(stops_ahead_s(3600, 10), 20);
  EXPECT_DOUBLE_EQ(stops_ahead_s(30, 10), 15);
  EXPECT_DOUBLE_EQ(stops_ahead_s(0, 10), 0);
}

// Whatever is left of one loop is added to that of the loops before, each count to its own; what was stopped stays so.
TEST(LoopResults, AreAddedUp) {
  LoopResult all{1, 2, false, 3, {4, 5, 6, 7, 8}};
  all += LoopResult{10, 20, true, 30, {40, 50, 60, 70, 80}};
  all += LoopResult{};
  EXPECT_EQ(all.done, 11);
  EXPECT_EQ(all.failed, 22);
  EXPECT_TRUE(all.stopped);
  EXPECT_EQ(all.elapsed_s, 33);
  EXPECT_EQ(all.exchanged.gathers, 44u);
  EXPECT_EQ(all.exchanged.reductions, 55u);
  EXPECT_EQ(all.exchanged.bytes_sent, 66u);
  EXPECT_EQ(all.exchanged.bytes_received, 77u);
  EXPECT_EQ(all.exchanged.seconds, 88);
}

class RunLoops : public SmallCampaign {
 protected:
  RunLoops() { std::filesystem::create_directory(parts); }
  LoopResult loop(const Study& study, std::optional<double> time_limit_s = std::nullopt) {
    std::vector<std::size_t> todo;
    for (std::size_t i = 0; i < study.runs.size(); ++i) todo.push_back(i);
    const std::vector<std::size_t> likely_us(todo.size(), 1);
    const StopSignals signals;
    const InputSums files;
    Inputs inputs(study);
    return run_all({study, todo, likely_us, parts, "start", files, signals, time_limit_s, 1}, inputs, mpi_);
  }
  int argc_ = 0;
  char** argv_ = nullptr;
  Mpi mpi_{argc_, argv_};
};

// A run whose trace is not there fails, with the reason in its record; the one after it is done all the same.
TEST_F(RunLoops, GoOnAfterARunThatFails) {
  const Study two = read(
      "workload.reader = \"native\"\ncluster.table = \"c.csv\"\ncluster.gpus = 8\npolicy.placement = "
      "\"packed-sticky\"\n"
      "axes.\"workload.trace\" = [\"none.csv\", \"jobs.csv\"]\n");
  ASSERT_EQ(two.runs.size(), 2u);
  const LoopResult end = loop(two);
  EXPECT_EQ(end.done, 1);
  EXPECT_EQ(end.failed, 1);
  EXPECT_FALSE(end.stopped);
  ShardRecords records(index_shards(parts));
  ASSERT_EQ(records.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const RunRecord& record = records.record(i);
    const bool there = two.runs[i].workload.trace == "jobs.csv";
    EXPECT_EQ(record.id, two.runs[i].id);
    EXPECT_EQ(record.status, there ? RunStatus::done : RunStatus::failed);
    EXPECT_EQ(record.reason.find("none.csv") != std::string::npos, !there) << record.reason;
  }
}

// A job whose groups of four GPUs stay on a node, of which Gavel's types have two each: nobody takes it there. That run
// fails with the job and the reason, and the one by the list is done.
TEST_F(RunLoops, GoOnAfterARunThatStandsStill) {
  write_cluster(8, 4, [&](int gpu) { return 1 + gpu % 2; });
  write("m.toml",
        "[models.m]\nclass = \"A\"\niteration_s = 1\nkind = \"pipelined\"\ntensor = 4\npipeline = 1\nmicrobatches = 4\n"
        "source = \"ours\"\n");
  write("jobs.csv", "job_id,submit_s,num_gpus,iterations,iteration_s,class,model\n7,0,4,10,1,A,m\n");
  const Study two = read(minimal +
                         "workload.models = \"m.toml\"\ncluster.gpus = 8\ncluster.bins = 2\n"
                         "policy.placement = \"packed-sticky\"\naxes.\"policy.scheduler\" = [\"gavel\", \"list\"]\n");
  const LoopResult end = loop(two);
  EXPECT_EQ(end.done, 1);
  EXPECT_EQ(end.failed, 1);
  ShardRecords records(index_shards(parts));
  ASSERT_EQ(records.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    const RunRecord& record = records.record(i);
    const bool by_gavel = two.runs[i].policy.scheduler == "gavel";
    EXPECT_EQ(record.status, by_gavel ? RunStatus::failed : RunStatus::done);
    if (by_gavel) expect_parts(record.reason, {"stands still", "job 7 wants 4 GPUs", "8 are free", "gavel"});
  }
  Inputs inputs(two);
  (void)inputs.check();
  const StudyPlan plan = plan_study(two, inputs);
  EXPECT_EQ(plan.points_from(CostFrom::ended), 1u);
  expect_parts(plan.outcomes.standing_line(),
               {"1 of 2 runs will fail", "policy.scheduler = gavel", "job 7 wants 4 GPUs"});
}

// Where the time is over no run is taken, and it is said once what becomes of those at hand.
TEST_F(RunLoops, SayThatTheyStop) {
  testing::internal::CaptureStdout();
  const LoopResult end = loop(study(), 0);
  const std::string said = testing::internal::GetCapturedStdout();
  EXPECT_TRUE(end.stopped);
  EXPECT_EQ(end.done + end.failed, 0);
  const std::string line = "stopping; what is at hand is left at its next boundary, with a checkpoint";
  const auto place = said.find(line);
  ASSERT_NE(place, std::string::npos) << said;
  EXPECT_EQ(said.find(line, place + 1), std::string::npos) << said;
  EXPECT_TRUE(index_shards(parts).runs.empty());
}

// Of 4 gathers and a reduction in 2 ms: 40 and 100 bytes are 10 and 25 for each boundary, and a call takes 400 us.
// Where nothing was exchanged all is 0.
TEST_F(RunLoops, ExplainWhatWasExchanged) {
  const auto numbers = [&](const ExchangeCounts& counts) {
    testing::internal::CaptureStdout();
    explain_comm(mpi_, counts);
    const std::vector<std::string> lines = split(testing::internal::GetCapturedStdout());
    EXPECT_GE(lines.size(), 3u);
    expect_parts(lines.at(0),
                 {"rank", "gathers", "reductions", "bytes sent", "bytes received", "us a call", "seconds"});
    expect_parts(lines.at(2), {"\"each\" is a boundary"});
    std::istringstream words(lines.at(1));
    std::vector<std::string> all;
    for (std::string word; words >> word;) all.push_back(word);
    return join(all, " ");
  };
  EXPECT_EQ(numbers({4, 1, 40, 100, 0.002}), "0 4 1 10.0 25.0 400.0 0.002");
  EXPECT_EQ(numbers({}), "0 0 0 0.0 0.0 0.0 0.000");
}

}  // namespace
}  // namespace palstudy
