// SPDX-License-Identifier: MIT
#include "cli/tables/list_tables.hpp"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <map>

#include "analysis/compared_metrics.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "kernels/kernel.hpp"
#include "policy/backfill_policy.hpp"
#include "policy/order_policy.hpp"
#include "policy/placement_policy.hpp"
#include "policy/power/power_rule.hpp"
#include "policy/routing_policy.hpp"
#include "record/table.hpp"
#include "record/tables.hpp"
#include "sim/result.hpp"
#include "sim/state/effect.hpp"
#include "sim/state/scheduler.hpp"
#include "study/data_dir.hpp"
#include "study/keys/key_table.hpp"
#include "study/keys/run_features.hpp"
#include "study/study.hpp"
#include "variability/profile/importer.hpp"
#include "variability/sources/belief.hpp"
#include "variability/sources/cluster_source.hpp"
#include "words/note_text.hpp"
#include "workload/model_table.hpp"
#include "workload/predict/predictor.hpp"
#include "workload/synthetic/generator.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

std::string range_text(const Param& param) {
  const bool least = std::isfinite(param.least), most = std::isfinite(param.most);
  if (least && most) return fmt::format(", {} to {}", shortest(param.least), shortest(param.most));
  if (least) return ", at least " + shortest(param.least);
  return most ? ", at most " + shortest(param.most) : "";
}

std::string param_text(const Param& param) {
  const std::string value = param.default_value.empty() ? "required" : "= " + param.default_value;
  const std::string name = param.section.empty() ? param.name : param.section + "." + param.name;
  return fmt::format("{} {}{}{}", name, value, param.unit.empty() ? "" : " " + param.unit, range_text(param));
}

template <class Make>
TextTable table_of(const Registry<Make>& registry) {
  TextTable table{{"name", "summary", "parameters"}, {}};
  for (const auto& entry : registry.entries()) {
    std::vector<std::string> params;
    for (const Param& param : entry.params) params.push_back(param_text(param));
    table.rows.push_back({entry.name, entry.summary, join(params, "; ")});
  }
  return table;
}

TextTable sources_table() {
  TextTable table = table_of(cluster_sources());
  table.header.emplace_back("keys of [cluster]");
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    table.rows[row].push_back(join(cluster_sources().entries()[row].make.keys));
  }
  return table;
}

TextTable readers_table() {
  TextTable table{{"name", "summary", "published", "licence"}, {}};
  for (const auto& entry : readers().entries()) {
    table.rows.push_back({entry.name, entry.summary, entry.make.published, entry.make.licence});
  }
  return table;
}

TextTable kernels_table() {
  TextTable table{{"name", "summary", "stands for", "pipe", "by default", "backends", "parameters", "on the host"}, {}};
  for (const auto& kernel : kernels().entries()) {
    std::vector<std::string> params, host;
    for (const Param& param : kernel.params) params.push_back(param_text(param));
    for (const auto& [name, value] : kernel.make.host_sizes) host.push_back(name + " = " + value);
    const bool ours = kernel.make.library.empty();
    table.rows.push_back(
        {kernel.name, kernel.summary, kernel.make.stands_for, kernel.make.pipe, kernel.make.by_default ? "yes" : "no",
         ours ? "cuda, host" : "cuda with " + kernel.make.library, join(params, "; "), ours ? join(host, "; ") : ""});
  }
  return table;
}

std::string kind_name(JobModelKind kind) {
  return kind == JobModelKind::plain ? "plain" : kind == JobModelKind::pipelined ? "pipelined" : "bulk";
}

/// "100 epochs of 390.6 iterations; batch 128 to 4096; restart 50 s; GPUs: aws (error 5.8 %)"
std::string elastic_text(const ElasticInfo& info) {
  std::vector<std::string> types;
  for (std::size_t i = 0; i < info.types.size(); ++i) {
    types.push_back(fmt::format("{} (error {:.1f} %)", info.types[i], 100 * info.model.types[i].error));
  }
  const ElasticModel& model = info.model;
  return fmt::format("{} epochs of {} iterations; batch {} to {}; restart {} s; GPUs: {}", model.epochs.count,
                     shortest(model.epochs.iterations), model.limits.initial, model.limits.most,
                     shortest(model.restart_s), join(types));
}

std::string how_text(const JobModel& model) {
  if (model.kind == JobModelKind::plain) return "slowest GPU x penalty";
  if (model.kind == JobModelKind::pipelined) {
    return fmt::format("tensor {} x pipeline {}, {} microbatches, interleave {}, tensor_share {}, exchange_share {}",
                       model.tensor, model.pipeline, model.microbatches, model.interleave, shortest(model.tensor_share),
                       shortest(model.exchange_share));
  }
  std::vector<std::string> shares;
  for (const CommShare& at : model.comm) shares.push_back(shortest(at.share) + " from " + shortest(at.nodes));
  return "share of communication by nodes: " + join(shares);
}

