// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/registry.hpp"
#include "policy/backfill_policy.hpp"
#include "policy/power/power_rule.hpp"
#include "record/record.hpp"
#include "sim/state/tenant_rules.hpp"
#include "sim/state/world.hpp"
#include "study/keys/key.hpp"
#include "variability/sources/belief.hpp"
#include "variability/sources/cluster_source.hpp"
#include "workload/job.hpp"
#include "workload/synthetic/resample.hpp"
#include "workload/synthetic/superpose.hpp"
#include "workload/trace/trace_columns.hpp"

namespace palstudy {

/// Whether `cluster.profile` names a profile file (`palstudy measure -o`), and not a bundled machine: it ends in .h5.
[[nodiscard]] inline bool is_profile_path(std::string_view name) { return name.ends_with(".h5"); }

/// `[cluster]` of one run.
struct ClusterOptions {
  std::vector<NodeGroup> nodes;  ///< from gpus and gpus_per_node, or as given
  std::uint32_t nodes_per_cabinet = 16;
  std::uint32_t partitions = 1;
  /// The partitions where their sizes are given: GPUs of each, with its tenant or ""; empty: as equal as can be.
  std::vector<std::pair<std::string, std::uint32_t>> partition_sizes;
  std::string outages;  ///< a CSV, as written; "" where no node goes down
  std::string weights;  ///< a CSV, as written; "" where all nodes are alike
  std::string source = "table";
  ParamValues source_params;
  std::string table;                 ///< as written
  std::string profile = "longhorn";  ///< a bundled machine, or a profile file (is_profile_path)
  std::string classes = "pal";
  std::string hosts;  ///< a slurm.conf, as written; "" where hosts go by their names
  BinRule bins;
  std::uint64_t seed = 1;
};

/// Where the slowdowns of a cluster come from.
[[nodiscard]] inline const ClusterSource& source_of(const ClusterOptions& cluster) {
  return cluster_sources().at(cluster.source).make;
}

/// `[workload]` of one run.
struct WorkloadOptions {
  std::string trace, reader;  ///< as written; or
  TraceColumns columns;       ///< of the trace, for readers that leave them to the study
  std::string generator;
  ParamValues generator_params;
  std::string models;                        ///< as written; "" for the bundled one
  std::string class_of;                      ///< as written; "" where jobs have the classes of their models
  SuperpositionOptions copies;               ///< of a trace
  Resampling resampling = Resampling::none;  ///< of a trace, by `seed`
  bool skip_wider = false;                   ///< jobs wider than the cluster are left out
  std::string predictor;                     ///< "" where nothing is predicted
  ParamValues predictor_params;
  Estimates estimates = Estimates::exact;  ///< by `seed`
  std::uint64_t seed = 1;
};

/// `[failures]` of one run.
struct FailureKeys {
  std::string model;  ///< as written; "" where no attempt fails
  Faults faults = Faults::job;
  bool slow = false;
  FailureOptions options;
};

/// The keys of `[power]` that say what nodes draw.
struct EnergyOptions {
  bool account = false;
  std::string watts;   ///< a bundled table, or a path that ends in .csv
  double idle_w = -1;  ///< -1: that of the table
  double base_w = 0, off_w = 0;
  double wait = 0;  ///< what a waiting GPU draws, from idle (0) to computing (1)
  double pue = 1;
  double horizon_s = -1;  ///< -1: estimated from the jobs
};

/// `[policy]` of one run, and the routing policy. (More than 15 members: a key each.)
struct PolicyOptions {
  std::string scheduler = "list";
  std::string order = "fifo", placement = "pal", knowledge = "oracle";
  ParamValues knowledge_params;
  bool knowledge_by_cluster = false;  ///< knowledge is drawn by cluster.seed, else by policy.seed
  ParamValues scheduler_params, order_params, placement_params;
  std::string backfill = "none";
  ParamValues backfill_params;
  LocalityPenalty locality;
  bool locality_measured = false;  ///< the penalty of each model and number of GPUs takes the place of `locality`
  std::uint64_t seed = 1;
  std::string routing = "least-loaded";
  ParamValues routing_params;
};

/// The backfill of a run.
[[nodiscard]] inline std::unique_ptr<BackfillPolicy> backfill_of(const PolicyOptions& options) {
  return backfills().at(options.backfill).make(options.backfill_params);
}

/// What the policies of a run believe of the slowdowns.
[[nodiscard]] inline const Belief& belief_of(const PolicyOptions& options) {
  return beliefs().at(options.knowledge).make;
}

/// `[network]` of one run.
struct NetworkOptions {
  LocalityPenalty penalty;
  bool measured = false;  ///< the penalty of each model and number of GPUs takes the place of `penalty`
  double overlap = 0;     ///< for measured penalties
  std::string profile;    ///< the profile with the transfers for measured penalties, as written; "" if none is measured
};

/// `[tenants]`, `[ladder]` and `[gang]` of one run; off unless quotas are given.
struct TenantOptions {
  bool on = false;
  std::string quotas;                                ///< a CSV, as written; or
  std::vector<std::pair<std::string, double>> gpus;  ///< quotas in the study itself
  bool scale = false;                                ///< quotas are in proportion: their sum becomes the cluster
  std::string unlisted = "refuse";                   ///< what jobs of tenants without a quota do
  TenantRules rules;                                 ///< all but the quotas
};

/// The files of `[slurm]` of one run; the keys of its backfill and order are parameters of these.
struct SlurmFiles {
  std::string queues, accounts;  ///< as written; "" where jobs have all nodes, and tenants share alike
};

/// What decided which jobs are measured: nothing (a generator without a number or a window), the word "all", or numbers
/// or a window in the study.
enum class MeasuredBy { nothing, all, study };
struct MeasuredJobs {
  MeasuredBy by = MeasuredBy::nothing;
  bool initial_jobs = false;  ///< `measure.initial` decides whether some jobs are measured
  std::string where;          ///< the place of the last measured job or the window in the study, for messages
};

/// One point of the axes with every key resolved: the options of one run. A run's number is its place in the product of
/// the axes, keys sorted, seeds slowest. (More than 15 members: a section each.)
struct RunPlan {
  std::int64_t number = 0;
  std::string id;  ///< 16 hex digits, XXH3-64 of the resolved point
  std::uint64_t seed = 1;
  std::vector<AxisValue> values;  ///< by axis
  ClusterOptions cluster;
  WorkloadOptions workload;
  PolicyOptions policy;
  NetworkOptions network;
  EngineOptions engine;
  RoutingOptions routing;
  FailureKeys failures;
  EnergyOptions energy;
  TenantOptions tenants;
  SlurmFiles slurm;
  InterferenceRules interference;
  PowerOptions power;
  MeasureWindow measure;
  MeasuredJobs measured;
  OutputTables output;
};

/// Whether the order asks how long jobs will run.
[[nodiscard]] bool predicts(const RunPlan& run);
/// Whether it does, and what it is told has errors that `workload.seed` draws.
[[nodiscard]] bool draws_predictions(const RunPlan& run);

/// The given values of one run with every other key filled in. A function of the values alone, and the same again for
/// its own result. Errors (usage): keys that contradict each other, a key that is missing.
[[nodiscard]] KeyValues fill_defaults(const KeyValues& given, const std::string& file);

/// The plan of a run with these completed values; number and axis values are the caller's.
[[nodiscard]] RunPlan make_plan(const KeyValues& values);

}  // namespace palstudy
