// SPDX-License-Identifier: MIT
// From the keys of one run to what the rooms below are told.
#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include "policy/routing_policy.hpp"
#include "study/keys/copies_keys.hpp"
#include "study/keys/failure_keys.hpp"
#include "study/keys/interference_keys.hpp"
#include "study/keys/keys.hpp"
#include "study/keys/measure_keys.hpp"
#include "study/keys/resample_keys.hpp"
#include "study/keys/tenant_keys.hpp"
#include "study/resolve.hpp"
#include "workload/synthetic/generator.hpp"

namespace palstudy {
namespace {

/// Reads the values of a completed point.
class Values {
 public:
  explicit Values(const Point& point) : point_(point) {}
  [[nodiscard]] bool has(const std::string& key) const { return point_.contains(key); }
  [[nodiscard]] const TomlValue& at(const std::string& key) const { return point_.at(key); }
  [[nodiscard]] std::string text(const std::string& key) const { return has(key) ? at(key).text : ""; }
  [[nodiscard]] double number(const std::string& key) const { return at(key).as_real(); }
  [[nodiscard]] std::uint64_t seed(const std::string& key) const { return static_cast<std::uint64_t>(at(key).integer); }
  [[nodiscard]] std::uint32_t count(const std::string& key) const {
    return static_cast<std::uint32_t>(at(key).integer);
  }
  [[nodiscard]] bool is(const std::string& key, const std::string& word) const { return at(key).text == word; }

 private:
  const Point& point_;
};

LocalityPenalty penalty(const Values& values, const std::string& table) {
  if (values.has(table)) return {};  // measured
  return {values.number(table + ".node"), values.number(table + ".cabinet"), values.number(table + ".cluster")};
}

template <class Make>
ParamValues params(const Values& values, const std::string& section, const Entry<Make>& entry) {
  ParamValues all;
  for (const auto& param : entry.params) {
    const TomlValue& value = values.at(section + "." + param.name);
    if (param.type == ParamType::text) {
      all.set(param.name, value.text);
    } else {
      all.set(param.name, param.type == ParamType::boolean ? (value.boolean ? 1.0 : 0.0) : value.as_real());
    }
  }
  return all;
}

std::vector<NodeGroup> node_groups(const Values& values) {
  std::vector<NodeGroup> groups;
  if (values.has("cluster.nodes")) {
    for (const auto& group : values.at("cluster.nodes").items) {
      groups.push_back({static_cast<std::uint32_t>(group.find("count")->integer),
                        static_cast<std::uint32_t>(group.find("gpus")->integer)});
    }
  } else {
    const std::uint32_t each = values.count("cluster.gpus_per_node");
    groups.push_back({values.count("cluster.gpus") / each, each});
  }
  return groups;
}

ClusterOptions cluster(const Values& values) {
  ClusterOptions options;
  options.nodes = node_groups(values);
  options.nodes_per_cabinet = values.count("cluster.nodes_per_cabinet");
  options.partitions = values.count("cluster.partitions");
  options.source = values.text("cluster.source");
  options.table = values.text("cluster.table");
  options.profile = values.text("cluster.profile");
  options.classes = values.text("cluster.classes");
  const TomlValue& bins = values.at("cluster.bins");
  options.bins.bins = bins.kind == TomlValue::Kind::integer ? static_cast<std::uint32_t>(bins.integer) : 0;
  options.bins.single_outliers = values.is("cluster.outliers", "single");
  options.seed = values.seed("cluster.seed");
  return options;
}

WorkloadOptions workload(const Values& values, const Point& point) {
  WorkloadOptions options;
  options.trace = values.text("workload.trace");
  options.reader = values.text("workload.reader");
  options.generator = values.text("workload.generator");
  if (!options.generator.empty()) {
    options.generator_params = params(values, "workload", generators().at(options.generator));
  }
  const auto& spec = *find_key("workload.models");
  const bool bundled = to_toml(values.at(spec.key)) == spec.default_value;
  options.models = bundled ? "" : values.text(spec.key);
  options.seed = values.seed("workload.seed");
  options.copies = copies_of(point);
  options.resampling = resampling_of(point);
  return options;
}

PolicyOptions policy(const Values& values) {
  PolicyOptions options;
  options.order = values.text("policy.order");
  options.placement = values.text("policy.placement");
  options.knowledge = values.text("policy.knowledge");
  if (values.has("policy.knowledge_runs")) options.knowledge_runs = values.count("policy.knowledge_runs");
  if (values.has("policy.knowledge_age_days")) options.knowledge_age_days = values.number("policy.knowledge_age_days");
  options.knowledge_by_cluster = values.has("policy.knowledge_seed") && values.is("policy.knowledge_seed", "cluster");
  options.order_params = params(values, "policy", orders().at(options.order));
  options.placement_params = params(values, "policy", placements().at(options.placement));
  options.routing = values.text("routing.policy");
  options.routing_params = params(values, "routing", routings().at(options.routing));
  options.locality = penalty(values, "policy.locality");
  options.locality_measured = values.has("policy.locality");
  options.seed = values.seed("policy.seed");
  return options;
}

EngineOptions engine(const Values& values) {
  EngineOptions options;
  options.round_s = values.number("engine.round_s");
  options.completion = values.is("engine.completion", "round") ? Completion::round : Completion::exact;
  options.start = values.is("engine.start", "event") ? Start::event : Start::round;
  options.migration_s = values.number("engine.migration_s");
  const bool stay = values.is("engine.sticky_victims", "stay-stopped");
  options.sticky_victims = stay ? StickyVictims::stay_stopped : StickyVictims::give_back;
  options.starvation_s = values.number("engine.starvation_s");
  options.backfill = values.is("policy.backfill", "greedy") ? Backfill::greedy : Backfill::none;
  return options;
}

RoutingOptions routing(const Values& values) {
  return {values.count("routing.rebalance_rounds"), values.count("routing.max_moves"),
          values.count("routing.drain_rounds")};
}

}  // namespace

std::string id_of(const std::string& canonical) {
  return fmt::format("{:016x}", static_cast<std::uint64_t>(XXH3_64bits(canonical.data(), canonical.size())));
}

RunPlan make_plan(const Point& point) {
  const Values values(point);
  RunPlan plan;
  plan.id = id_of(canonical_text(point));
  plan.seed = values.seed("seed");
  plan.cluster = cluster(values);
  plan.workload = workload(values, point);
  plan.policy = policy(values);
  plan.penalty = penalty(values, "network.penalty");
  plan.penalty_measured = values.has("network.penalty");
  if (values.has("network.overlap")) plan.overlap = values.number("network.overlap");
  plan.network_profile = values.text("network.profile");
  plan.engine = engine(values);
  plan.routing = routing(values);
  plan.failures = failures_of(point);
  plan.tenants = tenant_options(point);
  plan.interference = interference_of(point);
  plan_measure(point, plan);
  plan.output = {values.at("output.jobs").boolean, values.at("output.events").boolean,
                 values.at("output.rounds").boolean};
  return plan;
}

}  // namespace palstudy
