// SPDX-License-Identifier: MIT
#include "analysis/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

#include "analysis/compared_metrics.hpp"
#include "analysis/comparison_notes.hpp"
#include "analysis/comparison_split.hpp"
#include "analysis/gain_parts.hpp"
#include "analysis/interval_scope.hpp"
#include "analysis/job_groups.hpp"
#include "analysis/job_metrics.hpp"
#include "analysis/means_of_jobs.hpp"
#include "analysis/offered_load.hpp"
#include "analysis/replications.hpp"
#include "analysis/run_claims.hpp"
#include "analysis/run_values.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "inputs/input_files.hpp"
#include "study/axes.hpp"
#include "study/keys/key_names.hpp"
#include "study/run_plan.hpp"
#include "study/study.hpp"

namespace palstudy {
namespace {

constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

bool among(const std::vector<std::string>& all, const std::string& one) {
  return std::ranges::find(all, one) != all.end();
}

bool is_of_started_jobs(const ComparedMetric& metric) {
  return metric.has(ComparedMetric::until_end) && !metric.stored;
}

/// Makes the answer part by part. (More than 15 members: what was asked, what is known of the runs, and the answer.)
class Comparer {
 public:
  Comparer(const ArchiveReader& archive, const ComparisonOptions& options)
      : archive_(archive), runs_(archive), claims_(runs_), loads_(archive, runs_) {
    result_.study = archive.attribute(keys::study_name);
    result_.title = archive.attribute(keys::study_title);
    result_.question = archive.attribute(keys::study_question);
    result_.digest = archive.digest();
    result_.runs = runs_.rows();
    result_.looks = archived_looks(archive);
    result_.earlier = earlier_lines(archive);
    result_.input_notes = archive.notes();
    auto chosen = choose_metrics(archive, runs_, options, claims_.some_unfinished());
    metrics_ = std::move(chosen.all);
    shown_ = chosen.shown;
    for (std::size_t m = 0; m < shown_ && !options.metrics.empty(); ++m) result_.asked.push_back(metrics_[m].name);
    result_.metric = metrics_.front().name;
    result_.unit = metrics_.front().unit;
    for (const ComparedMetric& one : metrics_) {
      result_.metrics.push_back({one.name, one.unit, one.has(ComparedMetric::larger_is_better)});
    }
    name_traces();
    choose_key(options);
    const bool gains =
        std::ranges::any_of(metrics_, [](const ComparedMetric& metric) { return !metric.has(ComparedMetric::share); });
    if (!runs_.has(result_.compared) && gains) {
      throw usage_error("the study has one placement only: nothing to compare", keys::placement.name,
                        advice_on_one_placement(runs_));
    }
    choose_policies(options);
    result_.axes = axes_of(runs_);
    if (runs_.study() != nullptr) result_.gpus = gpus_of(*runs_.study());
    note_loads();
    note_excluded();
    if (std::ranges::any_of(metrics_, is_of_started_jobs)) add_metrics_of_started_jobs(archive, runs_);
    note_assumptions();
    add_means_of_jobs(archive, runs_, metrics_, claims_.all_claimed(), result_.notes);
    add_notes_on_runs(archive, runs_, result_.notes);
    spread_over_groups(options);
    splits_ = splits_of(runs_, options.by, result_.compared);
    result_.resampled = resampled_trace(archive_);
    sort_axes();
    scope_.emplace(archive, runs_);
    if (replications_.clusters_vary) note(scope_->donors());
  }

  Comparison compare() {
    std::vector<Blocks> blocks;
    for (const Split& split : splits_) blocks.push_back(blocks_of(runs_, split));
    std::map<std::vector<std::uint32_t>, std::vector<std::size_t>> members;  // groups in the order of their labels
    for (std::size_t row = 0; row < runs_.rows(); ++row) {
      std::vector<std::uint32_t> key;
      for (const Blocks& one : blocks) key.push_back(one.of_row[row]);
      members[key].push_back(row);
    }
    for (const auto& [key, rows] : members) {
      ComparisonGroup group;
      for (std::size_t i = 0; i < blocks.size(); ++i) group.labels.push_back(blocks[i].labels[key[i]]);
      group.averaged_over = pooled_axes(runs_, rows, result_.compared);
      fill(group, rows);
      result_.groups.push_back(std::move(group));
    }
    for (const auto& metric : metrics_) correct_for_comparisons(result_.groups, metric.name, pairs_);
    for (Note& one : notes_on_gains(result_)) result_.notes.push_back(std::move(one));
    drop_notes_of_other_metrics(result_);
    return std::move(result_);
  }

