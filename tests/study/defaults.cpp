// SPDX-License-Identifier: MIT
// A default is written twice: beside the member that holds it, for programs and tests that make options themselves, and
// as that of the study's key. A study that names no more than it has to is what the members say, key by key.
#include <algorithm>

#include "campaign/scratch.hpp"
#include "study/keys/key_table.hpp"

namespace palstudy {
namespace {

class Defaults : public Scratch {
 protected:
  RunPlan plan(const std::string& more = "") { return read(minimal + "cluster.gpus = 8\n" + more).runs.at(0); }
  /// The keys of these sections whose members are others than without a study.
  static std::vector<std::string> others(const RunPlan& given, const std::vector<std::string>& sections) {
    std::vector<std::string> names;
    for (const Key& key : fixed_keys()) {
      const bool asked = std::ranges::any_of(sections, [&](const auto& name) { return key.name.starts_with(name); });
      if (asked && key.read && key.read(given) != key.read(RunPlan())) names.push_back(key.name);
    }
    return names;
  }
};

using Names = std::vector<std::string>;

// Beside what the study names, the last job of the trace is not known without it.
TEST_F(Defaults, OfEveryKeyAreThoseOfItsMember) {
  EXPECT_EQ(others(plan(), {""}), (Names{"cluster.table", "measure.jobs.last", "workload.reader", "workload.trace"}));
  EXPECT_EQ(others(plan("failures.model = \"philly\"\n"), {"failures."}), Names{"failures.model"});
  const RunPlan tenants =
      plan("policy.backfill = \"greedy\"\npolicy.placement = \"packed-sticky\"\ntenants.gpus = { a = 8 }\n");
  EXPECT_EQ(others(tenants, {"tenants.", "ladder.", "gang."}), Names{});
  // Where nodes are powered off their energy is accounted, by the watts of the program's table.
  const RunPlan power = plan("power.off = \"ces\"\n");
  EXPECT_EQ(others(power, {"power."}),
            (Names{"power.account", "power.base_w", "power.off", "power.off_w", "power.wait", "power.watts"}));
  EXPECT_EQ(power.power.rule.boot_s, RunPlan().power.boot_s);
}

// The same of members that no key alone sets.
TEST_F(Defaults, OfWhatSeveralKeysDecide) {
  const RunPlan given = plan();
  const RunPlan made;
  EXPECT_EQ(given.cluster.bins.single_outliers, made.cluster.bins.single_outliers);
  EXPECT_EQ(given.network.penalty, made.network.penalty);
  EXPECT_EQ(given.network.measured, made.network.measured);
  EXPECT_EQ(given.policy.knowledge_by_cluster, made.policy.knowledge_by_cluster);
  EXPECT_EQ(given.policy.locality, made.policy.locality);
  EXPECT_EQ(given.policy.locality_measured, made.policy.locality_measured);
  EXPECT_EQ(given.engine.backfill, made.engine.backfill);
  EXPECT_EQ(given.engine.visit_every_boundary, made.engine.visit_every_boundary);
  EXPECT_EQ(given.measure.by_window, made.measure.by_window);
  EXPECT_EQ(given.measured.initial_jobs, made.measured.initial_jobs);
  EXPECT_EQ(given.tenants.on, made.tenants.on);
  EXPECT_EQ(given.interference.on(), made.interference.on());
}

TEST_F(Defaults, OfWhatIsKnownOfADrawnCluster) {
  const RunPlan given = read(
                            "workload.trace = \"jobs.csv\"\nworkload.reader = \"native\"\ncluster.gpus = 64\n"
                            "cluster.source = \"block\"\npolicy.knowledge = \"runs\"\n")
                            .runs.at(0);
  EXPECT_EQ(given.policy.knowledge_params.number("knowledge_runs"), 5);
  EXPECT_EQ(given.cluster.profile, RunPlan().cluster.profile);
  EXPECT_EQ(given.cluster.classes, RunPlan().cluster.classes);
}

// A key of [power] enters a run only where it is used: not beside "none", and those of ces not beside a timer.
TEST_F(Defaults, OfPowerEnterARunWhereTheyAreUsed) {
  const Study none = read(minimal + "power.off = \"none\"\n"), timer = read(minimal + "power.off = \"timer\"\n");
  EXPECT_EQ(read(minimal).resolved.find("power"), std::string::npos);
  EXPECT_EQ(none.resolved.find("idle_s"), std::string::npos);
  EXPECT_NE(timer.resolved.find("idle_s = 3600"), std::string::npos);
  EXPECT_EQ(timer.resolved.find("keep"), std::string::npos);
  EXPECT_NE(none.runs.at(0).id, timer.runs.at(0).id);
}

TEST_F(Defaults, OfTheStudyAsAWhole) {
  const Study given = read(minimal + "cluster.gpus = 8\n");
  const Study made;
  EXPECT_EQ(given.compare_metric, made.compare_metric);
  EXPECT_EQ(given.checkpoint_s, made.checkpoint_s);
}

}  // namespace
}  // namespace palstudy
