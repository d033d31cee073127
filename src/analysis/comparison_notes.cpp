// SPDX-License-Identifier: MIT
#include "analysis/comparison_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <sstream>

#include "analysis/comparison.hpp"
#include "core/numbers.hpp"
#include "core/text.hpp"
#include "inputs/arrivals.hpp"
#include "inputs/input_files.hpp"
#include "study/seeds.hpp"

namespace palstudy {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
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
  for (const std::string& note : lines_of(archive.attribute("notes"))) {
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

std::string opposite_signs_warning(const Comparison& comparison) {
  constexpr std::size_t most = 3;
  std::vector<std::string> found;
  for (const ComparisonGroup& group : comparison.groups) {
    for (const PolicyGain& one : group.gains) {
      const bool asked =
          std::find(comparison.asked.begin(), comparison.asked.end(), one.metric) != comparison.asked.end();
      if (!one.parts.opposite || (one.metric != comparison.metric && !asked)) continue;
      const auto percent = [](double share) { return fmt::format("{:.1f} %", 100 * share); };
      const std::string where = group.labels.empty() ? "" : " at " + join(group.labels);
      found.push_back(fmt::format("{} against {}{}, {}: {} is the average of {} {}, from {} to {}", one.policy,
                                  one.baseline, where, one.metric, percent(one.gain->mean), one.parts.parts,
                                  group.averaged_over.empty() ? "traces" : "points", percent(one.parts.least),
                                  percent(one.parts.most)));
    }
  }
  if (found.empty()) return "";
  const std::size_t all = found.size();
  if (all > most) {
    found.resize(most);
    found.push_back(fmt::format("and {} more", all - most));
  }
  return "averages hide opposite signs, and --by KEY splits them: " + join(found, "; ");
}

}  // namespace palstudy
