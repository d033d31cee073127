// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "archive/record.hpp"
#include "core/registry.hpp"
#include "sim/neighbours.hpp"
#include "sim/simulation.hpp"
#include "study/measured_jobs.hpp"
#include "study/tenant_options.hpp"
#include "variability/sources.hpp"
#include "workload/resample.hpp"
#include "workload/superpose.hpp"

namespace palstudy {

/// `[cluster]` of one run.
struct ClusterOptions {
  std::vector<NodeGroup> nodes;  ///< from gpus and gpus_per_node, or as given
  std::uint32_t nodes_per_cabinet = 16;
  std::uint32_t partitions = 1;
  std::string source = "table";  ///< table | bootstrap | measured | block
  std::string table;             ///< as written
  std::string profile = "longhorn";
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

/// `[stop]`: seeds are added at fixed looks until every comparison that the study names is narrow enough. Runs are
/// numbered seeds slowest, so what a look sees is a prefix of the runs.
struct StopRule {
  struct Look {
    std::size_t seeds = 0;
    std::size_t runs = 0;  ///< the first so many runs of the study are those of its seeds
    std::string resolved;  ///< the study with these seeds alone, and with the rule: run again it ends here again
  };
  std::string metric;
  double relative_half_width = 0;  ///< of the ratio's 95 % interval, to either side on the scale of logarithms
  std::string seed_key;            ///< the axis that is grown
  std::vector<Look> looks;         ///< rising; the last one's seeds are those of the study
};

/// A study file, read, checked and resolved.
struct Study {
  std::filesystem::path file;  ///< paths in it are relative to its folder
  std::string name, title;
  std::vector<Axis> axes;  ///< keys sorted
  std::vector<RunPlan> runs;
  std::vector<std::string> baselines;  ///< compare.baseline
  std::string compare_metric = "jct_mean_s";
  std::vector<std::string> notes;  ///< keys that were given and change nothing, one sentence each
  std::optional<StopRule> stop;
  double checkpoint_s = 600;  ///< `engine.checkpoint_s`: seconds of real time between two checkpoints of a run
  std::string resolved;       ///< TOML that runs again and gives the same digest
  /// Of a study in a bundle: the files that stand for paths as written, and the SHA-256 of every input by its path.
  std::map<std::string, std::filesystem::path> bundled_files = {};
  std::map<std::string, std::string> bundled_sha256 = {};
  /// Of an anonymous bundle, whose paths were replaced: id by the text of the study -> id that the run keeps.
  std::map<std::string, std::string> renamed_ids = {};
  /// file:line:column of every text that a key was given, by key and text, for messages about what it names.
  std::map<std::pair<std::string, std::string>, std::string> places;
  [[nodiscard]] std::filesystem::path resolve(const std::string& path) const;
  /// "study.toml:7:9: cluster.table": where the key was given this text; without the numbers if it is a default.
  [[nodiscard]] std::string place_of(const std::string& key, const std::string& text) const;
};

/// Reads and checks a study, or that of a bundle by its folder; `overrides` are KEY=VALUE of --set. Errors (usage):
/// with file:line:column, naming the nearest known key.
[[nodiscard]] Study read_study(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});

/// The same of a text, such as the resolved study that an archive holds; `name` stands for its file.
[[nodiscard]] Study parse_study(const std::string& text, const std::string& name);

/// One key of the study file, for `list keys` and docs/.
struct KeyInfo {
  std::string key, unit, default_value, summary;
  std::string wants;  ///< type and range, in words: "an integer from 1 to 32"
};
[[nodiscard]] const std::vector<KeyInfo>& study_keys();

/// jobs/, kernels/measurements/ ...: found from the program wherever the study lies (PALSTUDY_DATA, beside the
/// executable's source or install tree).
[[nodiscard]] std::filesystem::path data_dir();

/// Loads what runs need, each distinct thing once: clusters, bins, workloads. Not thread-safe.
class Inputs {
 public:
  /// `study` must outlive it.
  explicit Inputs(const Study& study);
  ~Inputs();
  Inputs(const Inputs&) = delete;
  Inputs& operator=(const Inputs&) = delete;
  /// Checks all inputs of all runs without simulating (the errors of bad data come from here), and returns the notes.
  std::vector<std::string> check();
  /// What is measured, and under what load, of the runs that `check` has looked at.
  [[nodiscard]] const std::vector<MeasuredSet>& measured() const;
  /// SHA-256 of every file read so far (all of them after `check`), by the path as written.
  [[nodiscard]] std::map<std::string, std::string> sha256() const;
  /// The measurements that clusters have been drawn from so far, by name.
  [[nodiscard]] std::vector<const Measurements*> measurements() const;
  /// Where these are from: "bundled-kernels" (palstudy measure), "imported" (from elsewhere, some at least), "" (none).
  [[nodiscard]] std::string profile_origin() const;

  struct Loaded {
    const Topology& topology;
    const Slowdowns& truth;
    const Bins& believed;
    const Workload& workload;
    Penalties penalty, believed_penalty;
    const std::vector<JobModel>& job_models;  ///< by model of the workload
    std::optional<TenantRules> tenants;
    const FailureWorld* failures;  ///< null where no attempt fails
  };
  Loaded load(const RunPlan& run);
  /// The cluster alone; `classes` are the measurements that it was drawn from, none for a table.
  struct LoadedCluster {
    const Topology& topology;
    const Slowdowns& truth;
    ClassMeasurements classes;
  };
  LoadedCluster load_cluster(const RunPlan& run);
  /// What was said while reading, in order, each sentence once.
  [[nodiscard]] const std::vector<std::string>& notes() const;
  /// What the resampled trace with the fewest free blocks has to draw from (`workload.resample`); `none` without.
  [[nodiscard]] TraceBlocks trace_blocks();
  [[nodiscard]] std::string cluster_key(const RunPlan& run) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// What a run's record bears, its times left out (also for a record of failure).
[[nodiscard]] RunLabel label_of(const Study& study, const RunPlan& run);

/// Simulates one planned run with the ranks of `exchange` and makes its record; on rank 0, nothing elsewhere.
[[nodiscard]] std::optional<RunRecord> execute(const Study& study, const RunPlan& run, Inputs& inputs,
                                               Exchange& exchange);

}  // namespace palstudy
