// SPDX-License-Identifier: MIT
// From the keys that were given to all keys of a run: defaults, and what contradicts what.
#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "policy/order_policy.hpp"
#include "policy/placement_policy.hpp"
#include "policy/routing_policy.hpp"
#include "study/keys/copies_keys.hpp"
#include "study/keys/failure_keys.hpp"
#include "study/keys/interference_keys.hpp"
#include "study/keys/keys.hpp"
#include "study/keys/measure_keys.hpp"
#include "study/keys/resample_keys.hpp"
#include "study/keys/tenant_keys.hpp"
#include "study/resolve.hpp"
#include "study/run_plan.hpp"
#include "workload/synthetic/generator.hpp"

namespace palstudy {
namespace {

TomlValue constant(const std::string& toml, const std::string& key) {
  auto value = parse_toml_value(toml, key);
  if (!value) throw fault("a default that is not TOML: " + toml, key);
  return *value;
}

const Point& constant_defaults() {
  static const Point defaults = [] {
    Point all;
    for (const auto& spec : fixed_keys()) {
      if (spec.of_run && !spec.default_value.empty()) {
        all.emplace(spec.key, check_value(spec, constant(spec.default_value, spec.key)));
      }
    }
    return all;
  }();
  return defaults;
}

bool any_under(const Point& point, const std::string& table) {
  const auto next = point.lower_bound(table + ".");
  return next != point.end() && next->first.starts_with(table + ".");
}

void refuse_both(const Point& given, const std::string& key, const std::string& other) {
  const auto at = given.find(key);
  if (at == given.end() || !given.contains(other)) return;
  throw usage_error(fmt::format("{} and {} exclude each other", key, other), at->second.where, "keep one of them");
}

void complete_nodes(const Point& given, Point& point) {
  if (given.contains("cluster.nodes")) {
    refuse_both(given, "cluster.gpus", "cluster.nodes");
    refuse_both(given, "cluster.gpus_per_node", "cluster.nodes");
    point.erase("cluster.gpus");
    point.erase("cluster.gpus_per_node");
    return;
  }
  const auto& gpus = point.at("cluster.gpus");
  const auto& each = point.at("cluster.gpus_per_node");
  if (gpus.integer % each.integer != 0) {
    const bool here = given.contains("cluster.gpus");
    throw usage_error(
        fmt::format("cluster.gpus = {} is not a multiple of cluster.gpus_per_node = {}", gpus.integer, each.integer),
        here ? gpus.where : each.where, "or give cluster.nodes = [{ count = 16, gpus = 4 }, ...]");
  }
}

void check_cluster(const Point& point, const std::string& file) {
  const auto& source = point.at("cluster.source");
  if (source.text == "table" && !point.contains("cluster.table")) {
    throw usage_error(
        "cluster.source is \"table\", but no cluster.table is given", file,
        "give cluster.table = \"cluster.csv\", or cluster.source = \"bootstrap\", \"measured\" or \"block\"");
  }
}

/// The kernels of a profile that was measured are others than those of the machines of the papers.
void complete_classes(Point& point) {
  const bool path = is_profile_path(point.at("cluster.profile").text);
  point.try_emplace("cluster.classes", TomlValue::of(std::string(path ? "measured" : "pal")));
}

void complete_knowledge(Point& point) {
  const auto& knowledge = point.at("policy.knowledge");
  const auto& source = point.at("cluster.source").text;
  if (knowledge.text == "other-half" && source != "measured" && source != "block") {
    throw usage_error(
        fmt::format("policy.knowledge = \"other-half\" needs GPUs that were measured, and source \"{}\" draws none",
                    source),
        knowledge.where, "use cluster.source = \"measured\" or \"block\", or another knowledge");
  }
  if (knowledge.text == "runs" && source == "table") {
    throw usage_error("policy.knowledge = \"runs\" needs the noise of measured runs, and a table of slowdowns has none",
                      knowledge.where, "use another cluster.source, or another knowledge");
  }
  if (knowledge.text == "runs") point.try_emplace("policy.knowledge_runs", TomlValue::of(std::int64_t{5}));
  // Every cluster is measured for itself, so that intervals over clusters have the noise in them.
  if ((knowledge.text == "runs" || knowledge.text == "stale") && source != "table") {
    point.try_emplace("policy.knowledge_seed", TomlValue::of(std::string("cluster")));
  }
  if (knowledge.text == "stale" && !point.contains("policy.knowledge_age_days")) {
    throw usage_error("policy.knowledge = \"stale\" needs policy.knowledge_age_days", knowledge.where,
                      "give it, such as policy.knowledge_age_days = 30");
  }
}

void check_workload(const Point& given, Point& point, const std::string& file) {
  refuse_both(given, "workload.trace", "workload.generator");
  if (!given.contains("workload.trace") && !given.contains("workload.generator")) {
    throw usage_error("the study has neither a trace nor a generator", file,
                      "give workload.trace = \"jobs.csv\" or workload.generator under [workload]");
  }
  if (given.contains("workload.generator")) {
    refuse_both(given, "workload.reader", "workload.generator");
    point.erase("workload.reader");
  }
}

void complete_penalty(const std::string& table, Point& point) {
  const std::string node = table + ".node", cabinet = table + ".cabinet", cluster = table + ".cluster";
  if (const auto word = point.find(table); word != point.end()) {
    if (!any_under(point, table)) return;
    throw usage_error(fmt::format("{0} is \"{1}\", and {2} is given as well", table, word->second.text,
                                  point.lower_bound(table + ".")->first),
                      word->second.where, "keep the word or the table");
  }
  if (!any_under(point, table)) {
    point[node] = TomlValue::of(LocalityPenalty{}.node);
    point[cabinet] = TomlValue::of(LocalityPenalty{}.cabinet);
    point[cluster] = TomlValue::of(LocalityPenalty{}.cluster);
    return;
  }
  if (!point.contains(cluster)) {
    throw usage_error(fmt::format("{} is given, but {} is not", table, cluster),
                      point.lower_bound(table + ".")->second.where,
                      "the widest level has to be given; cabinet defaults to it and node to 1.0");
  }
  point.try_emplace(node, TomlValue::of(1.0));
  point.try_emplace(cabinet, point.at(cluster));
}

void complete_locality(Point& point) {
  if (any_under(point, "policy.locality") || point.contains("policy.locality")) {
    return complete_penalty("policy.locality", point);
  }
  if (const auto word = point.find("network.penalty"); word != point.end()) {
    point["policy.locality"] = word->second;
    return;
  }
  for (const char* level : {".node", ".cabinet", ".cluster"}) {
    point["policy.locality" + std::string(level)] = point.at("network.penalty" + std::string(level));
  }
}

/// What measured penalties follow from; nothing where none is measured, so that runs without keep their ids.
void complete_network(Point& point) {
  if (!point.contains("network.penalty") && !point.contains("policy.locality")) {
    point.erase("network.overlap");
    point.erase("network.profile");
    return;
  }
  point.try_emplace("network.overlap", TomlValue::of(0.0));
  point.try_emplace("network.profile", point.at("cluster.profile"));
}

/// Gives every parameter of a chosen thing a value, checked by its own range.
template <class Make>
void complete_params(const std::string& section, const Entry<Make>& entry, const std::string& chosen_at, Point& point) {
  for (const auto& param : entry.params) {
    const KeySpec spec = param_key(section, param, entry.name);
    if (const auto given = point.find(spec.key); given != point.end()) {
      given->second = check_value(spec, given->second);
    } else if (!spec.default_value.empty()) {
      point.emplace(spec.key, check_value(spec, constant(spec.default_value, spec.key)));
    } else {
      throw usage_error(fmt::format("{} needs {}", entry.name, spec.key), chosen_at, "it wants " + wanted(spec));
    }
  }
}

std::int64_t count_nodes(const Point& point) {
  const auto groups = point.find("cluster.nodes");
  if (groups == point.end()) return point.at("cluster.gpus").integer / point.at("cluster.gpus_per_node").integer;
  std::int64_t nodes = 0;
  for (const auto& group : groups->second.items) nodes += group.find("count")->integer;
  return nodes;
}

void check_partitions(const Point& point) {
  const auto& partitions = point.at("cluster.partitions");
  if (partitions.integer <= count_nodes(point)) return;
  throw usage_error(
      fmt::format("cluster.partitions = {}, but the cluster has {} nodes", partitions.integer, count_nodes(point)),
      partitions.where, "a partition has at least one node");
}

void check_outliers(const Point& point) {
  const auto& outliers = point.at("cluster.outliers");
  if (outliers.text != "single") return;
  constexpr std::int64_t most = 1024;
  std::int64_t gpus = 0;
  if (const auto nodes = point.find("cluster.nodes"); nodes == point.end()) {
    gpus = point.at("cluster.gpus").integer;
  } else {
    for (const auto& group : nodes->second.items) gpus += group.find("count")->integer * group.find("gpus")->integer;
  }
  if (gpus <= most) return;
  throw usage_error(fmt::format("cluster.outliers = \"single\" on {} GPUs", gpus), outliers.where,
                    "it is for at most 1024 GPUs; use \"binned\"");
}

}  // namespace

Point complete(const Point& given, const std::string& file) {
  Point point = given;
  std::erase_if(point, [](const auto& entry) { return !find_key(entry.first)->of_run; });
  for (const auto& [key, value] : constant_defaults()) point.try_emplace(key, value);
  check_workload(given, point, file);
  complete_nodes(given, point);
  complete_classes(point);
  check_cluster(point, file);
  complete_knowledge(point);
  check_outliers(point);
  check_partitions(point);
  complete_penalty("network.penalty", point);
  complete_locality(point);
  complete_network(point);
  complete_measure(given, point);
  complete_failures(point);
  for (const char* key : keys_like_seed) point.try_emplace(key, point.at("seed"));
  if (const auto generator = point.find("workload.generator"); generator != point.end()) {
    complete_params("workload", generators().at(generator->second.text), generator->second.where, point);
  }
  complete_initial(point);
  const auto& order = point.at("policy.order");
  complete_params("policy", orders().at(order.text), order.where, point);
  const auto& placement = point.at("policy.placement");
  complete_params("policy", placements().at(placement.text), placement.where, point);
  const auto& routing = point.at("routing.policy");
  complete_params("routing", routings().at(routing.text), routing.where, point);
  complete_copies(point);
  complete_resample(point);
  complete_interference(point);
  complete_tenants(point);
  return point;
}

std::string canonical_text(const Point& point) {
  std::string text;
  for (const auto& [key, value] : point) {
    if (enters_id(key, value)) text += canonical_line(key, value);
  }
  return text;
}

bool enters_id(const std::string& key, const TomlValue& value) {
  const KeySpec* spec = find_key(key);
  return spec == nullptr || spec->older.empty() || to_toml(value) != spec->older;
}

std::string canonical_line(const std::string& key, const TomlValue& value) {
  return key + " = " + to_toml(value) + "\n";
}

}  // namespace palstudy
