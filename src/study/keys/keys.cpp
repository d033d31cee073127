// SPDX-License-Identifier: MIT
#include "study/keys/keys.hpp"

#include <algorithm>

#include "policy/order_policy.hpp"
#include "policy/placement_policy.hpp"
#include "policy/routing_policy.hpp"
#include "sim/result.hpp"
#include "study/keys/copies_keys.hpp"
#include "study/keys/failure_keys.hpp"
#include "study/keys/interference_keys.hpp"
#include "study/keys/key_spec.hpp"
#include "study/keys/measure_keys.hpp"
#include "study/keys/resample_keys.hpp"
#include "study/keys/tenant_keys.hpp"
#include "study/study.hpp"
#include "workload/synthetic/generator.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

using key_spec::above_zero;
using key_spec::boolean;
using key_spec::choice;
using key_spec::factor;
using key_spec::integer;
using key_spec::max_integer;
using key_spec::max_penalty;
using key_spec::max_seconds;
using key_spec::number;
using key_spec::of_study;
using key_spec::seed;
using key_spec::text;

constexpr double max_gpus = 1 << 24;

std::vector<std::string> metric_names() {
  std::vector<std::string> names;
  for (const auto& info : metric_infos) names.emplace_back(info.name);
  return names;
}

using Keys = std::vector<KeySpec>;

Keys cluster_keys() {
  Keys keys = {
      integer("cluster.gpus", "GPU", "64", "GPUs of the cluster, a multiple of gpus_per_node.", 1, max_gpus),
      integer("cluster.gpus_per_node", "GPU", "4", "GPUs of each node.", 1, 32),
      integer("cluster.nodes_per_cabinet", "node", "16", "Nodes of each cabinet.", 1, max_gpus),
      text(KeyType::nodes, "cluster.nodes", "", "from gpus and gpus_per_node",
           "Groups of nodes, [{ count = 100, gpus = 8 }, ...], instead of gpus and gpus_per_node."),
      integer("cluster.partitions", "", "1", "Partitions of the cluster, each with a scheduler and a queue of its own.",
              1, max_gpus),
      choice("cluster.source", "\"table\"",
             "Where the slowdowns come from; measured draws whole nodes: from longhorn with the classes pal at "
             "most 34, of 4 GPUs each; block draws them with replacement and smooths them, to any size.",
             {"table", "bootstrap", "measured", "block"}),
      text(KeyType::path, "cluster.table", "", "", "For source table: CSV with gpu_id,node_id,class,score."),
      text(KeyType::text, "cluster.profile", "\"longhorn\"", "",
           "For sources bootstrap, measured and block: the bundled machine whose measurements are drawn; or a profile, "
           "a path that ends in .h5."),
      text(KeyType::text, "cluster.classes", "", "\"pal\"; \"measured\" where profile is a path",
           "For sources bootstrap, measured and block: the table of jobs/models.toml that says what stands for each "
           "class; or a path that ends in .toml."),
      text(KeyType::bins, "cluster.bins", "\"silhouette\"", "", "Bins among the non-outliers of each class."),
      choice("cluster.outliers", "\"binned\"",
             "Outliers are binned among themselves, or K = bins + number of outliers over all GPUs, as published.",
             {"binned", "single"}),
      seed("cluster.seed", "Seed of the drawn slowdowns."),
  };
  return keys;
}

Keys penalty_keys(const std::string& table, const std::string& whole, const std::string& of) {
  KeySpec word =
      choice(table, "", of + " as the transfers of a profile tell, for each model and number of GPUs.", {"measured"});
  word.type = KeyType::word_or_table;
  word.derived = "the table below";
  return {word, factor(table + ".node", "1.0" + whole, of + " within a node."),
          factor(table + ".cabinet", "that of cluster" + whole, of + " across nodes of one cabinet."),
          factor(table + ".cluster", "must be given with the table" + whole, of + " across cabinets.")};
}

/// Of penalties that are measured.
Keys locality_keys() {
  constexpr auto where = "where a penalty is measured";
  KeySpec overlap = number("network.overlap", "1", "", "Share of a model's exchange that its computing hides.");
  overlap.most = 1;
  overlap.derived = std::string("0, ") + where;
  return {overlap, text(KeyType::path, "network.profile", "", std::string("cluster.profile, ") + where,
                        "The profile (HDF5) whose transfers tell measured penalties.")};
}

