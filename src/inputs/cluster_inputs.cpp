// SPDX-License-Identifier: MIT
#include "inputs/cluster_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.hpp"
#include "core/progress_report.hpp"
#include "core/text.hpp"
#include "inputs/input_files.hpp"
#include "inputs/inputs.hpp"
#include "stats/descriptive.hpp"
#include "study/keys/key_names.hpp"
#include "variability/profile/profile_summary.hpp"
#include "variability/slowdowns.hpp"
#include "variability/sources/class_kernels.hpp"
#include "variability/sources/cluster_sources.hpp"
#include "variability/sources/knowledge.hpp"
#include "variability/sources/node_bootstrap.hpp"
#include "variability/sources/reliability.hpp"

namespace palstudy {

const Topology& ClusterInputs::topology(const RunPlan& run) {
  return memoize(topologies_, topology_text(run),
                 [&] { return Topology(run.cluster.nodes, run.cluster.nodes_per_cabinet); });
}

const Slowdowns& ClusterInputs::truth(const RunPlan& run) {
  return memoize(truths_, cluster_text(run), [&] { return make_truth(run); });
}

const Bins& ClusterInputs::believed(const RunPlan& run) {
  const auto& rule = run.cluster.bins;
  const std::string text =
      fmt::format("{}\n{}\n{}\n{}", cluster_text(run), rule.bins, rule.single_outliers, belief_text(run));
  return memoize(bins_, text, [&] {
    const Slowdowns& true_ones = truth(run);
    const ProgressReport step(fmt::format("binning {} GPUs of {} classes", true_ones.gpus(), true_ones.classes()),
                              true_ones.gpus() >= gpus_that_take_long);
    const std::vector<double> outliers = outliers_from(run);
    if (run.policy.knowledge == "oracle") return Bins(true_ones, rule, outliers);  // without a copy of large clusters
    return Bins(belief(run), rule, outliers);
  });
}

const std::vector<double>& ClusterInputs::temperatures_c(const RunPlan& run) {
  return memoize(temperatures_, cluster_text(run), [&] { return draw_temperatures(run); });
}

std::vector<double> ClusterInputs::draw_temperatures(const RunPlan& run) {
  const auto& cluster = run.cluster;
  const auto refuse = [&](const std::string& why) {
    return usage_error(why, files_.study().place_of(keys::power_off_order, run.power.off_order),
                       "use power.off_order = \"joules\", or draw the cluster from measurements with temp_c");
  };
  if (cluster.source == "table") throw refuse("the slowdowns of a table come without the temperatures of its GPUs");
  const ClassMeasurements classes = profiles_.of(cluster);
  for (const auto& [name, measured] : classes) {
    const auto unknown = [](const Measurements::Gpu& gpu) { return std::isnan(gpu.temp_c); };
    if (std::ranges::none_of(measured->gpus, unknown)) continue;
    throw refuse(
        fmt::format("the slowdowns of class {} are those measured as {}, some of whose GPUs have no temperature", name,
                    measured->name));
  }
  const Topology& nodes = topology(run);
  const SourceGpus sources = cluster.source == "bootstrap" ? bootstrap_sources(classes, nodes, cluster.seed)
                             : cluster.source == "block"   ? block_sources(classes, nodes, cluster.seed)
                                                           : measured_sources(classes, nodes, cluster.seed);
  std::vector<double> temperatures;
  for (const auto& [name, measured] : classes) {
    for (std::uint32_t gpu = 0; gpu < nodes.gpus(); ++gpu) {
      temperatures.push_back(measured->gpus[sources[temperatures.size()]].temp_c);
    }
  }
  return temperatures;
}

Slowdowns ClusterInputs::draw_cluster(const RunPlan& run, RunsUsed runs) {
  const auto& cluster = run.cluster;
  const Topology& nodes = topology(run);
  const ClassMeasurements classes = profiles_.of(cluster);
  if (cluster.source == "bootstrap") return bootstrap_slowdowns(classes, nodes, cluster.seed);
  const bool block = cluster.source == "block";
  if (!block && cluster.source != "measured") throw fault("unknown cluster.source " + cluster.source);
  ProgressReport step(fmt::format("drawing the slowdowns of {} GPUs, nodes of each class", nodes.gpus()),
                      nodes.gpus() >= gpus_that_take_long);
  DrawnCluster drawn = block ? block_slowdowns(classes, nodes, cluster.seed, runs,
                                               [&](std::size_t done, std::size_t of) { step.at(done, of); })
                             : measured_slowdowns(classes, nodes, cluster.seed,
                                                  files_.study().place_of(keys::source, cluster.source), runs);
  for (const auto& sentence : drawn.notes) files_.note(sentence);
  return std::move(drawn.slowdowns);
}

Slowdowns ClusterInputs::make_truth(const RunPlan& run) {
  const auto& cluster = run.cluster;
  if (run.policy.knowledge == "other-half") {
    files_.note(
        "policy.knowledge = \"other-half\": of each GPU's runs the 1st, 3rd, ... are its truth, the others what is "
        "believed of it");
    return draw_cluster(run, RunsUsed::even);
  }
  if (cluster.source != "table") return draw_cluster(run, RunsUsed::all);
  const auto path = files_.named(keys::slowdown_table, cluster.table);
  Slowdowns table = read_slowdown_table(path, topology(run));
  files_.add(cluster.table, path);
  for (std::size_t c = 0; c < table.classes(); ++c) {
    const auto values = table.of(ClassId(c));
    const double middle = median({values.begin(), values.end()});
    if (middle > 0.5 && middle < 2) continue;
    files_.note(fmt::format(
        "{}: the median slowdown of class {} is {:.3g}, so its jobs run that many times as long as in the trace; a "
        "slowdown is the time on a GPU over that on the median one, no time in itself",
        cluster.table, table.class_names()[c], middle));
  }
  return table;
}

std::vector<ClassSpread> ClusterInputs::spreads(const RunPlan& run) {
  const Slowdowns& now = truth(run);
  std::vector<ClassSpread> all;
  if (run.cluster.source == "table") {  // without runs the spread of its GPUs stands in for theirs
    for (std::uint32_t c = 0; c < now.classes(); ++c) {
      std::vector<double> logs;
      for (const double slowdown : now.of(ClassId(c))) logs.push_back(std::log(slowdown));
      all.push_back({c, 0, robust_sd(logs)});
    }
    return all;
  }
  const ClassMeasurements classes = profiles_.of(run.cluster);
  const auto kernels = distinct_kernels(classes, RunsUsed::all);
  const auto streams = kernel_of_class(classes, kernels);
  for (const std::size_t stream : streams) {
    const Measurements& measured = *kernels[stream].measured;
    all.push_back({static_cast<std::uint32_t>(stream), run_spread(measured), gpu_spread(measured)});
  }
  return all;
}

std::vector<double> ClusterInputs::outliers_from(const RunPlan& run) {
  const std::string& source = run.cluster.source;
  if (source != "measured" && source != "block") return {};  // GPUs that were not measured as such
  std::vector<double> limits;
  for (const auto& [name, measured] : profiles_.of(run.cluster)) {
    limits.push_back(confirmed_outliers_from(*measured));
  }
  return limits;
}

Slowdowns ClusterInputs::belief(const RunPlan& run) {
  const auto& policy = run.policy;
  const Slowdowns& now = truth(run);
  if (policy.knowledge == "flat") return Slowdowns::flat(now.class_names(), now.gpus());
  if (policy.knowledge == "runs") return remeasure(now, spreads(run), policy.knowledge_runs, belief_seed(run));
  if (policy.knowledge == "stale")
    return stale_estimate(now, spreads(run), policy.knowledge_age_days, belief_seed(run));
  if (policy.knowledge != "other-half") throw fault("unknown policy.knowledge " + policy.knowledge);
  return draw_cluster(run, RunsUsed::odd);
}

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

/// The recipe of the slowdowns of a run's cluster: lines of TOML under [cluster]. Empty for a table.
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

}  // namespace

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

