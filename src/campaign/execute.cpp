// SPDX-License-Identifier: MIT
#include "campaign/execute.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <chrono>
#include <exception>

#include "core/error.hpp"
#include "inputs/inputs.hpp"
#include "policy/order_policy.hpp"
#include "policy/placement_policy.hpp"
#include "policy/routing_policy.hpp"
#include "sim/simulation.hpp"
#include "sim/state/scheduler.hpp"
#include "sim/supports.hpp"
#include "study/keys/run_features.hpp"
#include "study/study.hpp"

namespace palstudy {
namespace {

/// The largest the process has been so far, not the run alone: memory is not given back between runs.
double peak_rss_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;  // Linux counts KiB
}

/// The inputs of a run on every rank of the team, or the same kind of error on all: a rank that cannot read a file must
/// not leave the others waiting for it.
Inputs::Loaded load_together(const RunPlan& run, Inputs& inputs, Exchange& exchange) {
  std::optional<Inputs::Loaded> loaded;
  std::exception_ptr failure;
  std::string reason;
  double code = 0;
  try {
    loaded.emplace(inputs.load(run));
  } catch (const Error& error) {
    failure = std::current_exception();
    code = static_cast<double>(error.code());
    reason = error.what();
  }
  std::array<double, 2> codes = {code, -code};  // the largest, and the least negated
  exchange.max(codes);
  const bool alike = codes[0] == -codes[1];
  if (failure && (alike || exchange.ranks() == 1)) std::rethrow_exception(failure);
  if (!alike && !failure) throw OtherRankFailed();
  if (!alike)
    throw fault("the inputs can be read on some ranks of the team, but not on this one", "run " + run.id, reason);
  return *loaded;
}

}  // namespace

RunLabel label_of(const Study& study, const RunPlan& run) {
  return {.run = run.number,
          .id = run.id,
          .seed = run.seed,
          .axes = study.axes,
          .values = run.values,
          .by_estimates = study.by_estimates};
}

namespace {

/// What an order that predicts asks.
std::function<std::unique_ptr<Predictor>()> predictor_of(const RunPlan& run, const Workload& workload) {
  return [&] {
    const auto& chosen = predictors().at(run.workload.predictor).make;
    return chosen.make({workload, run.workload.seed}, run.workload.predictor_params);
  };
}

/// Whether the study has told what the run has, but for what follows from the jobs: so that nothing is refused by the
/// engine that the study has not refused at its place.
[[maybe_unused]] bool told_by_the_study(const RunPlan& run, const World& world, const Policies& policies) {
  const Features told = features_of(run), has = features_of(world, policies);
  return std::ranges::all_of(feature_keys(),
                             [&](const FeatureKey& key) { return told.has(key.feature) || !has.has(key.feature); });
}

/// `simulated(world, policies)` of a run with these inputs.
template <class Simulate>
auto with_world(const RunPlan& run, const Inputs::Loaded& loaded, Simulate simulated) {
  const auto order = orders().at(run.policy.order).make(run.policy.order_params);
  const PlacementContext context{loaded.topology, loaded.believed,  loaded.believed_penalty,
                                 run.policy.seed, &loaded.workload, loaded.node_weights};
  const auto placement = placements().at(run.policy.placement).make(context, run.policy.placement_params);
  const auto routing = routings()
                           .at(run.policy.routing)
                           .make({loaded.believed, loaded.believed_penalty, run.policy.seed, loaded.of_tenant},
                                 run.policy.routing_params);
  const World world{.topology = loaded.topology,
                    .truth = loaded.truth,
                    .believed = loaded.believed,
                    .workload = loaded.workload,
                    .penalty = loaded.penalty,
                    .believed_penalty = loaded.believed_penalty,
                    .engine = run.engine,
                    .measure = run.measure,
                    .record = {run.output.events, run.output.rounds},
                    .partitioning = loaded.partitioning,
                    .routing = run.routing,
                    .job_models = loaded.job_models,
                    .tenants = loaded.tenants ? &*loaded.tenants : nullptr,
                    .failures = loaded.failures,
                    .interference = run.interference,
                    .outages = loaded.outages,
                    .predictor = order->predicts() ? predictor_of(run, loaded.workload) : nullptr,
                    .energy = loaded.energy,
                    .power = loaded.power ? &*loaded.power : nullptr,
                    .queues = loaded.queues,
                    .shares = loaded.shares,
                    .starts = loaded.starts};
  const auto backfill = backfill_of(run.policy);
  const auto& scheduler = schedulers().at(run.policy.scheduler).make;
  const Policies policies{
      *order,
      *placement,
      routing.get(),
      [&](const SchedulerContext& partition) { return scheduler(partition, run.policy.scheduler_params); },
      backfill->reserves() ? backfill.get() : nullptr,
      scheduler.by_order};
  assert(told_by_the_study(run, world, policies));
  return simulated(world, policies);
}

/// The same, as a run of the study.
template <class Simulate>
SimulatedRun simulate_with(const Study& study, const RunPlan& run, Inputs& inputs, Exchange& exchange,
                           Simulate simulated) {
  const Inputs::Loaded loaded = load_together(run, inputs, exchange);
  const auto begin = std::chrono::steady_clock::now();
  SimulatedRun end{.workload = &loaded.workload,
                   .truth = &loaded.truth,
                   .topology = &loaded.topology,
                   .partitioning = loaded.partitioning,
                   .tables = run.output};
  end.result = with_world(run, loaded, simulated);
  if (!end.result) {
    end.stopped = true;
  } else if (exchange.rank() != 0) {
    end.result.reset();
  } else {
    end.label = label_of(study, run);
    end.label.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    end.label.peak_rss_mib = peak_rss_mib();
    end.label.cores = exchange.ranks();
  }
  return end;
}

}  // namespace

RunRecord SimulatedRun::record() const {
  return make_record(label, result.value(), *workload, *truth, *topology, partitioning, tables);
}

std::optional<RunRecord> execute(const Study& study, const RunPlan& run, Inputs& inputs, Exchange& exchange) {
  const SimulatedRun end = simulate_with(
      study, run, inputs, exchange,
      [&](const World& world, const Policies& policies) { return std::optional(simulate(world, policies, exchange)); });
  return end.result ? std::optional(end.record()) : std::nullopt;
}

RunResult simulate_loaded(const RunPlan& run, const Inputs::Loaded& loaded) {
  LocalExchange alone;
  return with_world(run, loaded,
                    [&](const World& world, const Policies& policies) { return simulate(world, policies, alone); });
}

SimulatedRun simulate_run(const Study& study, const RunPlan& run, Inputs& inputs, Exchange& exchange,
                          Checkpoints& checkpoints) {
  return simulate_with(study, run, inputs, exchange, [&](const World& world, const Policies& policies) {
    return simulate(world, policies, exchange, checkpoints);
  });
}

}  // namespace palstudy
