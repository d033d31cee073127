// SPDX-License-Identifier: MIT
// The slowdowns of a run's cluster, and what its policies believe them to be.
#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "core/progress_report.hpp"
#include "core/text.hpp"
#include "inputs/input_cache.hpp"
#include "stats/descriptive.hpp"
#include "study/key_names.hpp"
#include "variability/profile/profile_summary.hpp"
#include "variability/sources/knowledge.hpp"
#include "variability/sources/node_bootstrap.hpp"
#include "variability/sources/reliability.hpp"

namespace palstudy {
namespace {

std::uint64_t belief_seed(const RunPlan& run) {
  return run.policy.knowledge_by_cluster ? run.cluster.seed : run.policy.seed;
}

}  // namespace

void InputCache::warn_once(const ClassMeasurements& classes) {
  std::string text;
  for (const auto& [name, measured] : classes) text += name + "\n" + measured->name + "\n";
  if (!warned_.insert(text).second) return;  // the warning takes longer to make than the text
  if (const auto warning = reliability_warning(classes); !warning.empty()) note(warning);
}

Slowdowns InputCache::draw_cluster(const RunPlan& run, RunsUsed runs) {
  const auto& cluster = run.cluster;
  const Topology& wires = topology(run);
  const ClassMeasurements classes = class_measurements(cluster);
  if (cluster.source == "bootstrap") return bootstrap_slowdowns(classes, wires, cluster.seed);
  const bool block = cluster.source == "block";
  if (!block && cluster.source != "measured") throw fault("unknown cluster.source " + cluster.source);
  LongStep step(fmt::format("drawing the slowdowns of {} GPUs, nodes of each class", wires.gpus()),
                wires.gpus() >= gpus_that_take_long);
  DrawnCluster drawn =
      block ? block_slowdowns(classes, wires, cluster.seed, runs,
                              [&](std::size_t done, std::size_t of) { step.at(done, of); })
            : measured_slowdowns(classes, wires, cluster.seed, study_.place_of(keys::source, cluster.source), runs);
  for (const auto& sentence : drawn.notes) note(sentence);
  return std::move(drawn.slowdowns);
}

Slowdowns InputCache::make_truth(const RunPlan& run) {
  const auto& cluster = run.cluster;
  if (run.policy.knowledge == "other-half") {
    note(
        "policy.knowledge = \"other-half\": of each GPU's runs the 1st, 3rd, ... are its truth, the others what is "
        "believed of it");
    return draw_cluster(run, RunsUsed::even);
  }
  if (cluster.source != "table") return draw_cluster(run, RunsUsed::all);
  const auto path = named_file(keys::slowdown_table, cluster.table);
  Slowdowns table = read_slowdown_table(path, topology(run));
  files_[cluster.table] = path;
  return table;
}

std::string InputCache::belief_text(const RunPlan& run) {
  const auto& policy = run.policy;
  std::string text = policy.knowledge;
  if (text == "runs") text += fmt::format(" {} {}", policy.knowledge_runs, belief_seed(run));
  if (text == "stale") text += fmt::format(" {} {}", shortest(policy.knowledge_age_days), belief_seed(run));
  return text;
}

std::vector<ClassSpread> InputCache::spreads(const RunPlan& run) {
  const Slowdowns& now = truth(run);
  std::vector<ClassSpread> all;
  if (run.cluster.source == "table") {  // nothing is known of its runs; its GPUs tell how far they are apart
    for (std::uint32_t c = 0; c < now.classes(); ++c) {
      std::vector<double> logs;
      for (const double slowdown : now.of(ClassId(c))) logs.push_back(std::log(slowdown));
      all.push_back({c, 0, robust_sd(logs)});
    }
    return all;
  }
  const ClassMeasurements classes = class_measurements(run.cluster);
  const auto kernels = distinct_kernels(classes, RunsUsed::all);
  const auto streams = kernel_of_class(classes, kernels);
  for (const std::size_t stream : streams) {
    const Measurements& measured = *kernels[stream].measured;
    all.push_back({static_cast<std::uint32_t>(stream), run_spread(measured), gpu_spread(measured)});
  }
  return all;
}

std::vector<double> InputCache::outliers_from(const RunPlan& run) {
  const std::string& source = run.cluster.source;
  if (source != "measured" && source != "block") return {};  // GPUs that nobody measured as such
  std::vector<double> limits;
  for (const auto& [name, measured] : class_measurements(run.cluster)) {
    limits.push_back(confirmed_outliers_from(*measured));
  }
  return limits;
}

Slowdowns InputCache::belief(const RunPlan& run) {
  const auto& policy = run.policy;
  const Slowdowns& now = truth(run);
  if (policy.knowledge == "flat") return Slowdowns::flat(now.class_names(), now.gpus());
  if (policy.knowledge == "runs") return measure_again(now, spreads(run), policy.knowledge_runs, belief_seed(run));
  if (policy.knowledge == "stale") return as_it_was(now, spreads(run), policy.knowledge_age_days, belief_seed(run));
  if (policy.knowledge != "other-half") throw fault("unknown policy.knowledge " + policy.knowledge);
  return draw_cluster(run, RunsUsed::odd);
}

}  // namespace palstudy