namespace {

Error refused(const RunPlan& run, const Job& job, const std::string& what, const std::string& advice) {
  return data_error(fmt::format("job {} {}", job.id, what), jobs_of(run), advice);
}

}  // namespace

Partitioning partitioning_of(const RunPlan& run, const Topology& topology) {
  if (run.cluster.partition_sizes.empty()) return {topology, run.cluster.partitions};
  std::vector<std::uint32_t> gpus;
  for (const auto& [tenant, size] : run.cluster.partition_sizes) gpus.push_back(size);
  return {topology, gpus};
}

std::string partitioning_text(const RunPlan& run) {
  std::string text = fmt::format("{} partitions {}", run.cluster.partitions, run.policy.routing);
  for (const auto& [tenant, size] : run.cluster.partition_sizes) text += fmt::format(" {}={}", tenant, size);
  return text;
}

std::vector<PartitionId> partitions_of_tenants(const RunPlan& run, const Workload& workload) {
  if (run.policy.routing != "tenant") return {};
  const auto& sizes = run.cluster.partition_sizes;
  std::vector<PartitionId> of_tenant;
  for (const std::string& tenant : workload.tenants) {
    const auto found = std::ranges::find_if(sizes, [&](const auto& size) { return size.first == tenant; });
    of_tenant.emplace_back(static_cast<std::size_t>(found - sizes.begin()));
  }
  for (const Job& job : workload.jobs) {
    const std::size_t p = of_tenant[job.tenant].index();
    const std::string& tenant = workload.tenants[job.tenant];
    if (p == sizes.size()) {
      throw refused(
          run, job,
          tenant.empty() ? "names no tenant" : fmt::format("is of the tenant \"{}\", which has no partition", tenant),
          fmt::format("give every tenant one in {}", keys::partitions.name));
    }
    if (job.gpus <= sizes[p].second) continue;
    throw refused(
        run, job,
        fmt::format("wants {} GPUs, but the partition of its tenant \"{}\" has {}", job.gpus, tenant, sizes[p].second),
        fmt::format("make that partition larger in {}, or leave the job out", keys::partitions.name));
  }
  return of_tenant;
}

}  // namespace palstudy
