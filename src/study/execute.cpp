// SPDX-License-Identifier: MIT
#include <sys/resource.h>

#include <chrono>

#include "policy/order_policy.hpp"
#include "policy/placement_policy.hpp"
#include "sim/simulation.hpp"
#include "study/study.hpp"

namespace palstudy {
namespace {

/// The largest the process has been so far, not the run alone: memory is not given back between runs.
double peak_rss_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;  // Linux counts KiB
}

}  // namespace

RunLabel label_of(const Study& study, const RunPlan& run) {
  RunLabel label;
  label.run = run.number;
  label.id = run.id;
  label.seed = run.seed;
  label.axes = study.axes;
  label.values = run.values;
  return label;
}

RunRecord execute(const Study& study, const RunPlan& run, Inputs& inputs) {
  const Inputs::Loaded loaded = inputs.load(run);
  const auto begin = std::chrono::steady_clock::now();
  const auto order = orders().at(run.policy.order).make(run.policy.order_params);
  const PlacementContext context{loaded.topology, loaded.believed, run.policy.locality, run.policy.seed};
  const auto placement = placements().at(run.policy.placement).make(context, run.policy.placement_params);
  const World world{.topology = loaded.topology,
                    .truth = loaded.truth,
                    .believed = loaded.believed,
                    .workload = loaded.workload,
                    .penalty = run.penalty,
                    .believed_penalty = run.policy.locality,
                    .engine = run.engine,
                    .measure = run.measure,
                    .record = {run.output.events, run.output.rounds}};
  const RunResult result = simulate(world, *order, *placement);
  RunLabel label = label_of(study, run);
  label.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  label.peak_rss_mib = peak_rss_mib();
  return make_record(label, result, loaded.workload, loaded.truth, loaded.topology, run.output);
}

}  // namespace palstudy