TextTable models_table() {
  TextTable table{{"name", "class", "iteration_s", "gradient_bytes", "gpu_util", "mem_bw_util", "drawn", "gpus", "kind",
                   "how its GPUs work together"},
                  {}};
  for (const auto& [name, model] : read_model_table(data_dir() / "jobs" / "models.toml").models) {
    table.rows.push_back({name, model.cls, shortest(model.iteration_s), shortest(model.gradient_bytes),
                          shortest(model.gpu_util), shortest(model.mem_bw_util), model.drawn ? "yes" : "no",
                          model.gpus == 0 ? "any" : std::to_string(model.gpus),
                          model.elastic ? "elastic" : kind_name(model.how.kind),
                          model.elastic ? elastic_text(*model.elastic) : how_text(model.how)});
  }
  return table;
}

TextTable keys_table() {
  TextTable table{{"key", "unit", "default", "summary", "allowed"}, {}};
  for (const Key& key : all_keys()) {
    const std::string value = key.default_value.empty() || !key.derived.empty() ? key.derived : key.default_value;
    table.rows.push_back({key.name, key.unit, value, key.summary, wanted(key)});
  }
  return table;
}

std::string type_name(ColumnType type) {
  return type == ColumnType::integer ? "integer" : type == ColumnType::real ? "real" : "text";
}

TextTable columns_table() {
  TextTable table{{"dataset", "units", "type", "digested", "long_name"}, {}};
  const auto add = [&](const Column& column) {
    table.rows.push_back({column_path(column.table, column.name), column.units, type_name(column.type),
                          column.digested ? "yes" : "no", column.long_name});
  };
  for (const Column& column : schema_columns()) {
    if (column.table == TableId::nodes && column.name == "busy_s") add(slowdown_column("<class>"));  // one for each
    add(column);
  }
  return table;
}

TextTable tables_table() {
  TextTable table{{"table", "digested", "a row is", "to have it"}, {}};
  for (const Table& one : all_tables()) {
    table.rows.push_back({one.name, one.digested ? "yes" : "no", one.rows, one.how_to_get});
  }
  return table;
}

TextTable metrics_table() {
  TextTable table{{"name", "unit", "type", "summary"}, {}};
  for (const MetricInfo& metric : metric_infos) {
    table.rows.push_back({std::string(metric.name), std::string(metric.unit),
                          metric.type == MetricType::real ? "real" : "count", std::string(metric.summary)});
  }
  for (const ComparedMetric& metric : compared_metrics()) {
    if (!metric.stored) table.rows.push_back({metric.name, metric.unit, "real, not stored", metric.summary});
  }
  return table;
}

TextTable features_table() {
  TextTable table{{"feature", "a run has it if", "asked for by", "for example"}, {}};
  for (const FeatureInfo& info : feature_infos()) {
    const FeatureKey* const key = key_of(info.feature);
    table.rows.push_back(
        {info.name, info.summary, key == nullptr ? "its jobs" : key->key, key == nullptr ? "" : key->example});
  }
  return table;
}

TextTable together_table() {
  TextTable table{{"feature", "not with", "because", "what to do"}, {}};
  for (const Apart& row : apart()) {
    table.rows.push_back({info_of(row.first).name, info_of(row.second).name, row.why, row.advice});
  }
  return table;
}

TextTable notes_table() {
  TextTable table{{"id", "family", "severity", "summary"}, {}};
  for (const NoteKind* kind : NoteKind::all()) {
    const auto& words = note_words().entries().at(kind->id());
    table.rows.push_back({kind->id(), words.family, name_of(kind->severity()), words.summary});
  }
  return table;
}

/// The kinds. One with a registry is one line here: its plural, and `table_of` the registry.
const std::map<std::string, std::function<TextTable()>>& tables() {
  static const std::map<std::string, std::function<TextTable()>> all = {
      {"schedulers", [] { return table_of(schedulers()); }},
      {"effects", [] { return table_of(effects()); }},
      {"orders", [] { return table_of(orders()); }},
      {"predictors", [] { return table_of(predictors()); }},
      {"placements", [] { return table_of(placements()); }},
      {"backfills", [] { return table_of(backfills()); }},
      {"sources", sources_table},
      {"knowledge", [] { return table_of(beliefs()); }},
      {"readers", readers_table},
      {"importers", [] { return table_of(importers()); }},
      {"generators", [] { return table_of(generators()); }},
      {"models", models_table},
      {"keys", keys_table},
      {"columns", columns_table},
      {"metrics", metrics_table},
      {"notes", notes_table},
      {"tables", tables_table},
      {"routings", [] { return table_of(routings()); }},
      {"rules", [] { return table_of(power_rules()); }},
      {"forecasts", [] { return table_of(forecasts()); }},
      {"kernels", kernels_table},
      {"features", features_table},
      {"together", together_table},
  };
  return all;
}

}  // namespace

const std::vector<std::string>& list_kinds() {
  static const std::vector<std::string> kinds = [] {
    std::vector<std::string> names;
    for (const auto& [name, table] : tables()) names.push_back(name);
    return names;
  }();
  return kinds;
}

TextTable list_table(const std::string& kind) {
  const auto found = tables().find(kind);
  if (found != tables().end()) return found->second();
  throw usage_error("nothing is called \"" + kind + "\"" + suggestion(kind, list_kinds()), "list",
                    "known: " + join(list_kinds()));
}

}  // namespace palstudy
