// SPDX-License-Identifier: MIT
#include "analysis/seed_effects.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "analysis/interval_scope.hpp"
#include "inputs/input_files.hpp"
#include "inputs/inputs.hpp"
#include "study/seeds.hpp"

namespace palstudy {
namespace {

using Runs = std::vector<const RunPlan*>;

/// The runs of each point of the axes that are no seeds.
std::vector<Runs> runs_at_points(const Study& study) {
  std::vector<Runs> all;
  for (const auto& point : points_of(study)) {
    Runs& runs = all.emplace_back();
    for (const std::size_t run : point) runs.push_back(&study.runs[run]);
  }
  return all;
}

template <class Text>
bool differ(const std::vector<Runs>& points, Text text) {
  return std::any_of(points.begin(), points.end(), [&](const Runs& runs) {
    return std::any_of(runs.begin(), runs.end(), [&](const RunPlan* run) { return text(*run) != text(*runs.front()); });
  });
}

/// The seed of what a run draws beside its cluster and its workload: failures, and measurements that policies believe.
std::string other_draws(const RunPlan& run) {
  return (run.failures.model.empty() ? "" : std::to_string(run.failures.options.seed)) + " " + belief_text(run);
}

bool same_nodes(const Runs& runs, Inputs& inputs) {
  std::set<std::string> seen;
  NodesByClass first;
  for (const RunPlan* run : runs) {
    if (run->cluster.source != "measured") return false;
    if (!seen.insert(cluster_text(*run)).second) continue;
    NodesByClass nodes = nodes_of(inputs.load_cluster(*run).truth, run->cluster.nodes);
    if (seen.size() == 1)
      first = std::move(nodes);
    else if (nodes != first)
      return false;
  }
  return true;
}

}  // namespace

std::string idle_seeds_line(const Study& study, Inputs& inputs) {
  const std::vector<Runs> points = runs_at_points(study);
  if (std::all_of(points.begin(), points.end(), [](const Runs& runs) { return runs.size() == 1; })) return "";
  if (differ(points, other_draws) || differ(points, workload_text)) {
    return "";
  }
  if (!differ(points, cluster_text)) {
    return "the seeds change nothing but random choices of the policies, so there is no interval; draw clusters "
           "(cluster.source) or workloads (workload.resample, a generator)";
  }
  if (!std::all_of(points.begin(), points.end(), [&](const Runs& runs) { return same_nodes(runs, inputs); })) return "";
  return "the seeds only put the same nodes in other places, so intervals are over other placements of these GPUs, not "
         "over other machines; give fewer nodes than were measured, or draw workloads (workload.resample)";
}

}  // namespace palstudy
