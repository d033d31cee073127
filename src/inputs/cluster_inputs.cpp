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
#include "study/fingerprint.hpp"
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "study/slurm_conf.hpp"
#include "variability/profile/profile_summary.hpp"
#include "variability/slowdowns.hpp"
#include "variability/sources/class_kernels.hpp"
#include "variability/sources/reliability.hpp"
#include "variability/sources/site_nodes.hpp"

namespace palstudy {
namespace {

const NoteKind run_halves("run-halves", Severity::info);

}  // namespace

const Topology& ClusterInputs::topology(const RunPlan& run) {
  return memoize(topologies_, topology_text(run),
                 [&] { return Topology(run.cluster.nodes, run.cluster.nodes_per_cabinet); });
}

bool wants_temperatures(const RunPlan& run) { return run.power.on() && run.power.off_order == "hottest"; }

ClusterInputs::ClusterInputs(InputFiles& files, ProfileInputs& profiles)
    : files_(files), profiles_(profiles), keeps_gpus_(std::ranges::any_of(files.study().runs, wants_temperatures)) {}

const DrawnCluster& ClusterInputs::cluster(const RunPlan& run) {
  return memoize(clusters_, cluster_text(run), [&] {
    const bool halves = belief_of(run.policy).halves;
    if (halves) files_.note(run_halves({{"knowledge", run.policy.knowledge}}));
    DrawnCluster drawn = draw(run, halves ? RunsUsed::even : RunsUsed::all);
    if (!keeps_gpus_) drawn.from = {};
    return drawn;
  });
}

const Bins& ClusterInputs::believed(const RunPlan& run) {
  const auto& rule = run.cluster.bins;
  const std::string text = cluster_text(run) + "\n" + std::to_string(rule.bins) +
                           (rule.single_outliers ? "\nsingle\n" : "\nbinned\n") + belief_text(run);
  return memoize(bins_, text, [&] {
    const Slowdowns& true_ones = truth(run);
    const ProgressReport step("binning " + counted(true_ones.gpus(), "GPU") + " of each class",
                              true_ones.gpus() >= gpus_that_take_long);
    const std::vector<double> outliers = outliers_from(run);
    const Belief& belief = belief_of(run.policy);
    if (belief.believe == nullptr) return Bins(true_ones, rule, outliers);  // without a copy of large clusters
    const BeliefContext from{true_ones, [&] { return spreads(run); },
                             [&](RunsUsed runs) { return draw(run, runs).slowdowns; }, belief_seed(run)};
    return Bins(belief.believe(from, run.policy.knowledge_params), rule, outliers);
  });
}

const std::vector<double>& ClusterInputs::temperatures_c(const RunPlan& run) {
  return memoize(temperatures_, cluster_text(run), [&] {
    const auto refuse = [&](const std::string& why) {
      return usage_error(why, files_.study().place_of(keys::power_off_order, run.power.off_order),
                         "use power.off_order = \"joules\", or draw the cluster from measurements with temp_c");
    };
    const SourceGpus& gpus = cluster(run).from;
    if (gpus.empty()) {
      throw refuse(fmt::format("the slowdowns of a {} come without the temperatures of its GPUs", run.cluster.source));
    }
    std::vector<double> temperatures;
    for (const auto& [name, measured] : classes(run)) {
      const auto unknown = [](const Measurements::Gpu& gpu) { return std::isnan(gpu.temp_c); };
      if (std::ranges::any_of(measured->gpus, unknown)) {
        throw refuse(
            fmt::format("the slowdowns of class {} are those measured as {}, some of whose GPUs have no temperature",
                        name, measured->name));
      }
      for (std::uint32_t gpu = 0; gpu < topology(run).gpus(); ++gpu) {
        temperatures.push_back(measured->gpus[gpus[temperatures.size()]].temp_c);
      }
    }
    return temperatures;
  });
}

ClassMeasurements ClusterInputs::classes(const RunPlan& run) {
  return source_of(run.cluster).uses("profile") ? profiles_.of(run.cluster) : ClassMeasurements{};
}

DrawnCluster ClusterInputs::draw(const RunPlan& run, RunsUsed runs) {
  const auto& cluster = run.cluster;
  const ClusterSource& source = source_of(cluster);
  const Topology& nodes = topology(run);
  const ClassMeasurements measured = classes(run);
  ProgressReport step("drawing the slowdowns of " + counted(nodes.gpus(), "GPU") + ", nodes of each class",
                      nodes.gpus() >= gpus_that_take_long);
  SourceContext from{nodes, measured, cluster.seed, runs, files_.study().place_of(keys::source, cluster.source)};
  from.told = [&](std::size_t done, std::size_t of) { step.at(done, of); };
  if (source.uses("table")) {
    from.written = cluster.table;
    from.table = files_.named(keys::slowdown_table, from.written);
    files_.add(from.written, from.table);
  }
  if (!cluster.hosts.empty()) from.hosts = host_names(cluster.hosts);
  DrawnCluster drawn = source.draw(from, cluster.source_params);
  for (const Note& note : drawn.notes) files_.note(note);
  return drawn;
}

std::vector<std::string> ClusterInputs::host_names(const std::string& written) {
  const auto path = files_.named(keys::hosts, written);
  files_.add(written, path);
  std::vector<std::string> names;
  for (const SlurmNode& node : read_slurm_conf(path).nodes) names.push_back(node.name);
  return names;
}

std::vector<SiteNode> ClusterInputs::site_nodes(const RunPlan& run) {
  const std::string& conf = run.cluster.hosts;
  const std::vector<std::string> names = conf.empty() ? std::vector<std::string>() : host_names(conf);
  std::vector<SiteNode> nodes;
  for (const auto& host : hosts_of_nodes(distinct_kernels(classes(run), RunsUsed::all), topology(run), names,
                                         files_.study().place_of(keys::source, run.cluster.source))) {
    nodes.push_back({host ? *host : names.empty() ? "" : names[nodes.size()], host.has_value()});
  }
  return nodes;
}

std::vector<ClassSpread> ClusterInputs::spreads(const RunPlan& run) {
  const Slowdowns& now = truth(run);
  std::vector<ClassSpread> all;
  const ClassMeasurements measured = classes(run);
  if (measured.empty()) {  // without runs the spread of its GPUs stands in for theirs
    for (std::uint32_t c = 0; c < now.classes(); ++c) {
      std::vector<double> logs;
      for (const double slowdown : now.of(ClassId(c))) logs.push_back(std::log(slowdown));
      all.push_back({c, 0, robust_sd(logs)});
    }
    return all;
  }
  const auto kernels = distinct_kernels(measured, RunsUsed::all);
  for (const std::size_t stream : kernel_of_class(measured, kernels)) {
    const Measurements& kernel = *kernels[stream].measured;
    all.push_back({static_cast<std::uint32_t>(stream), run_spread(kernel), gpu_spread(kernel)});
  }
  return all;
}

std::vector<double> ClusterInputs::outliers_from(const RunPlan& run) {
  std::vector<double> limits;
  if (source_of(run.cluster).measured != Measured::gpus) return limits;
  for (const auto& [name, measured] : classes(run)) limits.push_back(confirmed_outliers_from(*measured));
  return limits;
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

/// The recipe of the slowdowns of a run's cluster: lines of TOML under [cluster]. Empty for one that is not drawn.
std::vector<std::string> cluster_recipe(const RunPlan& run) {
  const auto& cluster = run.cluster;
  const auto& source = cluster_sources().at(cluster.source);
  if (!source.make.uses("seed")) return {};
  std::vector<std::string> lines = {"source = \"" + source.name + "\""};
  for (const std::string& name : source.make.keys) {
    const Key* key = find_key(std::string(cluster_section) + "." + name);
    const char* quote = key->type == KeyType::integer ? "" : "\"";
    lines.push_back(name + " = " + quote + key->read(run) + quote);
  }
  for (const Param& param : source.params) {
    const bool words = param.type == ParamType::text;
    lines.push_back(param.name + " = " +
                    (words ? "\"" + cluster.source_params.text(param.name) + "\""
                           : shortest(cluster.source_params.number(param.name))));
  }
  std::vector<std::string> groups;
  for (const auto& [count, gpus] : cluster.nodes) {
    groups.push_back("{ count = " + std::to_string(count) + ", gpus = " + std::to_string(gpus) + " }");
  }
  lines.push_back("nodes = [" + join(groups) + "]");
  lines.push_back("nodes_per_cabinet = " + std::to_string(cluster.nodes_per_cabinet));
  if (belief_of(run.policy).halves) lines.emplace_back("# of the 1st, 3rd, ... run of each measured GPU");
  return lines;
}

}  // namespace

bool archived_whole(const RunPlan& run) {
  return !source_of(run.cluster).uses("seed") || gpus_of(run) <= archived_slowdowns_limit;
}

std::vector<ClusterRecord> archived_clusters(const Study& study, Inputs& inputs) {
  std::vector<ClusterRecord> clusters;
  for (const RunPlan* run : with_distinct_clusters(study, inputs)) {
    clusters.push_back({inputs.cluster_key(*run),
                        archived_whole(*run) ? inputs.load_cluster(*run).truth : Slowdowns({}, 0, {}),
                        cluster_recipe(*run)});
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
