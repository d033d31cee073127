// SPDX-License-Identifier: MIT
// Copies of a trace, neighbours and dedicated nodes, from the study file to the run.
#include <fmt/format.h>

#include <cmath>

#include "campaign/scratch.hpp"
#include "record/tables.hpp"

namespace palstudy {
namespace {

class PhillyKeys : public Scratch {
 protected:
  PhillyKeys() {
    write_cluster(8);
    write("jobs.csv",
          "job_id,submit_s,num_gpus,iterations,iteration_s,class,model,tenant\n"
          "0,0,2,720,1,A,,a\n1,0,2,720,1,A,,a\n");
  }
  static std::string study(const std::string& more) {
    return minimal + "cluster.gpus = 8\npolicy.backfill = \"greedy\"\npolicy.placement = \"packed-sticky\"\n" + more;
  }
  RunRecord run(const std::string& more) {
    const Study read_in = read(study(more));
    Inputs inputs(read_in);
    notes = inputs.check();
    LocalExchange alone;
    return execute(read_in, read_in.runs.at(0), inputs, alone).value();
  }
  std::vector<Note> notes;
};

constexpr auto first_two = "measure.jobs.last = 1\n";

// Both jobs are on node 0: alone they take 720 s, beside each other twice that. With nodes of their own they take 720
// s.
TEST_F(PhillyKeys, NeighboursAndNodesOfTheirOwn) {
  const auto finish = [&](const std::string& more) { return reals_of(run(first_two + more).jobs, "finish_s"); };
  EXPECT_EQ(finish(""), (std::vector<double>{720, 720}));
  EXPECT_EQ(finish("interference.intra = 2\n"), (std::vector<double>{1440, 1440}));
  EXPECT_EQ(finish("interference.inter = 2\n"), (std::vector<double>{720, 720})) << "they share no card";
  const std::string dedicated = "interference.intra = 2\ntenants.gpus = { a = inf }\ntenants.dedicated = true\n";
  EXPECT_EQ(finish(dedicated), (std::vector<double>{720, 720}));
}

// The table of delays says on how many nodes jobs were, and for which part of the time beside others.
TEST_F(PhillyKeys, DelaysSayHowJobsLay) {
  const RunRecord record = run(std::string(first_two) + "interference.intra = 2\ntenants.gpus = { a = inf }\n");
  EXPECT_EQ(reals_of(record.delays, "nodes_mean"), (std::vector<double>{1, 1}));
  EXPECT_EQ(reals_of(record.delays, "shared_fraction"), (std::vector<double>{1, 1}));
}

// Twice the trace within a window of 100 s: two jobs at 0, the copies at 50, with ids from 2 on; the note says so.
TEST_F(PhillyKeys, CopiesOfATrace) {
  const RunRecord record = run("workload.copies = 2\nmeasure.window_s = 100\n");
  EXPECT_EQ(integers_of(record.jobs, "job"), (std::vector<std::int64_t>{0, 1, 2, 3}));
  EXPECT_EQ(reals_of(record.jobs, "submit_s"), (std::vector<double>{0, 0, 50, 50}));
  const auto copied = [](double copies, const Value& jobs) {
    return Note{"copied-jobs", Severity::info, "jobs.csv", {{"copies", copies}, {"own", 2}, {"jobs", jobs}}};
  };
  EXPECT_EQ(notes.at(0), copied(2, 4));
  // Of a part of a copy each seed has other jobs, and all have one note.
  const auto note_of = [&](int seed) {
    (void)run(fmt::format("workload.copies = 1.5\nworkload.seed = {}\nmeasure.window_s = 100\n", seed));
    return notes.at(0);
  };
  for (int seed = 1; seed < 8; ++seed) EXPECT_EQ(note_of(seed), copied(1.5, {}));
}

// What changes nothing or does not go together is refused at its place; what is not given enters no id.
TEST_F(PhillyKeys, WhatDoesNotGoTogetherIsRefused) {
  const auto refused = [&](const std::string& more) { return refusal(study(more)); };
  expect_parts(refused("workload.copies_first_s = 3\n"), {"study.toml:7:", "workload.copies is not"});
  expect_parts(refused("workload.copies = 2\n"), {"no window to copy", "measure.window_s"});
  expect_parts(refused("interference.intra = 0.5\n"), {"interference.intra wants"});
  const std::string tenant = "tenants.gpus = { a = 8 }\n";
  expect_parts(refused(tenant + "tenants.defragment = true\n"), {"study.toml:8:", "without tenants.dedicated"});
  expect_parts(refusal(study(tenant + "tenants.dedicated = true\n"), {"policy.placement=pal-sticky"}),
               {"policy.placement = \"pal-sticky\"", "tenants.dedicated"});
  const std::string resolved = read(study("")).resolved;
  for (const char* key : {"copies", "interference", "dedicated"}) EXPECT_EQ(resolved.find(key), std::string::npos);
}

}  // namespace
}  // namespace palstudy