Keys workload_keys() {
  return {
      text(KeyType::path, "workload.trace", "", "", "CSV of the jobs; or a generator."),
      choice("workload.reader", "\"sia\"", "The format of the trace.", readers().names()),
      choice("workload.generator", "", "What makes the jobs; or a trace.", generators().names()),
      text(KeyType::path, "workload.models", "\"jobs/models.toml\"", "",
           "Classes and seconds per iteration of the models; the default is the bundled one."),
      seed("workload.seed", "Seed of generated jobs, and of what workload.resample draws."),
  };
}

Keys engine_keys() {
  KeySpec starvation = above_zero(
      number("engine.starvation_s", "s", "inf", "A job that waited this long goes first, and stays first."), true);
  KeySpec round = number("engine.round_s", "s", "360", "The scheduler acts at multiples of it.");
  round.least = 1e-3;  // far under what any scheduler does; the number of rounds has to fit 64 bits
  round.most = max_seconds;
  KeySpec migration = number("engine.migration_s", "s", "0", "Seconds lost whenever a job starts again or moves.");
  migration.most = max_seconds;
  KeySpec checkpoint = of_study(above_zero(
      number("engine.checkpoint_s", "s", "600", "Real time between two checkpoints of a run; changes no result."),
      true));
  return {round,
          checkpoint,
          choice("engine.completion", "\"exact\"", "A job's finish time: its true one, or the boundary, as published.",
                 {"exact", "round"}),
          choice("engine.start", "\"round\"", "Jobs start at boundaries, or at once at each arrival and finish.",
                 {"round", "event"}),
          migration,
          choice("engine.sticky_victims", "\"return\"",
                 "Who was stopped for a job that then still does not fit runs on, or stays stopped, as published.",
                 {"return", "stay-stopped"}),
          starvation};
}

Keys policy_keys() {
  KeySpec knowledge_runs =
      integer("policy.knowledge_runs", "", "", "For knowledge runs: how often each GPU is measured.", 1, 1000);
  knowledge_runs.derived = "5, where knowledge is runs";
  KeySpec knowledge_age = number("policy.knowledge_age_days", "d", "",
                                 "For knowledge stale: for how long the slowdowns have drifted since.");
  knowledge_age.derived = "must be given where knowledge is stale";
  KeySpec knowledge_seed = choice("policy.knowledge_seed", "",
                                  "For knowledge runs and stale: whether what is measured or drifted is drawn by "
                                  "cluster.seed or by policy.seed.",
                                  {"cluster", "policy"});
  knowledge_seed.derived = "\"cluster\", where knowledge is runs or stale; \"policy\" for a table";
  return {choice("policy.order", "\"fifo\"", "Who is next.", orders().names()),
          choice("policy.placement", "\"pal\"", "Which GPUs.", placements().names()),
          choice("policy.backfill", "\"none\"", "Whether jobs behind one that does not fit are tried.",
                 {"none", "greedy"}, {"easy"}),
          choice("policy.knowledge", "\"oracle\"", "What the policies believe the slowdowns to be.",
                 {"oracle", "runs", "other-half", "stale", "flat"}),
          knowledge_runs,
          knowledge_age,
          knowledge_seed,
          seed("policy.seed", "Seed of policies that draw.")};
}

Keys routing_keys() {
  constexpr double most = 1e6;
  return {
      choice("routing.policy", "\"least-loaded\"", "Which partition an arriving job goes to.", routings().names()),
      integer("routing.rebalance_rounds", "round", "1", "Queues are levelled at multiples of so many rounds.", 1, most),
      integer("routing.max_moves", "job", "8",
              "Never-started jobs that one levelling moves between partitions at most; 0: none.", 0, 1024),
      integer("routing.drain_rounds", "round", "12",
              "Rounds that a job wider than a partition waits before it reserves partitions.", 0, most)};
}

Keys study_wide_keys() {
  KeySpec top = integer("seed", "", "1", "The seed that all other seeds default to.", 0, max_integer);
  return {top,
          of_study(text(KeyType::text, "study.name", "", "the name of the file", "A short name.")),
          of_study(text(KeyType::text, "study.title", "\"\"", "", "What the study asks, in a line.")),
          of_study(text(KeyType::text, "study.creator", "", "not stored", "Who made the results.")),
          of_study(text(KeyType::text, "study.license", "", "not stored", "The licence of the results (SPDX).")),
          boolean("output.jobs", "true", "Store a row for every job."),
          boolean("output.events", "false", "Store every change of every job's GPUs."),
          boolean("output.rounds", "false", "Store the state of the cluster at every boundary that changes it."),
          of_study(text(KeyType::names, "compare.baseline", "", "packed-sticky, where it is on the placement axis",
                        "The placement, or a list of them, that the others are compared with.")),
          of_study(choice("compare.metric", "\"jct_mean_s\"", "What is compared.", metric_names()))};
}

