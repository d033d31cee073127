// SPDX-License-Identifier: MIT
#include "inputs/clusters.hpp"

#include <fmt/format.h>

#include <set>

#include "core/text.hpp"
#include "inputs/inputs.hpp"

namespace palstudy {
namespace {

std::vector<const RunPlan*> with_distinct_clusters(const Study& study, const Inputs& inputs) {
  std::vector<const RunPlan*> runs;
  std::set<std::string> seen;
  for (const RunPlan& run : study.runs) {
    if (seen.insert(inputs.cluster_key(run)).second) runs.push_back(&run);
  }
  return runs;
}

std::uint64_t gpus_of(const RunPlan& run) {
  std::uint64_t gpus = 0;
  for (const auto& group : run.cluster.nodes) gpus += std::uint64_t{group.count} * group.gpus;
  return gpus;
}

}  // namespace

std::vector<std::string> cluster_recipe(const RunPlan& run) {
  const auto& cluster = run.cluster;
  if (cluster.source == "table") return {};
  std::vector<std::string> groups;
  for (const auto& group : cluster.nodes) {
    groups.push_back(fmt::format("{{ count = {}, gpus = {} }}", group.count, group.gpus));
  }
  std::vector<std::string> lines = {fmt::format("source = \"{}\"", cluster.source),
                                    fmt::format("profile = \"{}\"", cluster.profile),
                                    fmt::format("classes = \"{}\"", cluster.classes),
                                    fmt::format("seed = {}", cluster.seed),
                                    fmt::format("nodes = [{}]", join(groups)),
                                    fmt::format("nodes_per_cabinet = {}", cluster.nodes_per_cabinet)};
  if (run.policy.knowledge == "other-half") lines.emplace_back("# of the 1st, 3rd, ... run of each measured GPU");
  return lines;
}

std::vector<ClusterRecord> archived_clusters(const Study& study, Inputs& inputs) {
  std::vector<ClusterRecord> clusters;
  for (const RunPlan* run : with_distinct_clusters(study, inputs)) {
    auto recipe = cluster_recipe(*run);
    const bool whole = recipe.empty() || gpus_of(*run) <= archived_slowdowns_limit;
    clusters.push_back(
        {inputs.cluster_key(*run), whole ? inputs.load_cluster(*run).truth : Slowdowns({}, 0, {}), std::move(recipe)});
  }
  return clusters;
}

std::vector<CheckedCluster> checked_clusters(const Study& study, Inputs& inputs) {
  std::vector<CheckedCluster> clusters;
  for (const RunPlan* run : with_distinct_clusters(study, inputs)) {
    const auto loaded = inputs.load_cluster(*run);
    std::vector<ClassCheck> checks;
    if (!loaded.classes.empty()) checks = check_cluster(loaded.truth, loaded.topology, loaded.classes);
    clusters.push_back(
        {{inputs.cluster_key(*run), loaded.truth, cluster_recipe(*run)}, &loaded.topology, std::move(checks)});
  }
  return clusters;
}

}  // namespace palstudy