 private:
  void note(std::optional<Note> one) {
    if (one) result_.notes.push_back(std::move(*one));
  }

  [[nodiscard]] std::optional<Note> with_key(std::optional<Note> one) const {
    if (one) one->values.emplace_back("key", result_.compared);
    return one;
  }

  // The axis that is compared: that of --against, or placements, or systems.
  void choose_key(const ComparisonOptions& options) {
    if (options.against.empty()) {
      const bool systems = !runs_.has(keys::placement) && runs_.has(keys::system);
      if (systems) result_.compared = keys::system;
      return;
    }
    std::tie(result_.compared, against_) = parse_against(runs_, options.against);
  }

  void name_traces() {
    if (!among(runs_.axes(), trace_key)) return;
    std::vector<std::string> paths;
    for (std::size_t row = 0; row < runs_.rows(); ++row) paths.push_back(runs_.text(trace_key, row));
    result_.trace_names = trace_names(paths);
  }

  void choose_policies(const ComparisonOptions& options) {
    policy_of_ = policies_of_rows();
    const bool one = !runs_.has(result_.compared);
    if (one) result_.policies = {runs_.needed_study().runs.at(0).policy.placement};
    for (std::size_t row = 0; !one && row < runs_.rows(); ++row) {
      if (policy_of_[row] == result_.policies.size()) result_.policies.push_back(runs_.text(result_.compared, row));
    }
    const bool given = !options.baselines.empty();
    if (!given && one) return;  // shares alone
    const auto add = [](auto& to, std::size_t policy) {
      if (std::ranges::find(to, policy) == to.end()) to.push_back(policy);
    };
    if (!against_.empty()) add(baselines_, policy_named(result_, against_, "--against"));
    for (const auto& name : given ? options.baselines : split(archive_.attribute(keys::baseline))) {
      if (against_.empty()) add(baselines_, policy_named(result_, name, given ? "--baseline" : keys::baseline.name));
    }
    for (const std::size_t p : baselines_) result_.baselines.push_back(result_.policies[p]);
    if (baselines_.empty() && result_.policies.size() > 1) {
      note(no_baseline({{"key", result_.compared}, {"policies", result_.policies}}));
    }
    for (const auto& name : options.policies) add(asked_, policy_named(result_, name, "--policy"));
    if (baselines_.size() == 1 && asked_ == baselines_)
      throw usage_error(options.policies[0] + " is the baseline", "--policy", "name one that may gain over it");
    for (std::size_t p = 0; options.policies.empty() && p < result_.policies.size(); ++p) asked_.push_back(p);
  }

  [[nodiscard]] std::string name_of_policy(std::size_t policy) const {
    const std::string& value = result_.policies[policy];
    return result_.compared == trace_key ? result_.trace_names.at(value) : value;
  }

  // A run whose one fault is that jobs are unfinished is named only where a metric needs their finish.
  void note_excluded() {
    std::vector<std::string> names;
    for (const auto& metric : metrics_) {
      if (metric.has(ComparedMetric::until_end) && !among(names, metric.name)) names.push_back(metric.name);
    }
    const bool finish =
        std::ranges::any_of(metrics_, [](const ComparedMetric& one) { return !one.has(ComparedMetric::until_end); });
    result_.left_out = left_out(runs_, claims_, finish);
    for (Note& one : notes_on_claims(result_.left_out, result_.runs)) result_.notes.push_back(std::move(one));
    const std::size_t cut = claims_.runs_cut();
    if (cut > 0 && !names.empty()) note(note_up_to_end(names, cut, result_.runs));
  }

  void note_loads() {
    const auto policy = [this](std::size_t run) { return name_of_policy(policy_of_[run]); };
    const auto may_claim = [this](std::size_t run) { return claims_.may_claim(run, false); };
    result_.plans = runs_.shared_study();
    result_.measured = archived_sets(archive_, result_.plans.get());
    result_.load_values = archived_load(archive_, result_.plans.get());
    result_.from_empty = loads_.runs_from_empty();
    result_.loaded = loads_.runs();
    note(with_key(note_on_load(archive_, runs_, loads_, {may_claim, policy})));
    if (std::ranges::none_of(metrics_, is_completion_time)) return;
    note(with_key(note_on_waiting(runs_, {[this](std::size_t run) { return claims_.may_claim(run, true); }, policy})));
  }

  // Metrics of parts of the jobs, and those that are not in /runs.
  void spread_over_groups(const ComparisonOptions& options) {
    const auto parts = asked_job_parts(options.by);
    const auto by_rows = [](const ComparedMetric& metric) { return metric.has(ComparedMetric::of_job_rows); };
    if (parts.empty() && std::ranges::none_of(metrics_, by_rows)) return;
    spread_by_jobs(archive_, runs_, parts);
    policy_of_ = policies_of_rows();
  }

