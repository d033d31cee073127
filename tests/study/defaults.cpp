// SPDX-License-Identifier: MIT
// A default is written twice: beside the member that holds it, for programs and tests that make options themselves, and
// as that of the study's key. A study that names no more than it has to is what the members say, key by key.
#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

class Defaults : public Scratch {
 protected:
  RunPlan plan(const std::string& more = "") { return read(minimal + "cluster.gpus = 8\n" + more).runs.at(0); }
};

TEST_F(Defaults, OfTheClusterAndTheWorkload) {
  const RunPlan given = plan();
  const RunPlan made;
  EXPECT_EQ(given.seed, made.seed);
  EXPECT_EQ(given.cluster.nodes_per_cabinet, made.cluster.nodes_per_cabinet);
  EXPECT_EQ(given.cluster.partitions, made.cluster.partitions);
  EXPECT_EQ(given.cluster.source, made.cluster.source);
  EXPECT_EQ(given.cluster.bins.bins, made.cluster.bins.bins);
  EXPECT_EQ(given.cluster.bins.single_outliers, made.cluster.bins.single_outliers);
  EXPECT_EQ(given.cluster.seed, made.cluster.seed);
  EXPECT_EQ(given.workload.copies.copies, made.workload.copies.copies);
  EXPECT_EQ(given.workload.resampling, made.workload.resampling);
  EXPECT_EQ(given.workload.seed, made.workload.seed);
  EXPECT_EQ(given.network.penalty, made.network.penalty);
  EXPECT_EQ(given.network.measured, made.network.measured);
  EXPECT_EQ(given.network.profile, made.network.profile);
}

TEST_F(Defaults, OfPoliciesAndTheEngine) {
  const RunPlan given = plan();
  const RunPlan made;
  EXPECT_EQ(given.policy.order, made.policy.order);
  EXPECT_EQ(given.policy.placement, made.policy.placement);
  EXPECT_EQ(given.policy.knowledge, made.policy.knowledge);
  EXPECT_EQ(given.policy.knowledge_by_cluster, made.policy.knowledge_by_cluster);
  EXPECT_EQ(given.policy.locality, made.policy.locality);
  EXPECT_EQ(given.policy.locality_measured, made.policy.locality_measured);
  EXPECT_EQ(given.policy.seed, made.policy.seed);
  EXPECT_EQ(given.policy.routing, made.policy.routing);
  EXPECT_EQ(given.engine.round_s, made.engine.round_s);
  EXPECT_EQ(given.engine.completion, made.engine.completion);
  EXPECT_EQ(given.engine.start, made.engine.start);
  EXPECT_EQ(given.engine.migration_s, made.engine.migration_s);
  EXPECT_EQ(given.engine.sticky_victims, made.engine.sticky_victims);
  EXPECT_EQ(given.engine.starvation_s, made.engine.starvation_s);
  EXPECT_EQ(given.engine.backfill, made.engine.backfill);
  EXPECT_EQ(given.engine.visit_every_boundary, made.engine.visit_every_boundary);
  EXPECT_EQ(given.routing.rebalance_rounds, made.routing.rebalance_rounds);
  EXPECT_EQ(given.routing.max_moves, made.routing.max_moves);
  EXPECT_EQ(given.routing.drain_rounds, made.routing.drain_rounds);
}

TEST_F(Defaults, OfWhatIsKnownOfADrawnCluster) {
  const RunPlan made;
  const RunPlan given = read(
                            "workload.trace = \"jobs.csv\"\nworkload.reader = \"native\"\ncluster.gpus = 64\n"
                            "cluster.source = \"block\"\npolicy.knowledge = \"runs\"\n")
                            .runs.at(0);
  EXPECT_EQ(given.policy.knowledge_params.number("knowledge_runs"), 5);
  EXPECT_EQ(given.cluster.profile, made.cluster.profile);
  EXPECT_EQ(given.cluster.classes, made.cluster.classes);
}

