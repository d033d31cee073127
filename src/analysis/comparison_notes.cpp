// SPDX-License-Identifier: MIT
#include "analysis/comparison_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "analysis/comparison.hpp"
#include "core/numbers.hpp"
#include "core/text.hpp"
#include "inputs/arrivals.hpp"
#include "inputs/input_files.hpp"
#include "policy/placement_policy.hpp"
#include "study/axes.hpp"
#include "study/keys/key_names.hpp"
#include "study/resolved_text.hpp"

namespace palstudy {
namespace {

/// The distinct texts of all runs, in the order of the first: "fifo, las".
template <class Text>
std::string all_of(const Study& study, Text text) {
  constexpr std::size_t most = 8;
  std::vector<std::string> all;
  for (const RunPlan& run : study.runs) {
    const std::string one = text(run);
    if (!one.empty() && std::ranges::find(all, one) == all.end()) all.push_back(one);
  }
  const std::size_t values = all.size();
  if (values > most) {
    all.resize(most - 1);
    all.push_back(fmt::format("... ({} values)", values));
  }
  return join(all);
}

std::string penalty_text(const RunPlan& run) {
  if (run.network.measured) return "measured";
  const auto& [node, cabinet, cluster] = run.network.penalty;
  return fmt::format("{} / {} / {}", shortest(node), shortest(cabinet), shortest(cluster));
}

std::string migration_text(const Study& study) {
  const std::string seconds = all_of(study, [](const RunPlan& run) { return shortest(run.engine.migration_s); });
  return seconds == "0" ? "moves are free (engine.migration_s = 0)" : "a move costs " + seconds + " s";
}

std::string knowledge_text(const RunPlan& run) {
  return fmt::format("{} ({})", belief_of(run.policy).what, run.policy.knowledge);
}

/// Policies see bins of GPUs, not each GPU.
std::string bins_text(const RunPlan& run) {
  const BinRule& rule = run.cluster.bins;
  return (rule.bins == 0 ? "silhouette" : fmt::format("{}", rule.bins)) + (rule.single_outliers ? " and outliers" : "");
}

bool lists(const RunPlan& run) { return run.policy.scheduler == "list"; }

/// ", but for those that the order stops", and which order where others of these runs stop none.
std::string stops_text(const std::vector<const RunPlan*>& runs) {
  std::vector<std::string> all, stop;
  for (const RunPlan* run : runs) {
    const std::string& order = run->policy.order;
    if (std::ranges::find(all, order) != all.end()) continue;
    all.push_back(order);
    if (orders().at(order).make(run->policy.order_params)->preemptive()) stop.push_back(order);
  }
  if (stop.empty()) return "";
  return ", but for those that " + (stop.size() == all.size() ? "the order stops" : "are stopped by " + join(stop));
}

/// What the placement of these runs does to running jobs, which a policy on one GPU of one class shows.
std::string running_jobs_text(const std::vector<const RunPlan*>& runs) {
  const Topology topology(std::vector<NodeGroup>{{1, 1}}, 1);
  const Bins bins(Slowdowns::flat({"A"}, 1), BinRule{1, false});
  const PlacementContext context{topology, bins, LocalityPenalty{}, 1};
  const auto& one = runs.front()->policy;
  const auto policy = placements().at(one.placement).make(context, one.placement_params);
  if (!policy->sticky()) return "places all jobs again at every boundary";
  return (policy->moves_running() ? "moves running jobs where that pays" : "leaves running jobs where they are") +
         stops_text(runs);
}

std::string estimates_text(const RunPlan& run) {
  if (!backfill_of(run.policy)->reserves()) return "";
  if (run.workload.estimates == Estimates::exact) return "those of the trace, else exact";
  return run.workload.estimates == Estimates::uniform ? "uniform" : "classes";
}

/// What a backfill without reservations does to wide jobs.
std::string unreserved_text(const RunPlan& run) {
  const auto backfill = backfill_of(run.policy);
  const bool waits = lists(run) && backfill->tries_others() && !backfill->reserves();
  return waits && !std::isfinite(run.engine.starvation_s) ? run.policy.backfill : "";
}

/// The orders that know how long jobs take, and say so.
std::string knowing_text(const RunPlan& run) {
  const bool knows = lists(run) && orders().at(run.policy.order).make(run.policy.order_params)->knows_durations();
  return knows ? run.policy.order : "";
}

/// What is known or believed of durations, and which nodes are on: "; " and a clause each, "" where it plays no part.
std::string beliefs_text(const Study& study) {
  std::string text;
  const auto add = [&](const char* what, const std::string& values) {
    if (!values.empty()) text += fmt::format("; {} {}", what, values);
  };
  const auto failing = [](const RunPlan& run) { return !run.failures.model.empty(); };
  if (std::ranges::any_of(study.runs, failing)) text += "; jobs that fail for good end early";
  add("wide jobs may wait for as long as narrower ones come under backfill", all_of(study, unreserved_text));
  add("true durations are known to order", all_of(study, knowing_text));
  add("users' estimates", all_of(study, estimates_text));
  add("durations predicted by", all_of(study, [](const RunPlan& run) { return run.workload.predictor; }));
  add("idle nodes powered off by",
      all_of(study, [](const RunPlan& run) { return run.power.on() ? run.power.off : ""; }));
  return text;
}

/// Who decides: an order and a backfill, or another scheduler, for which they play no part.
std::string scheduler_text(const Study& study) {
  const std::string schedulers = all_of(study, [](const RunPlan& run) { return run.policy.scheduler; });
  const std::string list =
      fmt::format("order {}; backfill {}", all_of(study, [](const RunPlan& run) { return run.policy.order; }),
                  all_of(study, [](const RunPlan& run) { return run.policy.backfill; }));
  if (schedulers == "list") return list;
  const bool any = std::ranges::any_of(study.runs, [](const RunPlan& run) { return lists(run); });
  return fmt::format("scheduler {}{}", schedulers, any ? "; of list: " + list : "");
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

std::string assumptions_line(const Study& study, const std::vector<std::string>& baselines) {
  if (study.runs.empty()) return "";
  std::string text =
      fmt::format("assumes: {}; {}; penalty {} (node / cabinet / cluster); policies know {}, in bins ({}){}",
                  scheduler_text(study), migration_text(study), all_of(study, penalty_text),
                  all_of(study, knowledge_text), all_of(study, bins_text), beliefs_text(study));
  for (const std::string& name : baselines) {
    std::vector<const RunPlan*> runs;
    for (const RunPlan& run : study.runs) {
      if (lists(run) && policy_of(study, run) == name) runs.push_back(&run);
    }
    if (!runs.empty()) text += fmt::format("; {} {}", name, running_jobs_text(runs));
  }
  const std::vector<std::string> others =
      changed_settings(study, {keys::bins, keys::outliers, keys::migration, keys::penalty, keys::scheduler, keys::order,
                               keys::placement, keys::backfill, keys::knowledge, keys::power_off});
  if (!others.empty()) text += "; not as by default: " + join(others);
  std::vector<std::string> systems;
  for (const auto& [name, sets] : study.systems) systems.push_back(fmt::format("{} ({})", name, sets));
  if (!systems.empty()) text += "; systems: " + join(systems);
  return text;
}

std::string advice_on_one_placement(const RunValues& runs) {
  const auto of_policy = [](const std::string& axis) { return axis.starts_with("policy."); };
  std::string other;
  for (const std::string& axis : runs.axes()) {
    if (!is_seed_key(axis) && (other.empty() || (of_policy(axis) && !of_policy(other)))) other = axis;
  }
  const std::string one =
      other.empty() ? "" : fmt::format("compare with --against {}={}, or ", other, runs.text(other, 0));
  return one + "give the axis policy.placement several values, or use --metric causes";
}

RunNotes run_notes(const ArchiveReader& archive) {
  RunNotes result;
  for (const std::string& note : split(archive.attribute("notes"))) {
    if (!note.starts_with(uncalibrated_note)) {
      result.warnings.push_back(note);
      continue;
    }
    if (!result.uncalibrated.empty()) result.uncalibrated += "; ";
    result.uncalibrated += note.substr(std::strlen(uncalibrated_note));
  }
  return result;
}

namespace {

std::string straggler_warning(const RunValues& runs) {
  if (!runs.has("slowdown_max")) return "";
  std::size_t many = 0;
  double most = 0;
  for (std::size_t run = 0; run < runs.rows(); ++run) {
    const double slowest = runs.number("slowdown_max", run);
    if (slowest > straggler_slowdown) ++many;
    most = std::max(most, slowest);
  }
  if (many == 0) return "";
  const std::string split =
      many == runs.rows() ? "" : fmt::format("; --by \"{}>{}\" splits the runs", straggler_key, straggler_slowdown);
  return fmt::format(
      "before quoting a gain: in {} of {} the slowest GPU has a slowdown over {} (up to {:.3g}; 1 is the median GPU "
      "of a profile, or what a table calls 1). One such GPU can make most of the gain of a policy that avoids it{}; "
      "experiments/straggler.toml shows how much",
      grouped(many), counted(runs.rows(), "run"), straggler_slowdown, most, split);
}

}  // namespace

std::string slowest_gpu(const RunValues& runs) {
  if (!runs.has("slowdown_max")) return "";
  double least = infinity, most = 0;
  for (std::size_t run = 0; run < runs.rows(); ++run) {
    const double slowest = runs.number("slowdown_max", run);
    least = std::min(least, slowest), most = std::max(most, slowest);
  }
  return runs.rows() == 0 ? "" : "; the slowest GPU has a slowdown of " + range_text(least, most);
}

namespace {

std::string horizon_warning(const ArchiveReader& archive, const RunValues& runs) {
  if (!archive.has(TableId::power)) return "";
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
  if (beyond == 0) return "";
  return fmt::format(
      "{} of {} end after power.horizon_s, up to which energy is counted: energies are over equal time, not over equal "
      "work; compare joules_per_gpu_hour, or give a later power.horizon_s",
      grouped(beyond), counted(runs.rows(), "run"));
}

std::string killed_warning(const RunValues& runs) {
  if (!runs.has("jobs_overrun_killed")) return "";
  double killed = 0, most = 0;
  for (std::size_t run = 0; run < runs.rows(); ++run) {
    const double in_run = runs.number("jobs_overrun_killed", run);
    if (in_run > 0) killed += in_run;
    most = std::max(most, in_run);
  }
  if (killed == 0) return "";
  return fmt::format(
      "{}, in all of {} together, were killed at their expected end (policy.overrun = \"kill\"; up to {} in one "
      "run), and their completion times count like those of jobs that finished: less work was done, which is no gain; "
      "--metric jobs_overrun_killed compares "
      "it",
      counted(static_cast<std::size_t>(killed), "measured job"), counted(runs.rows(), "run"),
      grouped(static_cast<std::size_t>(most)));
}

}  // namespace

void add_run_warnings(const ArchiveReader& archive, const RunValues& runs, std::vector<std::string>& to) {
  for (std::string text : {straggler_warning(runs), horizon_warning(archive, runs), killed_warning(runs)}) {
    if (!text.empty()) to.push_back(std::move(text));
  }
}

namespace {

/// `beginning`, and what `said` of the gains that are shown; "" if nothing is said of any.
template <class Say>
std::string said_of_gains(const Comparison& comparison, const char* beginning, Say say) {
  constexpr std::size_t most = 3;
  std::vector<std::string> found;
  for (const ComparisonGroup& group : comparison.groups) {
    for (const PolicyGain& one : group.gains) {
      const bool asked = std::ranges::find(comparison.asked, one.metric) != comparison.asked.end();
      const std::string said = one.metric == comparison.metric || asked ? say(group, one) : "";
      if (said.empty()) continue;
      const std::string where = group.labels.empty() ? "" : " at " + join(group.labels);
      found.push_back(fmt::format("{} against {}{}, {}: {}", one.policy, one.baseline, where, one.metric, said));
    }
  }
  if (found.empty()) return "";
  const std::size_t all = found.size();
  if (all > most) {
    found.resize(most);
    found.push_back(fmt::format("and {} more", all - most));
  }
  return beginning + join(found, "; ");
}

std::string opposite_signs_text(const ComparisonGroup& group, const PolicyGain& one) {
  if (!one.parts.opposite) return "";
  const auto percent = [](double share) { return fmt::format("{:.1f} %", 100 * share); };
  return fmt::format("{} is the average of {} {}, from {} to {}", percent(one.gain->mean), one.parts.parts,
                     group.averaged_over.empty() ? "traces" : "points", percent(one.parts.least),
                     percent(one.parts.most));
}

std::string no_ratio_text(const ComparisonGroup&, const PolicyGain& one) {
  return one.no_ratio == 0 ? "" : fmt::format("{} of {}", one.no_ratio, counted(one.pairs_of, "pair"));
}

}  // namespace

std::vector<std::string> warnings_of_gains(const Comparison& comparison) {
  std::vector<std::string> warnings = {
      said_of_gains(comparison, "averages hide opposite signs, and --by KEY splits them: ", opposite_signs_text),
      said_of_gains(comparison,
                    "pairs of which one value is 0 have no ratio, so the gain is of the others: ", no_ratio_text)};
  std::erase(warnings, "");
  return warnings;
}

}  // namespace palstudy