  /// All one where there is one placement.
  [[nodiscard]] Codes policies_of_rows() const {
    return runs_.has(result_.compared) ? runs_.codes(result_.compared) : Codes(runs_.rows(), 0);
  }

  [[nodiscard]] bool usable(std::size_t row, const ComparedMetric& metric) const {
    return reason(row, metric) == NoClaim::none;
  }
  [[nodiscard]] NoClaim reason(std::size_t row, const ComparedMetric& metric) const {
    return claims_.why(runs_.run_of(row), !metric.has(ComparedMetric::until_end));
  }
  /// Two runs that end at different instants have no fractions of the same time.
  [[nodiscard]] bool usable_pair(std::size_t row, std::size_t partner, const ComparedMetric& metric) const {
    const bool alike =
        !metric.has(ComparedMetric::until_end) || claims_.cut(runs_.run_of(row)) == claims_.cut(runs_.run_of(partner));
    return alike && usable(row, metric) && usable(partner, metric);
  }

  void sort_axes() {
    const auto split_on = [&](const std::string& key) {
      return std::ranges::any_of(splits_, [&](const Split& split) { return split.key == key && !split.above; });
    };
    auto keys = runs_.axes();
    keys.emplace_back(keys::seed);  // stands in /runs as a column that every archive has
    std::vector<Codes> all, of_row;
    for (const auto& key : keys) {
      if (key == result_.compared) continue;
      all.push_back(runs_.codes(key));
      if (is_seed_key(key) || split_on(key)) continue;
      of_row.push_back(all.back());
      result_.row_keys.push_back(key);
    }
    for (const auto part : job_parts) {
      if (runs_.has(std::string(part))) all.push_back(runs_.codes(std::string(part)));
    }
    points_ = combined(all, runs_.rows());
    table_points_ = combined(of_row, runs_.rows());
    replications_ = replications_of(runs_);
  }

  void note_assumptions() {
    if (runs_.study() == nullptr) return;
    const bool named = result_.compared == keys::placement.name || result_.compared == keys::system.name;
    result_.assumptions = assumptions_of(*runs_.study(), named ? result_.baselines : std::vector<std::string>());
    if (const Value one = slowest_gpu(runs_); one.known()) result_.assumptions.emplace_back("slowest_gpu", one);
  }

  /// What the workloads of a group are drawn from; its rows have one value of workload.resample.
  [[nodiscard]] std::optional<TraceSample> resampled(std::size_t row) const {
    const bool drawn = !runs_.has(keys::resampling) || runs_.text(keys::resampling, row) != name_of(Resampling::none);
    return drawn && result_.resampled ? std::optional(sample_of(*result_.resampled)) : std::nullopt;
  }

  void fill(ComparisonGroup& group, const std::vector<std::size_t>& members) {
    for (std::size_t m = 0; m < shown_; ++m) {
      add_rows(group, members, metrics_[m]);
      add_means(group, members, metrics_[m]);
    }
    const GroupScope scope = scope_->of(members);
    group.scope = scope;
    for (const std::size_t baseline : baselines_) {
      const auto partners = runs_at_points(members, baseline);
      for (const std::size_t policy : asked_) {
        if (policy == baseline) continue;
        for (const auto& metric : metrics_) {
          if (metric.has(ComparedMetric::share)) continue;
          group.gains.push_back(gain(members, {baseline, policy}, partners, metric));
          PolicyGain& added = group.gains.back();
          if (!added.gain || !added.gain->low) continue;
          const Improvement& of = *added.gain;
          added.over->group = scope;
          added.over->count = {of.by, of.replications, of.clusters, of.workloads};
          // p would say that the policies differ on this one cluster, which is seen without any test.
          if (scope.choices_alone()) added.gain->p_value.reset();
        }
      }
    }
  }

  void add_rows(ComparisonGroup& group, const std::vector<std::size_t>& members, const ComparedMetric& metric) const {
    std::map<std::uint32_t, std::size_t> place;  // of a point among the rows
    const std::size_t first = group.rows.size();
    std::vector<CommonMeans> cells;
    for (const std::size_t row : members) {
      const auto [at, fresh] = place.emplace(metric.has(ComparedMetric::share) ? 0 : table_points_[row],
                                             cells.size());  // shares: all in one
      if (fresh) {
        group.rows.push_back({metric.name, {}, {}});
        for (const auto& key : result_.row_keys) {
          group.rows.back().point.push_back(metric.has(ComparedMetric::share) ? "all" : runs_.text(key, row));
        }
        cells.emplace_back(result_.policies.size());
      }
      cells[at->second].add(policy_of_[row], points_[row], seen(row, metric));
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
      cells[i].write_to(group.rows[first + i], resampled(members.front()));
    }
  }

