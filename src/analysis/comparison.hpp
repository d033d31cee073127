// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/earlier_lines.hpp"
#include "analysis/interval_scope.hpp"
#include "analysis/looks_taken.hpp"
#include "analysis/run_claims.hpp"
#include "archive/reader.hpp"
#include "core/note.hpp"
#include "inputs/measured_jobs.hpp"
#include "stats/paired.hpp"
#include "study/keys/key_names.hpp"
#include "workload/synthetic/resample.hpp"

namespace palstudy {

/// Can be split on although it is no axis: the largest slowdown of a GPU of the run's cluster.
inline constexpr const char* straggler_key = "cluster.slowdown_max";
/// Parts of the jobs that can be split on: metrics are then made from the rows of /jobs.
inline constexpr std::array<std::string_view, 5> job_parts = {"size", "class", "tenant", "user", "model"};

/// In place of keys to split by: everything is pooled.
inline constexpr const char* by_none = "none";
/// What is pooled over is never the trace alone: a study of several traces is of all of them.
inline constexpr const char* trace_key = keys::trace.name;
/// The most groups without --by.
inline constexpr std::size_t most_default_groups = 12;

/// The options of `palstudy compare`.
struct ComparisonOptions {
  std::vector<std::string> metrics;    ///< none for what the study says, and beside it makespan_s and, of jct_mean_s,
                                       ///< what few jobs do not rule; "all", "causes", "outcomes"
  std::vector<std::string> baselines;  ///< none for what the study says
  /// An axis, class, size, tenant, user, model, or KEY>NUMBER with a numeric axis or `cluster.slowdown_max`; "none"
  /// alone for no split; none for every axis but seeds and traces, where that gives no more than `most_default_groups`.
  std::vector<std::string> by;
  std::vector<std::string> policies;  ///< only these; none for all
  std::string against = {};  ///< "KEY=VALUE": the values of this axis in place of placements, against this one of them
};

/// The gains that an average is made of: one for each point of the axes that are pooled, traces included.
struct AverageParts {
  std::size_t parts = 0;
  double least = 0, most = 0;  ///< gains of the worst and of the best part
  /// One part is a gain and another one a loss: by their intervals, by sign where they have none.
  bool opposite = false;
  double least_ratio = 1, most_ratio = 1;
};

/// One policy against one baseline by one metric, within one group.
struct PolicyGain {
  std::string baseline, policy, metric;
  std::optional<Improvement> gain;        ///< none where no pair can be compared
  std::size_t left_out = 0;               ///< pairs with a run that makes no claim
  std::optional<double> p_adjusted;       ///< Holm's, over all gains of this metric that are given
  std::size_t pairs_of = 0;               ///< pairs that there would be if every run were there and made a claim
  std::optional<IntervalOver> over = {};  ///< over what the interval is; none without one
  SeedsLeftOut seeds = {};                ///< replications that are left, and why others are not
  Coverage coverage = Coverage::not_resampled;
  std::size_t comparisons = 1;                             ///< gains of this metric that have intervals
  std::optional<Improvement> simultaneous = std::nullopt;  ///< with the interval of so many that hold together
  std::size_t no_ratio = 0;             ///< pairs without a ratio, of which one value alone is 0; not in the gain
  std::optional<Note> overloaded = {};  ///< of the runs behind it, by policy: their load and the slope of their queues
  AverageParts parts = {};              ///< at the points of the axes that are pooled, traces included
};

/// A mean over seeds.
struct MeanOverSeeds {
  double mean = 0;
  std::optional<double> half_width;  ///< of its 95 % interval
};

/// An axis, and how many values it has: of a study, or of those over which a group is pooled.
struct AxisCount {
  std::string key;
  std::size_t values = 0;
};

/// A policy's mean of a metric over the runs of a group at which every policy makes a claim. It is geometric, so that
/// the quotient of two is the change between them; arithmetic if some value is not above 0.
struct PolicyMean {
  std::string metric, policy;
  std::optional<double> mean;
  bool geometric = true;
  std::size_t runs = 0;
};

/// One row of a group's table: a metric at a point of the axes that are neither the policy, nor seeds, nor split on.
struct ComparisonRow {
  std::string metric;
  std::vector<std::string> point;                   ///< by Comparison::row_keys
  std::vector<std::optional<MeanOverSeeds>> means;  ///< by Comparison::policies, over runs that all of them have
  std::size_t n = 0;                                ///< runs of each policy that the means are over
  std::size_t n_of = 0;                             ///< points that any policy has a run at
};

/// What the runs of a group have in common.
struct GroupLabel {
  std::string key;
  std::string relation = "=";  ///< or "<=" or ">", where a number splits the runs
  std::string value;
  friend bool operator==(const GroupLabel&, const GroupLabel&) = default;
};

/// The runs that share the values of --by, or of the axes that are split on by default.
struct ComparisonGroup {
  std::vector<GroupLabel> labels;   ///< one a --by
  std::vector<ComparisonRow> rows;  ///< of the requested metrics
  std::vector<PolicyMean> means;
  std::vector<PolicyGain> gains;
  std::vector<AxisCount> averaged_over = {};  ///< neither seeds nor traces
  GroupScope scope = {};                      ///< what the seeds draw in all of its runs
};

/// A metric that has means or gains.
struct MetricHead {
  std::string name, unit;
  bool larger_is_better = false;
};

/// What `compare` found. (More than 15 members: one for each part of the answer.)
struct Comparison {
  std::string study, title, question, digest;
  std::string metric, unit;  ///< the first metric
  std::vector<MetricHead> metrics = {};
  std::size_t runs = 0;
  std::vector<AxisCount> axes = {};                              ///< all of the study, seeds included
  std::optional<std::pair<std::size_t, std::size_t>> gpus = {};  ///< of the smallest and of the largest cluster
  std::vector<MeasuredSet> measured = {};   ///< the measured jobs and their load; none of an earlier archive
  std::shared_ptr<const Study> plans = {};  ///< that the archive keeps, with the runs of `measured`
  ValueRecord load_values = {};             ///< both in a few numbers
  std::size_t from_empty = 0, loaded = 0;   ///< runs that measure from an empty cluster on, of those with rows of jobs
  std::string compared = keys::placement;   ///< the axis that is compared; its values stand where policies are named
  std::vector<std::string> policies;        ///< in the order of the study
  std::vector<std::string> baselines = {};
  std::vector<std::string> row_keys;
  std::vector<ComparisonGroup> groups;
  std::vector<LeftOutRun> left_out;
  std::vector<Note> notes;
  std::vector<WordedNote> input_notes;                  ///< those of the archive, on what its runs were made of
  std::optional<TraceBlocks> resampled;                 ///< what each workload is drawn from, of a resampled trace
  std::optional<LooksTaken> looks = {};                 ///< those of `[stop]` that were taken
  EarlierLines earlier = {};                            ///< what an archive has in place of `measured` and `looks`
  std::map<std::string, std::string> trace_names = {};  ///< what to call traces that are an axis, by path
  ValueRecord assumptions = {};         ///< what the gains depend on, by key; none if the archive keeps no study
  std::vector<std::string> asked = {};  ///< the metrics that the options name; none where they name none
};

/// Compares policies run by run: pairs agree in every axis but the policy. Runs that failed, left measured jobs
/// unfinished or were unstable are left out, with their pairs, and named; but metrics that need no finish are compared
/// where both runs of a pair left jobs unfinished.
/// Shares of causes and outcomes can be had of studies with one placement, too.
/// Errors (usage): no axis policy.placement or policy.system for any other metric, an unknown metric, baseline or key.
[[nodiscard]] Comparison compare(const ArchiveReader& archive, const ComparisonOptions& options);

}  // namespace palstudy
