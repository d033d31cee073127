// SPDX-License-Identifier: MIT
#include "inputs/input_texts.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/text.hpp"
#include "workload/synthetic/generator.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

/// The tenants whose jobs stay, where those of others are left out.
std::string dropped_text(const RunPlan& run) {
  if (!run.tenants.on || run.tenants.unlisted != "drop") return "";
  std::string text = "\nthose of " + run.tenants.quotas;
  for (const auto& [name, gpus] : run.tenants.gpus) text += "\n" + name;
  return text;
}

}  // namespace

std::string jobs_of(const RunPlan& run) {
  return run.workload.trace.empty() ? "generator " + run.workload.generator : run.workload.trace;
}

std::string topology_text(const RunPlan& run) {
  std::string text = fmt::format("{} a cabinet:", run.cluster.nodes_per_cabinet);
  for (const auto& group : run.cluster.nodes) text += fmt::format(" {}x{}", group.count, group.gpus);
  return text;
}

std::string cluster_text(const RunPlan& run) {
  const auto& cluster = run.cluster;
  const std::string drawn = fmt::format("{}\n{}\n{}", cluster.profile, cluster.classes, cluster.seed);
  const std::string half = run.policy.knowledge == "other-half" ? "\neven runs" : "";
  return fmt::format("{}\n{}\n{}{}", topology_text(run), cluster.source,
                     cluster.source == "table" ? cluster.table : drawn, half);
}

std::uint64_t belief_seed(const RunPlan& run) {
  return run.policy.knowledge_by_cluster ? run.cluster.seed : run.policy.seed;
}

std::string belief_text(const RunPlan& run) {
  const auto& policy = run.policy;
  std::string text = policy.knowledge;
  if (text == "runs") text += fmt::format(" {} {}", policy.knowledge_runs, belief_seed(run));
  if (text == "stale") text += fmt::format(" {} {}", shortest(policy.knowledge_age_days), belief_seed(run));
  return text;
}

std::string workload_text(const RunPlan& run) {
  const auto& workload = run.workload;
  const bool estimated = workload.estimates != Estimates::exact;
  const std::string estimates = estimated ? fmt::format("\nestimates {}", static_cast<int>(workload.estimates)) : "";
  if (workload.generator.empty()) {
    const bool draws = readers().at(workload.reader).make.draws_models;
    const SuperpositionOptions& copies = workload.copies;
    const bool resampled = workload.resampling != Resampling::none;
    const bool seeded = draws || resampled || estimated || copies.copies > std::floor(copies.copies);
    return fmt::format("trace\n{}\n{}\n{}\n{}\n{} {} {}\n{}", workload.trace, workload.reader, workload.models,
                       seeded ? workload.seed : 0, copies.copies, copies.first_s, copies.length_s,
                       static_cast<int>(workload.resampling)) +
           estimates + dropped_text(run);
  }
  std::string text =
      fmt::format("generator\n{}\n{}\n{}\n{}", workload.generator, workload.models, workload.seed, topology_text(run));
  for (const auto& param : generators().at(workload.generator).params) {
    const bool words = param.type == ParamType::text;
    text += fmt::format(
        "\n{} = {}", param.name,
        words ? workload.generator_params.text(param.name) : shortest(workload.generator_params.number(param.name)));
  }
  const auto& measure = run.measure;
  const std::string last =
      measure.by_window ? shortest(measure.warmup_s + measure.window_s) + " s" : std::to_string(measure.last);
  return text + "\nuntil " + last + estimates + dropped_text(run);
}

}  // namespace palstudy
