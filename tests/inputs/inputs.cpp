// SPDX-License-Identifier: MIT
// What Inputs::check refuses before anything is written, and what it loads.
#include <fmt/format.h>

#include <set>

#include "campaign/scratch.hpp"
#include "workload/synthetic/generator.hpp"

namespace palstudy {
namespace {

/// Four GPUs in two nodes, classes A and B, three jobs.
class InputsOf : public Scratch {
 protected:
  InputsOf() {
    write_table(1.0);
    write("jobs.csv", header + "0,0,1,10,1.0,A\n1,5,2,10,1.0,B\n5,9,4,10,1.0,A\n");
  }
  void write_table(double first) const {
    write_cluster(4, 2, [&](int gpu) { return gpu == 0 ? first : 1.1; }, {"A", "B"});
  }
  /// The code and message of the refusal by `check`.
  std::pair<ErrorCode, std::string> checked(const std::string& more) const {
    const Study study = read(four_gpus + more);
    Inputs inputs(study);
    try {
      (void)inputs.check();
    } catch (const Error& error) {
      return {error.code(), error.what()};
    }
    return {ErrorCode::fault, "accepted"};
  }
  const std::string header = "job_id,submit_s,num_gpus,iterations,iteration_s,class\n";
  const std::string four_gpus = minimal + "cluster.gpus = 4\ncluster.gpus_per_node = 2\n";  // up to line 5
};

TEST_F(InputsOf, GoodStudyIsLoadedOnceForAllRuns) {
  const Study study =
      read(four_gpus +
           "[axes]\n\"policy.placement\" = [\"pal\", \"pm-first\"]\n\"policy.knowledge\" = [\"oracle\", \"flat\"]");
  Inputs inputs(study);
  EXPECT_TRUE(inputs.check().empty());
  const auto first = inputs.load(study.runs[0]);
  const auto blind = inputs.load(study.runs[3]);
  EXPECT_EQ(study.runs[3].policy.knowledge, "flat");
  EXPECT_EQ(&first.truth, &blind.truth);
  EXPECT_EQ(&first.workload, &blind.workload);
  EXPECT_EQ(&first.topology, &blind.topology);
  EXPECT_GT(first.believed.bins(ClassId(0)), 1u);
  EXPECT_EQ(blind.believed.bins(ClassId(0)), 1u) << "who knows nothing has one bin";
  EXPECT_EQ(inputs.cluster_key(study.runs[0]), inputs.cluster_key(study.runs[3]));
  EXPECT_EQ(first.workload.jobs.size(), 3u);
  const auto digests = inputs.sha256();
  ASSERT_TRUE(digests.contains("jobs.csv") && digests.contains("c.csv") && digests.contains("jobs/models.toml"));
  EXPECT_EQ(digests.at("jobs.csv").size(), 64u);
}

// A trace that is resampled is read once, whatever the seed: its file may be gone when the next seed is drawn. Without
// resampling all seeds share one workload.
TEST_F(InputsOf, AResampledTraceIsReadOnce) {
  const std::string seeds = "[axes]\n\"workload.seed\" = [1, 2]\n";
  std::string trace = header;
  for (int job = 0; job < 40; ++job) trace += fmt::format("{},{},1,10,1.0,A\n", job, 43200 * job);
  write("jobs.csv", trace);
  const Study study = read(four_gpus + "workload.resample = \"days\"\n" + seeds);
  Inputs inputs(study);
  const auto& first = inputs.load(study.runs.at(0)).workload;
  std::filesystem::rename(dir / "jobs.csv", dir / "gone.csv");
  write("jobs.csv", header);
  const auto& second = inputs.load(study.runs.at(1)).workload;
  EXPECT_NE(&first, &second);
  EXPECT_GT(second.jobs.size(), 0U);
}

// Temperatures come with measurements alone: a table has none, and neither have those of Frontera. Runs that power no
// node off, or not by them, need none.
TEST_F(InputsOf, TheHottestNodesAreKnownFromMeasurementsAlone) {
  const std::string hottest = "[power]\noff_order = \"hottest\"\n";
  const auto [code, message] = checked(hottest + "off = \"timer\"\naccount = false\n");
  EXPECT_EQ(code, ErrorCode::usage);
  expect_parts(message, {"study.toml:7:13", "the slowdowns of a table", "power.off_order = \"joules\""});
  EXPECT_EQ(checked(hottest + "account = false\n").second, "accepted");
  const std::string drawn =
      "[power]\noff = \"timer\"\noff_order = \"hottest\"\naccount = false\n"
      "[cluster]\ngpus = 8\nprofile = \"longhorn\"\nsource = \"measured\"\n";
  const Study study =
      read("workload.trace = \"jobs.csv\"\nworkload.reader = \"native\"\n" + drawn + "classes = \"reliable\"\n");
  Inputs inputs(study);
  expect_parts(message_of([&] { (void)inputs.check(); }),
               {"study.toml:5:13", "slowdowns of class B are those measured as frontera-bert", "no temperature"});
}

// A generator's parameters decide which workload it is; a policy does not.
TEST_F(InputsOf, WorkloadsDifferByTheirParameters) {
  const Study study = read(
      "[cluster]\ngpus = 64\nsource = \"block\"\n[workload]\ngenerator = \"philly\"\n[measure]\nwarmup_s = 0\n"
      "window_s = 3600\n[axes]\n\"workload.rho\" = [0.5, 0.9]\n\"policy.order\" = [\"fifo\", \"las\"]\n");
  Inputs inputs(study);
  std::set<const Workload*> by_rho[2];
  for (const RunPlan& run : study.runs) {
    by_rho[run.workload.generator_params.number("rho") > 0.7].insert(&inputs.load(run).workload);
  }
  EXPECT_EQ(by_rho[0].size(), 1U);
  EXPECT_EQ(by_rho[1].size(), 1U);
  EXPECT_NE(*by_rho[0].begin(), *by_rho[1].begin());
}

TEST_F(InputsOf, ClustersHaveKeysOfTheirOwn) {
  const std::string drawn = "[axes]\n\"cluster.source\" = [\"bootstrap\", \"table\"]\nseed = [1, 2]";
  const Study study = read(four_gpus + drawn);
  Inputs inputs(study);
  EXPECT_NE(inputs.cluster_key(study.runs[0]), inputs.cluster_key(study.runs[2])) << "drawn by another seed";
  EXPECT_NE(inputs.cluster_key(study.runs[0]), inputs.cluster_key(study.runs[1])) << "another source";
  EXPECT_EQ(inputs.cluster_key(study.runs[1]), inputs.cluster_key(study.runs[3]))
      << "a table does not depend on the seed";
}

// The largest id of the trace is 5.
TEST_F(InputsOf, MeasuredJobsMustBeThere) {
  auto [code, message] = checked("measure.jobs = { first = 0, last = 6 }");
  EXPECT_EQ(code, ErrorCode::usage);
  expect_parts(message, {"study.toml:6:36", "jobs.csv is 5"});
  EXPECT_EQ(checked("measure.jobs = { first = 0, last = 5 }").second, "accepted");
  std::tie(code, message) = checked("measure.jobs = { first = 2, last = 4 }");
  EXPECT_EQ(code, ErrorCode::usage);
  expect_parts(message, {"no job of jobs.csv"});
  std::tie(code, message) = checked("measure = { warmup_s = 100, window_s = 10 }");
  EXPECT_EQ(code, ErrorCode::usage);
  expect_parts(message, {"no job of jobs.csv", "from 100 s to 110 s", "from 0 s to 9 s", "measure.window_s"});
  EXPECT_EQ(message.find("measure.jobs"), std::string::npos) << "advice about what was not asked: " << message;
  EXPECT_EQ(checked("").second, "accepted") << "without [measure], all jobs";
}

// Every run is checked, not the first alone.
TEST_F(InputsOf, OneBadRunOfMany) {
  const auto [code, message] = checked("measure.jobs.first = 0\n[axes]\n\"measure.jobs.last\" = [3, 4, 5, 6]");
  EXPECT_EQ(code, ErrorCode::usage);
  expect_parts(message, {"study.toml:8:33"});
}

TEST_F(InputsOf, JobsMustFitTheCluster) {
  write("jobs.csv", header + "0,0,1,10,1.0,A\n17,5,5,10,1.0,B\n");
  const auto [code, message] = checked("");
  EXPECT_EQ(code, ErrorCode::data);
  expect_parts(message, {"jobs.csv", "job 17 wants 5 GPUs", "has 4"});
}

// A job of four GPUs in groups, wider than either partition of two, may have its groups in both; groups wider than a
// node fit nowhere, in one partition or two.
TEST_F(InputsOf, GroupsOfAWideJobMayBeInSeveralPartitions) {
  write("jobs.csv", "job_id,submit_s,num_gpus,iterations,iteration_s,class,model\n0,0,4,10,1.0,A,m\n");
  const auto with_groups_of = [&](int tensor, int partitions) {
    write("m.toml", fmt::format("[models.m]\nclass = \"A\"\niteration_s = 1.0\ndrawn = false\nkind = \"pipelined\"\n"
                                "gpus = 4\ntensor = {}\npipeline = 1\nmicrobatches = 4\ntensor_share = 0.1\n"
                                "exchange_share = 0.1\nsource = \"made up\"\n",
                                tensor));
    return checked(fmt::format("workload.models = \"m.toml\"\ncluster.partitions = {}\n", partitions));
  };
  for (const int partitions : {1, 2}) {
    EXPECT_EQ(with_groups_of(2, partitions).second, "accepted") << partitions;
    const auto [code, message] = with_groups_of(4, partitions);
    EXPECT_EQ(code, ErrorCode::data);
    expect_parts(message, {"job 0 of model \"m\" wants 4 GPUs", "in groups of 4, each group on one node; there are 0"});
  }
}

// One node of four GPUs and two of two: a group of four fits the first partition alone, so that a job of one has no
// room in the second. Where all nodes are one partition it has.
TEST_F(InputsOf, GroupsMustFitEveryPartition) {
  std::string table = "gpu_id,node_id,class,score\n";
  for (int gpu = 0; gpu < 8; ++gpu) table += fmt::format("{},{},A,1\n", gpu, gpu < 4 ? 0 : gpu / 2 - 1);
  write("c.csv", table);
  write("jobs.csv", "job_id,submit_s,num_gpus,iterations,iteration_s,class,model\n7,0,4,10,1.0,A,m\n");
  write("m.toml",
        "[models.m]\nclass = \"A\"\niteration_s = 1.0\ndrawn = false\nkind = \"pipelined\"\ngpus = 4\ntensor = 4\n"
        "pipeline = 1\nmicrobatches = 4\ntensor_share = 0.1\nexchange_share = 0.1\nsource = \"made up\"\n");
  const std::string nodes =
      minimal + "workload.models = \"m.toml\"\ncluster.nodes = [{ count = 1, gpus = 4 }, { count = 2, gpus = 2 }]\n";
  const Study whole = read(nodes);
  EXPECT_NO_THROW((void)Inputs(whole).check());
  const Study two = read(nodes + "cluster.partitions = [4, 4]\n");
  expect_parts(message_of(ErrorCode::data, [&] { (void)Inputs(two).check(); }),
               {"job 7 of model \"m\" wants 4 GPUs of one partition in groups of 4", "there are 0"});
}

TEST_F(InputsOf, ClassesMustBeThoseOfTheCluster) {
  write("jobs.csv", header + "0,0,1,10,1.0,E\n");
  const auto [code, message] = checked("");
  EXPECT_EQ(code, ErrorCode::data);
  expect_parts(message, {"jobs.csv", "class \"E\"", "c.csv does not have", "A, B"});
}

TEST_F(InputsOf, BadDataIsRefusedWithItsPlace) {
  write_table(-1.0);
  EXPECT_EQ(checked("").first, ErrorCode::data);
  expect_parts(checked("").second, {"c.csv:2:"});
  write_table(1.0);
  EXPECT_EQ(checked("workload.models = \"none.toml\"").first, ErrorCode::data);
  write("jobs.csv", header + "0,0,1,10,1.0,A\n0,5,2,10,1.0,B\n");
  EXPECT_EQ(checked("").first, ErrorCode::data);
  expect_parts(checked("").second, {"jobs.csv:3:"});
  std::filesystem::remove(dir / "jobs.csv");
  EXPECT_EQ(checked("").first, ErrorCode::data);
  expect_parts(checked("").second, {"jobs.csv: cannot be read", "study.toml:1:18: workload.trace names it"});
  // Of an axis, the value that names it.
  write("jobs.csv", header + "0,0,1,10,1.0,A\n");
  expect_parts(checked("[axes]\n\"cluster.table\" = [\"c.csv\", \"d.csv\"]").second,
               {"d.csv: cannot be read", "study.toml:7:29: cluster.table names it"});
}

TEST_F(InputsOf, ProfileAndClassesMustAgree) {
  auto [code, message] = checked("cluster.source = \"bootstrap\"\ncluster.classes = \"pall\"");
  EXPECT_EQ(code, ErrorCode::usage);
  expect_parts(message, {"cluster.classes", "did you mean \"pal\"?"});
  std::tie(code, message) = checked("cluster.source = \"bootstrap\"\ncluster.profile = \"frontera\"");
  EXPECT_EQ(code, ErrorCode::usage);
  expect_parts(message, {"longhorn-resnet50", "frontera"});
}

// Longhorn has fewer nodes than this for every class, and `measured` draws without replacement.
TEST_F(InputsOf, MeasuredClustersEndAtTheMachine) {
  const auto [code, message] = checked("cluster.source = \"measured\"\ncluster.nodes_per_cabinet = 3");
  EXPECT_EQ(code, ErrorCode::usage) << message;  // no measured node has two GPUs
  expect_parts(message, {"study.toml:6:18", "4 GPUs (at most 34 nodes)", "cluster.gpus_per_node"});
}

TEST_F(InputsOf, UnsortedTraceIsSortedAndSaid) {
  write("jobs.csv", header + "0,9,1,10,1.0,A\n1,5,2,10,1.0,B\n");
  const Study study = read(four_gpus);
  Inputs inputs(study);
  EXPECT_EQ(inputs.check(), (std::vector<Note>{{"unsorted", Severity::info, "jobs.csv", {}}}));
  EXPECT_EQ(inputs.load(study.runs[0]).workload.jobs[0].id, 1);
}

// Predictor `column` reads what only a trace can say, so a run that it orders is refused before it starts; one whose
// order asks for no prediction is not.
TEST_F(InputsOf, PredictionsThatTheTraceLacks) {
  const std::string by_column = "workload.predictor = \"column\"\npolicy.order = ";
  const auto [code, message] = checked(by_column + "\"qssf\"\n");
  EXPECT_EQ(code, ErrorCode::data);
  expect_parts(message, {"job 0 has no predicted_s", "predictor \"column\"", "choose another predictor"});
  EXPECT_EQ(checked(by_column + "\"fifo\"\n").second, "accepted");
  EXPECT_EQ(checked("[axes]\n\"policy.order\" = [\"fifo\", \"qssf\"]\n\"workload.predictor\" = [\"exact\", "
                    "\"column\"]\n")
                .first,
            ErrorCode::data)
      << "whichever of the runs it is";
  write("jobs.csv", header.substr(0, header.size() - 1) + ",predicted_s\n0,0,1,10,1.0,A,7\n");
  EXPECT_EQ(checked(by_column + "\"qssf\"\n").second, "accepted");
}

const std::string by_tenant = "cluster.partitions = { x = 2, y = 2 }\nrouting.policy = \"tenant\"\n";

// Tenants x and y have a node each, in the order of their names, not of the trace.
TEST_F(InputsOf, TenantsHaveTheirPartitions) {
  const std::string tenants = "job_id,submit_s,num_gpus,iterations,iteration_s,class,tenant\n";
  write("jobs.csv", tenants + "0,0,1,10,1.0,A,y\n1,5,2,10,1.0,B,x\n");
  const Study study = read(four_gpus + by_tenant);
  Inputs inputs(study);
  (void)inputs.check();
  const auto loaded = inputs.load(study.runs[0]);
  EXPECT_EQ(loaded.partitioning.partitions(), 2u);
  for (const Job& job : loaded.workload.jobs) {
    EXPECT_EQ(loaded.of_tenant.at(job.tenant), PartitionId(job.id == 0 ? 1 : 0)) << job.id;
  }
  write("jobs.csv", tenants + "0,0,1,10,1.0,A,y\n7,5,2,10,1.0,B,z\n");
  const auto [code, message] = checked(by_tenant);
  EXPECT_EQ(code, ErrorCode::data);
  expect_parts(message, {"jobs.csv", "job 7", "the tenant \"z\", which has no partition"});
  write("jobs.csv", tenants + "0,0,3,10,1.0,A,y\n");
  expect_parts(checked(by_tenant).second, {"jobs.csv", "job 0 wants 3 GPUs", "its tenant \"y\" has 2"});
  write("jobs.csv", header + "3,0,1,10,1.0,A\n");
  expect_parts(checked(by_tenant).second, {"jobs.csv", "job 3 names no tenant"});
}

// A node that drains and one that goes down; every wrong field is refused at its place.
TEST_F(InputsOf, OutagesAreRead) {
  const std::string columns = "node,from_s,to_s,kind\n", key = "cluster.outages = \"o.csv\"\n";
  write("o.csv", columns + "1,10,20.5,drain\n0,0,5,down\n");
  const Study study = read(four_gpus + key);
  Inputs inputs(study);
  (void)inputs.check();
  const auto& outages = inputs.load(study.runs[0]).outages;
  ASSERT_EQ(outages.size(), 2u);
  EXPECT_EQ(outages[0].node, NodeId(1));
  EXPECT_EQ(outages[0].to_s, 20.5);
  EXPECT_TRUE(outages[0].drains && !outages[1].drains);
  EXPECT_TRUE(inputs.sha256().contains("o.csv"));
  const std::vector<std::pair<std::string, std::vector<std::string>>> wrong = {
      {"2,0,5,down", {"o.csv:2:1", "not within 0 and 1"}},
      {"0,-1,5,down", {"o.csv:2:3", "before the run"}},
      {"0,5,5,down", {"o.csv:2:5", "later than from_s"}},
      {"0,1,5,up", {"o.csv:2:7", "unknown kind \"up\"", "drain, down"}},
  };
  for (const auto& [row, parts] : wrong) {
    write("o.csv", columns + row + "\n");
    const auto [code, message] = checked(key);
    EXPECT_EQ(code, ErrorCode::data) << row;
    expect_parts(message, parts);
  }
  write("o.csv", columns);
  expect_parts(checked("cluster.outages = \"none.csv\"\n").second, {"none.csv", "study.toml:6:19"});
  EXPECT_EQ(checked(key + "cluster.partitions = 2\n").second, "accepted")
      << "a job wider than both loses nodes as well";
}

// What the same job, wider than both partitions, cannot do yet is refused before any run, with the key that asks for
// it.
TEST_F(InputsOf, WhatWideJobsCannotDoIsRefused) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> wrong = {
      {"tenants.gpus = { \"\" = 4 }\npolicy.backfill = \"greedy\"\npolicy.placement = "
       "\"packed-sticky\"\ntenants.dedicated = true\n",
       {"tenants.dedicated", "job 5 wants 4 GPUs"}}};
  for (const auto& [keys, parts] : wrong) {
    EXPECT_EQ(checked(keys).second, "accepted") << keys;
    const auto [code, message] = checked(keys + "cluster.partitions = 2\n");
    EXPECT_EQ(code, ErrorCode::usage) << keys;
    expect_parts(message, parts);
  }
}

// The ids of generated jobs begin at 0, so that of the most that are made the last is one less.
TEST_F(InputsOf, GeneratorsMakeSoManyJobsAtMost) {
  const Study study = read(fmt::format(
      "cluster.table = \"c.csv\"\nworkload.generator = \"synergy\"\nmeasure.jobs.last = {}\n", most_generated_jobs));
  expect_parts(
      message_of(ErrorCode::usage, [&] { (void)Inputs(study).check(); }),
      {"study.toml:3:21", fmt::format("ends at job {0}, but a generator makes at most {0}", most_generated_jobs)});
}

// Of two traces the second has times in another unit: 60 jobs of 100 s every 50 s are half of what four GPUs can do,
// of 1 s next to nothing.
TEST_F(InputsOf, TheUnitsOfEveryTraceAreDoubted) {
  for (const auto& [name, iterations] : {std::pair("jobs.csv", 100), {"short.csv", 1}}) {
    std::string trace = header;
    for (int job = 0; job < 60; ++job) trace += fmt::format("{},{},1,{},1.0,A\n", job, 50 * job, iterations);
    write(name, trace);
  }
  const Study study = read(four_gpus + "axes.\"workload.trace\" = [\"jobs.csv\", \"short.csv\"]\n");
  const auto notes = Inputs(study).check();
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].id, "units");
  EXPECT_EQ(notes[0].subject, "short.csv");
  EXPECT_NEAR(notes[0]["load"].number(), 0.005, 0.0005);
}

// Users can be drawn where the trace names some.
TEST_F(InputsOf, UsersAreDrawnWhereTheTraceNamesThem) {
  const std::string users = "workload.resample = \"users\"\n";
  const auto [code, message] = checked(users);
  EXPECT_EQ(code, ErrorCode::usage);
  expect_parts(message, {"study.toml:6:21", "but jobs.csv names no users", "column user"});
  write("jobs.csv", header.substr(0, header.size() - 1) + ",user\n0,0,1,10,1.0,A,u\n1,5,2,10,1.0,B,v\n");
  EXPECT_EQ(checked(users).second, "accepted");
}

// It may fail.
TEST_F(InputsOf, WideJobsMayFail) {
  EXPECT_EQ(checked("cluster.partitions = 2\nfailures.model = \"philly\"\n").second, "accepted");
}

}  // namespace
}  // namespace palstudy