Keys stop_keys() {
  KeySpec metric = of_study(choice("stop.metric", "", "What the stopping rule looks at.", metric_names()));
  metric.derived = "compare.metric";
  KeySpec width = of_study(above_zero(number(
      "stop.relative_half_width", "1", "",
      "Enough seeds once every comparison's interval of the ratio is at most so wide to either side; 0.01 is 1 %.")));
  width.most = 10;
  width.derived = "must be given with stop.looks";
  return {metric, width,
          of_study(text(KeyType::looks, "stop.looks", "", "no rule: the seeds of the axis",
                        "Numbers of seeds at which the rule looks; the first is 20 or more, the last is the most."))};
}

Keys make_fixed_keys() {
  Keys all;
  const auto add = [&](Keys keys) { all.insert(all.end(), keys.begin(), keys.end()); };
  add(study_wide_keys());
  add(cluster_keys());
  add(penalty_keys("network.penalty", "; 1.0, 1.7, 1.7 where the table is absent", "Factor on the iteration time"));
  add(penalty_keys("policy.locality", "; network.penalty where the table is absent", "What the policy believes it is"));
  add(locality_keys());
  add(workload_keys());
  add(measure_keys());
  add(engine_keys());
  add(policy_keys());
  add(failure_keys());
  add(routing_keys());
  add(stop_keys());
  add(tenant_keys());
  add(copies_keys());
  all.push_back(resample_key());
  add(interference_keys());
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  return all;
}

Keys make_all_keys() {
  Keys all = fixed_keys();
  const std::size_t fixed = all.size();
  for (auto& spec : param_keys()) {
    const auto same = std::find_if(all.begin(), all.end(), [&](const auto& other) { return other.key == spec.key; });
    const bool shared = same != all.end();  // two generators may share a name: resolving checks a value against its own
    if (shared && (same < all.begin() + static_cast<std::ptrdiff_t>(fixed) || same->type != spec.type)) {
      throw fault("a parameter takes the name of another key", spec.key);
    }
    if (shared && same->derived != spec.derived) same->derived = "must be given";
    if (!shared) all.push_back(std::move(spec));
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
  return all;
}

const Keys& all_keys() {
  static const Keys keys = make_all_keys();
  return keys;
}

KeyType key_type(ParamType type) {
  switch (type) {
    case ParamType::integer:
      return KeyType::integer;
    case ParamType::boolean:
      return KeyType::boolean;
    case ParamType::text:
      return KeyType::text;
    case ParamType::number:
      break;
  }
  return KeyType::number;
}

template <class Registered>
void add_params(const std::string& section, const Registered& registry, Keys& out) {
  for (const auto& entry : registry.entries()) {
    for (const auto& param : entry.params) out.push_back(param_key(section, param, entry.name));
  }
}

}  // namespace

const std::vector<KeySpec>& fixed_keys() {
  static const Keys keys = make_fixed_keys();
  return keys;
}

KeySpec param_key(const std::string& section, const Param& param, const std::string& owner) {
  return {.key = section + "." + param.name,
          .type = key_type(param.type),
          .unit = param.unit,
          .default_value = param.default_value,
          .derived = param.default_value.empty() ? "must be given for " + owner : "",
          .summary = param.summary,
          .least = param.least,
          .most = param.most};
}

std::vector<KeySpec> param_keys() {
  Keys keys;
  add_params("workload", generators(), keys);
  add_params("policy", orders(), keys);
  add_params("policy", placements(), keys);
  add_params("routing", routings(), keys);
  return keys;
}

const KeySpec* find_key(const std::string& key) {
  const auto& keys = all_keys();
  const auto found = std::lower_bound(keys.begin(), keys.end(), key,
                                      [](const KeySpec& spec, const std::string& name) { return spec.key < name; });
  return found != keys.end() && found->key == key ? &*found : nullptr;
}

const std::vector<KeyInfo>& study_keys() {
  static const std::vector<KeyInfo> infos = [] {
    std::vector<KeyInfo> all;
    for (const auto& spec : all_keys()) {
      const std::string value = spec.default_value.empty() || !spec.derived.empty() ? spec.derived : spec.default_value;
      all.push_back({spec.key, spec.unit, value, spec.summary, wanted(spec)});
    }
    return all;
  }();
  return infos;
}

}  // namespace palstudy
