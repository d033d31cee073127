// SPDX-License-Identifier: MIT
// The runs that a study makes: defaults, numbers, ids, axis values.
#include <set>

#include "campaign/scratch.hpp"
#include "study/run_id.hpp"

namespace palstudy {
namespace {

class Runs : public Scratch {};

// The values of design 5.2.
TEST_F(Runs, DefaultsAreThoseOfTheContract) {
  const Study study = read(minimal);
  ASSERT_EQ(study.runs.size(), 1u);
  const RunPlan& run = study.runs[0];
  EXPECT_EQ(study.name, "study");
  EXPECT_EQ(study.compare_metric, "jct_mean_s");
  EXPECT_TRUE(study.baselines.empty());
  ASSERT_EQ(run.cluster.nodes.size(), 1u);
  EXPECT_EQ(run.cluster.nodes[0].count, 16u);
  EXPECT_EQ(run.cluster.nodes[0].gpus, 4u);
  EXPECT_EQ(run.cluster.nodes_per_cabinet, 16u);
  EXPECT_EQ(run.cluster.bins.bins, 0u);
  EXPECT_FALSE(run.cluster.bins.single_outliers);
  EXPECT_EQ(run.network.penalty, (LocalityPenalty{1.0, 1.7, 1.7}));
  EXPECT_EQ(run.policy.locality, run.network.penalty);
  EXPECT_EQ(run.engine.round_s, 360);
  EXPECT_EQ(run.engine.completion, Completion::exact);
  EXPECT_EQ(run.engine.start, Start::round);
  EXPECT_EQ(run.engine.migration_s, 0);
  EXPECT_EQ(run.engine.sticky_victims, StickyVictims::give_back);
  EXPECT_EQ(run.engine.starvation_s, std::numeric_limits<double>::infinity());
  EXPECT_EQ(run.engine.backfill, Backfill::none);
  EXPECT_EQ(run.policy.order, "fifo");
  EXPECT_EQ(run.policy.placement, "pal");
  EXPECT_EQ(run.policy.knowledge, "oracle");
  EXPECT_EQ(run.workload.models, "");
  EXPECT_EQ(run.measured.by, MeasuredBy::all);
  EXPECT_TRUE(run.output.jobs);
  EXPECT_FALSE(run.output.events);
  EXPECT_FALSE(run.output.rounds);
  EXPECT_EQ(run.seed, 1u);
}

// How often a run is saved is no part of what it is: another value gives the same runs, in the resolved study too.
TEST_F(Runs, CheckpointsChangeNoId) {
  const Study study = read(minimal);
  EXPECT_EQ(study.checkpoint_s, 600);
  const Study often = read(minimal + "engine.checkpoint_s = 0.5");
  EXPECT_EQ(often.checkpoint_s, 0.5);
  EXPECT_EQ(often.runs[0].id, study.runs[0].id);
  EXPECT_NE(often.resolved.find("checkpoint_s = 0.5"), std::string::npos) << often.resolved;
  EXPECT_EQ(read(minimal + "engine.checkpoint_s = inf").checkpoint_s, std::numeric_limits<double>::infinity());
  EXPECT_THROW((void)read(minimal + "engine.checkpoint_s = 0"), Error);
}

// node not given is 1, cabinet not given is that of the cluster; a policy believes what holds unless told otherwise.
TEST_F(Runs, PenaltyLevelsFollowTheWiderOne) {
  EXPECT_EQ(read(minimal + "network.penalty = { cluster = 3 }").runs[0].network.penalty, (LocalityPenalty{1, 3, 3}));
  EXPECT_EQ(read(minimal + "network.penalty = { cabinet = 2, cluster = 3 }").runs[0].network.penalty,
            (LocalityPenalty{1, 2, 3}));
  const Study blind = read(minimal + "policy.locality.cluster = 1\nnetwork.penalty.cluster = 3");
  EXPECT_EQ(blind.runs[0].policy.locality, (LocalityPenalty{1, 1, 1}));
  EXPECT_EQ(blind.runs[0].network.penalty, (LocalityPenalty{1, 3, 3}));
  const Study axis = read(minimal + "[axes]\n\"network.penalty.cluster\" = [1, 2.5]");
  EXPECT_EQ(axis.runs[1].network.penalty, (LocalityPenalty{1, 2.5, 2.5}));
  EXPECT_EQ(axis.runs[1].policy.locality, axis.runs[1].network.penalty);
}

TEST_F(Runs, OtherSeedsFollowSeed) {
  const RunPlan run = read(minimal + "seed = 7\npolicy.seed = 3").runs[0];
  EXPECT_EQ(run.seed, 7u);
  EXPECT_EQ(run.cluster.seed, 7u);
  EXPECT_EQ(run.workload.seed, 7u);
  EXPECT_EQ(run.policy.seed, 3u);
}

TEST_F(Runs, NodesMayBeGivenInGroups) {
  const RunPlan run = read(minimal + "cluster.nodes = [{ count = 2, gpus = 8 }, { count = 3, gpus = 4 }]").runs[0];
  ASSERT_EQ(run.cluster.nodes.size(), 2u);
  EXPECT_EQ(run.cluster.nodes[0].count, 2u);
  EXPECT_EQ(run.cluster.nodes[1].gpus, 4u);
}

const std::string three_axes =
    "[axes]\n\"policy.placement\" = [\"pal\", \"packed-sticky\"]\nseed = [5, 3]\n\"engine.round_s\" = [300, 360]\n";

// Keys sorted are engine.round_s, policy.placement, seed. Seeds vary slowest, then in sorted order, the last key
// fastest; values in the order of the file. So by hand: (round, placement, seed) = (300,pal,5) (300,ps,5) (360,pal,5)
// (360,ps,5) (300,pal,3) ...
TEST_F(Runs, NumbersAreThePlaceInTheProduct) {
  const Study study = read(minimal + three_axes);
  ASSERT_EQ(study.axes.size(), 3u);
  EXPECT_EQ(study.axes[0].key, "engine.round_s");
  EXPECT_EQ(study.axes[1].key, "policy.placement");
  EXPECT_EQ(study.axes[2].key, "seed");
  EXPECT_EQ(study.axes[0].type, ColumnType::real) << "of a key of real numbers, however they are written";
  EXPECT_EQ(study.axes[2].type, ColumnType::integer);
  EXPECT_EQ(study.axes[1].type, ColumnType::text);
  ASSERT_EQ(study.runs.size(), 8u);
  for (std::int64_t i = 0; i < 8; ++i) {
    const RunPlan& run = study.runs[static_cast<std::size_t>(i)];
    EXPECT_EQ(run.number, i);
    EXPECT_EQ(run.seed, i < 4 ? 5u : 3u);
    EXPECT_EQ(run.engine.round_s, i % 4 < 2 ? 300 : 360);
    EXPECT_EQ(run.policy.placement, i % 2 == 0 ? "pal" : "packed-sticky");
    EXPECT_EQ(run.values[0], AxisValue(i % 4 < 2 ? 300.0 : 360.0));
    EXPECT_EQ(run.values[2], AxisValue(std::int64_t{i < 4 ? 5 : 3}));
  }
}

// A run is found by its id wherever it is looked for first: at its number, at that of another, or at one that the study
// does not have.
TEST_F(Runs, AreFoundByTheirIds) {
  const Study study = read(minimal + three_axes);
  RunNumbers numbers(study);
  for (const RunPlan& run : study.runs) {
    for (const std::int64_t likely : {run.number, std::int64_t{0}, std::int64_t{-1}, std::int64_t{8}}) {
      EXPECT_EQ(numbers.find(run.id, likely), std::optional(run.number)) << likely;
    }
  }
  EXPECT_EQ(numbers.find("0123", 3), std::nullopt);
}

// All four seeds are slower than any other key, although "cluster.seed" sorts before "policy.placement".
TEST_F(Runs, EverySeedIsSlow) {
  const Study study = read(minimal +
                           "[axes]\n\"cluster.seed\" = [1, 2]\n\"policy.placement\" = [\"pal\", \"pm-first\"]\n"
                           "\"workload.seed\" = [1, 2]\n\"cluster.gpus\" = [4, 8]");
  ASSERT_EQ(study.runs.size(), 16u);
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(study.runs[i].cluster.seed, i < 8 ? 1u : 2u);
    EXPECT_EQ(study.runs[i].workload.seed, i % 8 < 4 ? 1u : 2u);
    EXPECT_EQ(study.runs[i].cluster.nodes[0].count, i % 4 < 2 ? 1u : 2u);
    EXPECT_EQ(study.runs[i].policy.placement, i % 2 == 0 ? "pal" : "pm-first");
  }
}

// Adding seeds appends: the runs that were there keep number and id.
TEST_F(Runs, AddingSeedsAppends) {
  const auto with = [&](int seeds) {
    return read(minimal + "[axes]\nseed = { first = 1, count = " + std::to_string(seeds) +
                " }\n\"policy.placement\" = [\"pal\", \"pm-first\", \"packed-sticky\"]");
  };
  const Study few = with(2), many = with(5);
  ASSERT_EQ(few.runs.size(), 6u);
  ASSERT_EQ(many.runs.size(), 15u);
  std::set<std::string> ids;
  for (const auto& run : many.runs) ids.insert(run.id);
  EXPECT_EQ(ids.size(), 15u) << "every run has an id of its own";
  for (std::size_t i = 0; i < few.runs.size(); ++i) {
    EXPECT_EQ(few.runs[i].id, many.runs[i].id);
    EXPECT_EQ(few.runs[i].values, many.runs[i].values);
  }
}

// An id is of the resolved point: it does not know how the point was written, nor what the study is called.
TEST_F(Runs, IdIsOfTheResolvedPoint) {
  const std::string id = read(minimal).runs[0].id;
  EXPECT_EQ(id.size(), 16u);
  EXPECT_EQ(id.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(read(minimal + "engine.round_s = 360.0\npolicy.order = \"fifo\"\nstudy.name = \"x\"").runs[0].id, id);
  EXPECT_EQ(read(minimal + "[axes]\n\"policy.placement\" = [\"pm-first\", \"pal\"]").runs[1].id, id);
  EXPECT_EQ(read(minimal + "policy.scheduler = \"list\"").runs[0].id, id);
  EXPECT_EQ(read(minimal + "[axes]\n\"policy.scheduler\" = [\"list\"]").runs[0].id, id);
  EXPECT_EQ(read(minimal + "network.penalty = { cluster = 1.7 }\ncluster.seed = 1").runs[0].id, id);
  for (const char* change : {"engine.round_s = 300", "seed = 2", "policy.seed = 2", "output.events = true",
                             "measure.jobs.last = 159", "network.penalty.cluster = 1.8", "cluster.bins = 2"}) {
    EXPECT_NE(read(minimal + change).runs[0].id, id) << change;
  }
}

TEST_F(Runs, AxisTypes) {
  const auto type = [&](const std::string& axis) { return read(minimal + "[axes]\n" + axis).axes.at(0).type; };
  EXPECT_EQ(type("\"engine.round_s\" = [300, 360]"), ColumnType::real) << "300 and 300.0 are one value of this key";
  EXPECT_EQ(type("\"cluster.gpus\" = [32, 64]"), ColumnType::integer);
  EXPECT_EQ(type("\"engine.round_s\" = [300, 360.5]"), ColumnType::real);
  EXPECT_EQ(type("\"output.events\" = [true, false]"), ColumnType::text);
  EXPECT_EQ(type("\"cluster.bins\" = [2, \"silhouette\"]"), ColumnType::text);
  const Study mixed = read(minimal + "[axes]\n\"cluster.bins\" = [2, \"silhouette\"]");
  EXPECT_EQ(mixed.runs[0].values[0], AxisValue("2"));
  EXPECT_EQ(mixed.runs[0].cluster.bins.bins, 2u);
  EXPECT_EQ(mixed.runs[1].cluster.bins.bins, 0u);
  EXPECT_EQ(read(minimal + "[axes]\n\"output.events\" = [true]").runs[0].values[0], AxisValue("true"));
}

TEST_F(Runs, AxesMayBeWrittenWithoutQuotes) {
  const Study bare = read(minimal + "[axes]\nmeasure.jobs.last = [3, 4]\nseed = { first = 4, count = 2 }");
  ASSERT_EQ(bare.runs.size(), 4u);
  EXPECT_EQ(bare.runs[1].measure.last, 4);
  EXPECT_EQ(bare.runs[3].seed, 5u);
}

// Each word of a choice sets the member that it is about, to what the word says and no other word does.
TEST_F(Runs, WordsSetTheirMembers) {
  const auto run = [&](const std::string& more) { return read(minimal + more).runs.at(0); };
  EXPECT_EQ(run("engine.completion = \"round\"").engine.completion, Completion::round);
  EXPECT_EQ(run("engine.start = \"event\"").engine.start, Start::event);
  EXPECT_EQ(run("engine.sticky_victims = \"stay-stopped\"").engine.sticky_victims, StickyVictims::stay_stopped);
  const std::string easy = "policy.backfill = \"easy\"\npolicy.placement = \"pal-sticky\"\n";
  EXPECT_EQ(run(easy).engine.backfill, Backfill::greedy);
  EXPECT_FALSE(run(easy + "policy.reservation = \"count\"").engine.reserves_bins);
  EXPECT_TRUE(run(easy + "policy.reservation = \"bin\"").engine.reserves_bins);
  EXPECT_FALSE(run(easy + "policy.overrun = \"extend\"").engine.kills_overruns);
  EXPECT_TRUE(run(easy + "policy.overrun = \"kill\"").engine.kills_overruns);
  const std::string inflation = easy + "policy.estimate_inflation = ";
  EXPECT_EQ(run(inflation + "\"none\"").engine.inflation, EstimateInflation::none);
  EXPECT_EQ(run(inflation + "\"class-mean\"").engine.inflation, EstimateInflation::class_mean);
  EXPECT_EQ(run(inflation + "\"placement\"").engine.inflation, EstimateInflation::placement);
  EXPECT_EQ(run("workload.estimates = \"exact\"").workload.estimates, Estimates::exact);
  EXPECT_EQ(run("workload.estimates = \"uniform\"").workload.estimates, Estimates::uniform);
  EXPECT_EQ(run("workload.estimates = \"classes\"").workload.estimates, Estimates::classes);
  const std::string philly = "failures.model = \"philly\"\n";
  EXPECT_EQ(run(philly + "failures.faults = \"node\"").failures.faults, Faults::node);
  EXPECT_EQ(run(philly + "failures.faults = \"gpu\"").failures.faults, Faults::gpu);
  EXPECT_TRUE(run(philly + "failures.faults = \"gpu\"\nfailures.slow = true").failures.slow);
  EXPECT_FALSE(run(philly + "failures.kills = \"end\"").failures.options.kills_within);
  EXPECT_TRUE(run(philly + "failures.kills = \"within\"").failures.options.kills_within);
  EXPECT_TRUE(run(philly + "failures.late = \"fails\"").failures.options.late_fails);
  EXPECT_FALSE(run(philly + "failures.late = \"passes\"").failures.options.late_fails);
}

// How long users say that jobs take matters where one run of the study plans by it or kills by it.
TEST_F(Runs, EstimatesMatterWhereARunPlansOrKillsByThem) {
  const std::string sticky = "policy.placement = \"pal-sticky\"\n", axis = "axes.\"policy.backfill\" = ";
  EXPECT_FALSE(read(minimal + sticky + axis + "[\"none\", \"greedy\"]").by_estimates);
  EXPECT_TRUE(read(minimal + sticky + axis + "[\"none\", \"easy\"]").by_estimates);
  EXPECT_TRUE(read(minimal + sticky + axis + "[\"conservative\"]").by_estimates);
  EXPECT_TRUE(read(minimal + "policy.overrun = \"kill\"").by_estimates);
}

// What a study says of itself and of what it compares is kept, and read back from the archive.
TEST_F(Runs, WhatAStudySaysOfItselfIsKept) {
  const Study study = read(minimal +
                           "compare.metric = \"makespan_s\"\n[study]\nname = \"n\"\ntitle = \"A title\"\n"
                           "license = \"CC0-1.0\"\ncreator = \"A. Author\"\n");
  for (const Study& one : {study, parse_study(study.resolved, "again.toml")}) {
    EXPECT_EQ(one.compare_metric, "makespan_s");
    EXPECT_EQ(one.name, "n");
    EXPECT_EQ(one.title, "A title");
    EXPECT_EQ(one.license, "CC0-1.0");
    EXPECT_EQ(one.creator, "A. Author");
  }
}

TEST_F(Runs, BaselineIsPackedStickyWhereItIsThere) {
  EXPECT_EQ(read(minimal + three_axes).baselines, std::vector<std::string>{"packed-sticky"});
  EXPECT_EQ(read(minimal + "compare.baseline = [\"pm-first\", \"pal\"]").baselines,
            (std::vector<std::string>{"pm-first", "pal"}));
  EXPECT_TRUE(read(minimal + "[axes]\n\"policy.placement\" = [\"pal\", \"pm-first\"]").baselines.empty());
}

TEST_F(Runs, KeysThatChangeNothingAreSaid) {
  EXPECT_TRUE(read(minimal).notes.empty());
  EXPECT_EQ(read(minimal + "cluster.profile = \"longhorn\"\nworkload.seed = 4").notes,
            (std::vector<Note>{unused_key("cluster.profile"), unused_key("workload.seed")}));
}

// A key without effect is no part of the run, so that its id is that of the run without the key.
TEST_F(Runs, KeysThatChangeNothingEnterNoId) {
  const std::string id = read(minimal).runs.at(0).id;
  for (const char* key :
       {"network.profile = \"p.h5\"", "network.overlap = 0.5", "workload.resample = \"none\"",
        "failures.model = \"none\"", "failures.retries = 7", "power = { account = false, idle_w = 9, pue = 2 }"}) {
    EXPECT_EQ(read(minimal + key).runs.at(0).id, id) << key;
  }
}

// The transfers of a profile are used where the penalty is measured, and where a policy alone believes in it.
TEST_F(Runs, TheProfileOfTransfersIsUsedByWhatHoldsOrIsBelieved) {
  const std::string transfers = minimal + "network.profile = \"p.h5\"\nnetwork.overlap = 0.5\n";
  EXPECT_EQ(read(transfers).notes.size(), 2u);
  const Study holds = read(transfers + "network.penalty = \"measured\"\npolicy.locality.cluster = 2");
  EXPECT_TRUE(holds.notes.empty());
  EXPECT_TRUE(holds.runs.at(0).network.measured && !holds.runs.at(0).policy.locality_measured);
  const Study believed = read(transfers + "policy.locality = \"measured\"");
  EXPECT_TRUE(believed.notes.empty());
  EXPECT_TRUE(!believed.runs.at(0).network.measured && believed.runs.at(0).policy.locality_measured);
  EXPECT_EQ(believed.runs.at(0).network.profile, "p.h5");
  EXPECT_EQ(believed.runs.at(0).network.overlap, 0.5);
}

}  // namespace
}  // namespace palstudy
