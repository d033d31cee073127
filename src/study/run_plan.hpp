// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/registry.hpp"
#include "record/record.hpp"
#include "sim/state/world.hpp"
#include "study/keys/tenant_options.hpp"
#include "variability/sources/measurements.hpp"
#include "workload/synthetic/resample.hpp"
#include "workload/synthetic/superpose.hpp"

namespace palstudy {

/// Whether `cluster.profile` names a profile file (`palstudy measure -o`), and not a bundled machine: it ends in .h5.
[[nodiscard]] inline bool is_profile_path(std::string_view name) { return name.ends_with(".h5"); }

/// The key whose values are compared unless the user says otherwise.
inline constexpr const char* compared_key = "policy.placement";

/// `[cluster]` of one run.
struct ClusterOptions {
  std::vector<NodeGroup> nodes;  ///< from gpus and gpus_per_node, or as given
  std::uint32_t nodes_per_cabinet = 16;
  std::uint32_t partitions = 1;
  std::string source = "table";      ///< table | bootstrap | measured | block
  std::string table;                 ///< as written
  std::string profile = "longhorn";  ///< a bundled machine, or a profile file (is_profile_path)
  std::string classes = "pal";
  BinRule bins;
  std::uint64_t seed = 1;
};

/// `[workload]` of one run.
struct WorkloadOptions {
  std::string trace, reader;  ///< as written; or
  std::string generator;
  ParamValues generator_params;
  std::string models;                        ///< as written; "" for the bundled one
  Superposition copies;                      ///< of a trace
  Resampling resampling = Resampling::none;  ///< of a trace, by `seed`
  std::uint64_t seed = 1;
};

/// `[failures]` of one run.
struct FailureKeys {
  std::string model;  ///< as written; "" where no attempt fails
  Faults faults = Faults::job;
  bool slow = false;
  FailureOptions options;
};

struct PolicyOptions {
  std::string order = "fifo", placement = "pal", knowledge = "oracle";
  std::uint32_t knowledge_runs = 5;   ///< of knowledge "runs"
  double knowledge_age_days = 0;      ///< of knowledge "stale"
  bool knowledge_by_cluster = false;  ///< its draws have cluster.seed, else policy.seed
  ParamValues order_params, placement_params;
  LocalityPenalty locality;
  bool locality_measured = false;  ///< instead of `locality`: by model and number of GPUs
  std::uint64_t seed = 1;
  std::string routing = "least-loaded";
  ParamValues routing_params;
};

/// One point of the axes with every key resolved. A run's number is its place in the product of the axes, keys sorted,
/// seeds slowest.
struct RunPlan {
  std::int64_t number = 0;
  std::string id;  ///< 16 hex digits, XXH3-64 of the resolved point
  std::uint64_t seed = 1;
  std::vector<AxisValue> values;  ///< by axis
  ClusterOptions cluster;
  WorkloadOptions workload;
  PolicyOptions policy;
  LocalityPenalty penalty;
  bool penalty_measured = false;  ///< instead of `penalty`: by model and number of GPUs
  double overlap = 0;             ///< `network.overlap`, of measured penalties
  std::string network_profile;    ///< whose transfers tell measured penalties; as written, "" where none is measured
  EngineOptions engine;
  RoutingOptions routing;
  FailureKeys failures;
  TenantOptions tenants;
  InterferenceRules interference;
  MeasureWindow measure;
  bool measure_given = false;  ///< the study names jobs by number or a window; else one of
  bool measure_all = false;    ///< all jobs of a trace
  bool measure_older = false;  ///< jobs 0..159 as far as they go, as older programs had it
  bool initial_jobs = false;   ///< `measure.initial` decides whether some jobs are measured
  std::string measure_where;   ///< where the end of the measured jobs was given, for messages
  OutputTables output;
};

}  // namespace palstudy
