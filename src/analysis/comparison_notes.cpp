// SPDX-License-Identifier: MIT
#include "analysis/comparison_notes.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/comparison.hpp"
#include "core/numbers.hpp"
#include "core/text.hpp"
#include "policy/placement_policy.hpp"
#include "study/axes.hpp"
#include "study/keys/key_names.hpp"
#include "study/resolved_text.hpp"

namespace palstudy {
namespace {

const NoteKind slow_gpu("slow-gpu", Severity::care), horizon_note("horizon", Severity::care),
    killed_jobs("killed-jobs", Severity::care), up_to_end("up-to-end", Severity::info),
    mixed_signs("mixed-signs", Severity::care), metrics_disagree("metrics-disagree", Severity::care),
    zero_values("zero-values", Severity::info);

/// The distinct values of all runs, in the order of the first; those that are not known are left out.
template <class Of>
ValueList all_of(const Study& study, Of of) {
  ValueList all;
  for (const RunPlan& run : study.runs) {
    const Value one = of(run);
    if (one.known() && std::ranges::find(all, one) == all.end()) all.push_back(one);
  }
  return all;
}

/// Nothing in place of "".
Value name_or_nothing(const std::string& name) { return name.empty() ? Value() : Value(name); }

bool lists(const RunPlan& run) { return run.policy.scheduler == "list"; }

Value penalty_of(const RunPlan& run) {
  if (run.network.measured) return "measured";
  const auto& [node, cabinet, cluster] = run.network.penalty;
  return ValueList{node, cabinet, cluster};
}

/// Policies see bins of GPUs, not each GPU.
Value bins_of(const RunPlan& run) {
  const BinRule& rule = run.cluster.bins;
  return ValueRecord{{"bins", rule.bins == 0 ? Value("silhouette") : Value(rule.bins)},
                     {"outliers", rule.single_outliers ? "single" : "binned"}};
}

/// What a placement does to running jobs, which a policy on one GPU of one class shows; and the orders of these runs,
/// with those that stop running jobs.
ValueRecord running_jobs(const std::string& name, const std::vector<const RunPlan*>& runs) {
  const Topology topology(std::vector<NodeGroup>{{1, 1}}, 1);
  const Bins bins(Slowdowns::flat({"A"}, 1), BinRule{1, false});
  const PlacementContext context{topology, bins, LocalityPenalty{}, 1};
  const auto& one = runs.front()->policy;
  const auto policy = placements().at(one.placement).make(context, one.placement_params);
  std::vector<std::string> all, stop;
  for (const RunPlan* run : runs) {
    const std::string& order = run->policy.order;
    if (std::ranges::find(all, order) != all.end()) continue;
    all.push_back(order);
    if (orders().at(order).make(run->policy.order_params)->preemptive()) stop.push_back(order);
  }
  return {{"name", name},
          {"running", !policy->sticky()         ? "placed-again"
                      : policy->moves_running() ? "moved"
                                                : "left"},
          {"orders", all},
          {"stopped_by", stop}};
}

Value estimates_of(const RunPlan& run) {
  if (!backfill_of(run.policy)->reserves()) return {};
  if (run.workload.estimates == Estimates::exact) return run.slurm.queues.empty() ? "exact" : "queues";
  return run.workload.estimates == Estimates::uniform ? "uniform" : "classes";
}

/// A backfill without reservations, under which wide jobs may wait for ever.
Value unreserved(const RunPlan& run) {
  const auto backfill = backfill_of(run.policy);
  const bool waits = lists(run) && backfill->tries_others() && !backfill->reserves();
  return waits && !std::isfinite(run.engine.starvation_s) ? Value(run.policy.backfill) : Value();
}

/// An order that knows how long jobs take.
Value knowing_order(const RunPlan& run) {
  const bool knows = lists(run) && orders().at(run.policy.order).make(run.policy.order_params)->knows_durations();
  return knows ? Value(run.policy.order) : Value();
}

/// What baselines name: the placement of a run, or where placements are no axis its system.
std::string policy_of(const Study& study, const RunPlan& run) {
  std::string policy = run.policy.placement;
  for (std::size_t axis = 0; axis < study.axes.size(); ++axis) {
    if (study.axes[axis].key == keys::placement.name) return run.policy.placement;
    if (study.axes[axis].key == keys::system.name) policy = std::get<std::string>(run.values[axis]);
  }
  return policy;
}

}  // namespace

ValueRecord assumptions_of(const Study& study, const std::vector<std::string>& baselines) {
  if (study.runs.empty()) return {};
  ValueRecord all;
  const auto add = [&](const char* key, auto of) {
    ValueList values = all_of(study, of);
    if (!values.empty()) all.emplace_back(key, std::move(values));
  };
  using Run = const RunPlan&;
  add(keys::scheduler.name, [](Run run) { return Value(run.policy.scheduler); });
  add(keys::order.name, [](Run run) { return Value(run.policy.order); });
  add(keys::backfill.name, [](Run run) { return Value(run.policy.backfill); });
  add(keys::migration.name, [](Run run) { return Value(run.engine.migration_s); });
  add(keys::penalty.name, penalty_of);
  add(keys::knowledge.name, [](Run run) { return Value(run.policy.knowledge); });
  add(keys::bins.name, bins_of);
  add(keys::failure_model.name, [](Run run) { return name_or_nothing(run.failures.model); });
  add("unreserved", unreserved);
  add("durations_known", knowing_order);
  add("estimates", estimates_of);
  add(keys::predictor.name, [](Run run) { return name_or_nothing(run.workload.predictor); });
  add(keys::power_off.name, [](Run run) { return run.power.on() ? Value(run.power.off) : Value(); });
  ValueList of_baselines, systems;
  for (const std::string& name : baselines) {
    std::vector<const RunPlan*> runs;
    for (const RunPlan& run : study.runs) {
      if (lists(run) && policy_of(study, run) == name) runs.push_back(&run);
    }
    if (!runs.empty()) of_baselines.emplace_back(running_jobs(name, runs));
  }
  if (!of_baselines.empty()) all.emplace_back("baselines", std::move(of_baselines));
  ValueRecord changed;
  for (auto& [key, value] :
       changed_settings(study, {keys::bins, keys::outliers, keys::migration, keys::penalty, keys::scheduler,
                                keys::order, keys::placement, keys::backfill, keys::knowledge, keys::power_off})) {
    changed.emplace_back(key, value);
  }
  if (!changed.empty()) all.emplace_back("changed", std::move(changed));
  for (const auto& [name, sets] : study.systems) systems.emplace_back(ValueRecord{{"name", name}, {"sets", sets}});
  if (!systems.empty()) all.emplace_back("systems", std::move(systems));
  return all;
}

const NoteKind no_baseline("no-baseline", Severity::stop);

std::string advice_on_one_placement(const RunValues& runs) {
  const auto of_policy = [](const std::string& axis) { return axis.starts_with("policy."); };
  std::string other;
  for (const std::string& axis : runs.axes()) {
    if (!is_seed_key(axis) && (other.empty() || (of_policy(axis) && !of_policy(other)))) other = axis;
  }
  const std::string one = other.empty() ? "" : "compare with --against " + other + "=" + runs.text(other, 0) + ", or ";
  return one + "give the axis policy.placement several values, or use --metric causes";
}

Value slowest_gpu(const RunValues& runs) {
  if (!runs.has("slowdown_max")) return {};
  double least = infinity, most = 0;
  for (std::size_t run = 0; run < runs.rows(); ++run) {
    const double slowest = runs.number("slowdown_max", run);
    least = std::min(least, slowest), most = std::max(most, slowest);
  }
  return least_and_most(least, most);
}

namespace {

std::optional<Note> slow_gpus(const RunValues& runs) {
  if (!runs.has("slowdown_max")) return std::nullopt;
  std::size_t many = 0;
  double most = 0;
  for (std::size_t run = 0; run < runs.rows(); ++run) {
    const double slowest = runs.number("slowdown_max", run);
    if (slowest > straggler_slowdown) ++many;
    most = std::max(most, slowest);
  }
  if (many == 0) return std::nullopt;
  return slow_gpu({{"runs", many}, {"of", runs.rows()}, {"slowdown", most}, {"limit", straggler_slowdown}});
}

std::optional<Note> runs_beyond_horizon(const ArchiveReader& archive, const RunValues& runs) {
  if (!archive.has(TableId::power)) return std::nullopt;
  std::map<double, double> node_s, nodes;  // by run
  const auto run = std::get<std::vector<std::int64_t>>(archive.column(TableId::power, "run"));
  const auto seconds = std::get<std::vector<double>>(archive.column(TableId::power, "node_s"));
  for (std::size_t i = 0; i < run.size(); ++i) node_s[static_cast<double>(run[i])] += seconds[i];
  const auto node_run = std::get<std::vector<std::int64_t>>(archive.column(TableId::nodes, "run"));
  for (const std::int64_t of : node_run) ++nodes[static_cast<double>(of)];
  std::size_t beyond = 0;
  for (std::size_t row = 0; row < runs.rows(); ++row) {
    const double number = runs.number("run", row), end_s = runs.number("makespan_s", row);
    if (node_s.contains(number) && end_s * nodes[number] > node_s[number] * (1 + 1e-6)) ++beyond;
  }
  if (beyond == 0) return std::nullopt;
  return horizon_note({{"runs", beyond}, {"of", runs.rows()}});
}

std::optional<Note> jobs_killed(const RunValues& runs) {
  if (!runs.has("jobs_overrun_killed")) return std::nullopt;
  double killed = 0, most = 0;
  for (std::size_t run = 0; run < runs.rows(); ++run) {
    const double in_run = runs.number("jobs_overrun_killed", run);
    if (in_run > 0) killed += in_run;
    most = std::max(most, in_run);
  }
  if (killed == 0) return std::nullopt;
  const auto count = [](double jobs) { return static_cast<std::int64_t>(jobs); };
  return killed_jobs({{"jobs", count(killed)}, {"of", runs.rows()}, {"most", count(most)}});
}

}  // namespace

void add_notes_on_runs(const ArchiveReader& archive, const RunValues& runs, std::vector<Note>& to) {
  for (auto& note : {slow_gpus(runs), runs_beyond_horizon(archive, runs), jobs_killed(runs)}) {
    if (note) to.push_back(*note);
  }
}

Note note_up_to_end(const std::vector<std::string>& metrics, std::size_t runs, std::size_t all) {
  return up_to_end({{"metrics", metrics}, {"runs", runs}, {"of", all}});
}

namespace {

/// A note with what is found of the gains that are shown, if anything is.
template <class Find>
std::optional<Note> of_gains(const Comparison& comparison, const NoteKind& kind, Find find) {
  ValueList found;
  for (const ComparisonGroup& group : comparison.groups) {
    ValueList at;
    for (const auto& [key, relation, value] : group.labels) {
      at.emplace_back(ValueRecord{{"key", key}, {"relation", relation}, {"value", value}});
    }
    for (const PolicyGain& one : group.gains) {
      const bool asked = std::ranges::find(comparison.asked, one.metric) != comparison.asked.end();
      ValueRecord values = one.metric == comparison.metric || asked ? find(group, one) : ValueRecord();
      if (values.empty()) continue;
      ValueRecord whole = {{"policy", one.policy}, {"baseline", one.baseline}, {"metric", one.metric}, {"at", at}};
      whole.insert(whole.end(), values.begin(), values.end());
      found.emplace_back(std::move(whole));
    }
  }
  return found.empty() ? std::nullopt : std::optional(kind({{"gains", std::move(found)}}));
}

/// As changes of the metric: ratio - 1.
ValueRecord parts_of_opposite_signs(const ComparisonGroup& group, const PolicyGain& one) {
  if (!one.parts.opposite) return {};
  return {{"change", one.gain->ratio - 1},
          {"least", one.parts.least_ratio - 1},
          {"most", one.parts.most_ratio - 1},
          {"parts", one.parts.parts},
          {"traces", group.averaged_over.empty()}};
}

ValueRecord pairs_without_ratio(const ComparisonGroup&, const PolicyGain& one) {
  if (one.no_ratio == 0) return {};
  return {{"pairs", one.no_ratio}, {"of", one.pairs_of}};
}

/// 1 if the interval of a gain is above 0, -1 if it is below, 0 if it has none or holds 0.
int sure_sign(const PolicyGain& one) {
  if (!one.gain || !one.gain->low) return 0;
  return *one.gain->low > 0 ? 1 : *one.gain->high < 0 ? -1 : 0;
}

/// The first other metric of the same pair of policies, not asked for, whose interval has the other sign.
ValueRecord metric_that_disagrees(const Comparison& comparison, const ComparisonGroup& group, const PolicyGain& one) {
  const int sign = sure_sign(one);
  if (sign == 0 || one.metric != comparison.metric) return {};
  for (const PolicyGain& other : group.gains) {
    const bool same = other.policy == one.policy && other.baseline == one.baseline;
    const bool asked = std::ranges::find(comparison.asked, other.metric) != comparison.asked.end();
    if (!same || asked || sure_sign(other) != -sign) continue;
    return {{"change", one.gain->ratio - 1}, {"other", other.metric}, {"other_change", other.gain->ratio - 1}};
  }
  return {};
}

}  // namespace

std::vector<Note> notes_on_gains(const Comparison& comparison) {
  std::vector<Note> notes;
  for (auto& note :
       {of_gains(comparison, mixed_signs, parts_of_opposite_signs),
        of_gains(comparison, metrics_disagree,
                 [&](const auto&group, const PolicyGain&one) { return metric_that_disagrees(comparison, group, one); }),
        of_gains(comparison, zero_values, pairs_without_ratio)}) {
    if (note) notes.push_back(*note);
  }
  return notes;
}

void drop_notes_of_other_metrics(Comparison& comparison) {
  std::erase_if(comparison.notes, [&](const Note& one) {
    const Value* metric = find(one.values, "metric");
    if (metric == nullptr || metric->name() == comparison.metric) return false;
    return std::ranges::find(comparison.asked, metric->name()) == comparison.asked.end();
  });
}

}  // namespace palstudy