  void add_means(ComparisonGroup& group, const std::vector<std::size_t>& members, const ComparedMetric& metric) const {
    CommonMeans all(result_.policies.size());
    for (const std::size_t row : members) all.add(policy_of_[row], points_[row], seen(row, metric));
    for (PolicyMean& one : all.means(metric.name, result_.policies)) group.means.push_back(std::move(one));
  }

  /// What a run came to, if it makes a claim.
  [[nodiscard]] std::optional<Observation> seen(std::size_t row, const ComparedMetric& metric) const {
    const double value = usable(row, metric) ? runs_.number(metric.name, row) : std::nan("");
    return std::isfinite(value) ? std::optional(replications_.observation(row, value)) : std::nullopt;
  }

  // The run of a policy at each point.
  std::vector<std::size_t> runs_at_points(const std::vector<std::size_t>& members, std::size_t policy) const {
    std::vector<std::size_t> result(runs_.rows(), nowhere);
    for (const std::size_t row : members) {
      if (policy_of_[row] != policy) continue;
      auto& place = result[points_[row]];
      if (place != nowhere) throw data_error("two runs at one point", "/runs");
      place = row;
    }
    return result;
  }

  struct Compared {
    std::size_t baseline, policy;
  };

  PolicyGain gain(const std::vector<std::size_t>& members, Compared names, const std::vector<std::size_t>& partners,
                  const ComparedMetric& metric) {
    const std::size_t policy = names.policy;
    PolicyGain result{result_.policies[names.baseline], result_.policies[policy], metric.name, {}, 0, {}};
    std::set<std::uint32_t> points;  // at which either has a run
    std::vector<Pair> pairs;
    std::map<std::uint32_t, std::vector<Pair>> parts;  // by point of the axes that are pooled
    Survivors survivors;
    PolicyOverload load{name_of_policy(policy), {}}, partners_load{name_of_policy(names.baseline), {}};
    for (const std::size_t row : members) {
      const std::size_t partner = partners[points_[row]];
      if (policy_of_[row] == policy || partner == row) points.insert(points_[row]);
      if (policy_of_[row] != policy || partner == nowhere) continue;
      const auto seeds = replications_.observation(row, 0);
      if (!usable_pair(row, partner, metric)) {
        ++result.left_out;
        survivors.add_left_out({seeds.cluster, seeds.workload}, reason(row, metric), reason(partner, metric));
        continue;
      }
      const double ours = runs_.number(metric.name, row), theirs = runs_.number(metric.name, partner);
      result.no_ratio += comparable(ours, theirs) ? 0 : 1;
      if (!comparable(ours, theirs)) continue;
      survivors.add({seeds.cluster, seeds.workload});
      pairs.push_back({ours, theirs, seeds.cluster, seeds.workload});
      parts[table_points_[row]].push_back(pairs.back());
      loads_.add(runs_.run_of(row), load.runs);
      loads_.add(runs_.run_of(partner), partners_load.runs);
    }
    result.pairs_of = points.size();
    result.overloaded = with_key(overload_of_pair(load, partners_load));
    Comparing how = metric.how();
    how.resampled = resampled(members.front());
    if (!pairs.empty()) result.gain = improvement(pairs, how);
    result.seeds = survivors.counted();
    result.parts = average_parts(parts, how);
    if (result.gain && result.gain->low) {
      result.over = IntervalOver{{}, {}, result.seeds};
      if (how.resampled) result.coverage = coverage_of(*result_.resampled, metric.name);
    }
    pairs_.push_back({std::move(pairs), how});
    return result;
  }

  const ArchiveReader& archive_;
  RunValues runs_;
  RunClaims claims_;
  RunLoads loads_;
  Comparison result_;
  std::vector<ComparedMetric> metrics_;
  std::size_t shown_ = 0;  // metrics that have rows of means
  std::vector<std::size_t> baselines_, asked_;
  std::vector<Split> splits_;
  std::string against_;  // the value that --against names
  Codes policy_of_, points_, table_points_;
  Replications replications_;
  std::optional<IntervalScope> scope_;
  std::vector<ComparedPairs> pairs_;  // of every gain, in their order
};

}  // namespace

Comparison compare(const ArchiveReader& archive, const ComparisonOptions& options) {
  return Comparer(archive, options).compare();
}

}  // namespace palstudy