TEST_F(Defaults, OfWhatIsMeasuredAndKept) {
  const RunPlan given = plan();
  const RunPlan made;
  EXPECT_EQ(given.measure.by_window, made.measure.by_window);
  EXPECT_EQ(given.measure.end_s, made.measure.end_s);
  EXPECT_EQ(given.measure.initial, made.measure.initial);
  EXPECT_EQ(given.measured.initial_jobs, made.measured.initial_jobs);
  EXPECT_EQ(given.output.jobs, made.output.jobs);
  EXPECT_EQ(given.output.events, made.output.events);
  EXPECT_EQ(given.output.rounds, made.output.rounds);
}

// Without its section a part of the world is off; with the one key that it needs, all others are those of its members.
TEST_F(Defaults, OfFailuresTenantsAndNeighbours) {
  const RunPlan given = plan();
  const RunPlan made;
  EXPECT_EQ(given.failures.model, made.failures.model);
  EXPECT_EQ(given.tenants.on, made.tenants.on);
  EXPECT_EQ(given.interference.on(), made.interference.on());
  const FailureKeys failures = plan("failures.model = \"philly\"\n").failures;
  EXPECT_EQ(failures.faults, made.failures.faults);
  EXPECT_EQ(failures.slow, made.failures.slow);
  const FailureOptions& options = made.failures.options;
  EXPECT_EQ(failures.options.retries, options.retries);
  EXPECT_EQ(failures.options.repeat, options.repeat);
  EXPECT_EQ(failures.options.checkpoint_s, options.checkpoint_s);
  EXPECT_EQ(failures.options.scale, options.scale);
  EXPECT_EQ(failures.options.validate_s, options.validate_s);
  EXPECT_EQ(failures.options.adaptive_retry, options.adaptive_retry);
  EXPECT_EQ(failures.options.kill_exponent, options.kill_exponent);
  EXPECT_EQ(failures.options.late_fails, options.late_fails);
  EXPECT_EQ(failures.options.kills_within, options.kills_within);
  EXPECT_EQ(failures.options.seed, options.seed);
  const TenantOptions tenants = plan(
                                    "policy.backfill = \"greedy\"\npolicy.placement = \"packed-sticky\"\n"
                                    "tenants.gpus = { a = 8 }\n")
                                    .tenants;
  EXPECT_EQ(tenants.scale, made.tenants.scale);
  EXPECT_EQ(tenants.unlisted, made.tenants.unlisted);
  const TenantRules& rules = made.tenants.rules;
  EXPECT_EQ(tenants.rules.preempt_occupancy, rules.preempt_occupancy);
  EXPECT_EQ(tenants.rules.ladder(), rules.ladder());
  EXPECT_EQ(tenants.rules.gangs(), rules.gangs());
  EXPECT_EQ(tenants.rules.dedicated, rules.dedicated);
  EXPECT_EQ(tenants.rules.defragment, rules.defragment);
}

TEST_F(Defaults, OfNodesThatArePoweredOff) {
  const RunPlan made;
  EXPECT_EQ(plan().power.off, made.power.off);
  const PowerOptions given = plan("power.off = \"ces\"\n").power, &options = made.power;
  EXPECT_EQ(given.forecast, options.forecast);
  EXPECT_EQ(given.off_order, options.off_order);
  EXPECT_EQ(given.tick_s, options.tick_s);
  EXPECT_EQ(given.boot_s, options.boot_s);
  EXPECT_EQ(given.rule.boot_s, options.boot_s);
  EXPECT_EQ(given.stop_s, options.stop_s);
  EXPECT_EQ(given.rule.idle_s, options.rule.idle_s);
  EXPECT_EQ(given.rule.spare, options.rule.spare);
  EXPECT_EQ(given.rule.ces.history, options.rule.ces.history);
  EXPECT_EQ(given.rule.ces.future, options.rule.ces.future);
  EXPECT_EQ(given.rule.ces.his_threshold, options.rule.ces.his_threshold);
  EXPECT_EQ(given.rule.ces.fut_threshold, options.rule.ces.fut_threshold);
  EXPECT_EQ(given.rule.ces.de_threshold, options.rule.ces.de_threshold);
  EXPECT_EQ(given.rule.ces.buffer, options.rule.ces.buffer);
  EXPECT_EQ(given.rule.ces.keep, options.rule.ces.keep);
  EXPECT_EQ(given.rule.ces.stable_until_initial, options.rule.ces.stable_until_initial);
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
