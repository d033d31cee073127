// SPDX-License-Identifier: MIT
#include "analysis/comparison_notes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <sstream>

#include "analysis/comparison.hpp"
#include "core/text.hpp"
#include "inputs/input_texts.hpp"

namespace palstudy {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
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
  return fmt::format(
      "before quoting a gain: in {} of {} the slowest GPU is over {} times slower than the median (up to {:.3g} "
      "times). One such GPU can make most of the gain of a policy that avoids it; --by \"{}>{}\" splits the runs, and "
      "experiments/straggler.toml shows how much",
      grouped(many), counted(runs.rows(), "run"), straggler_slowdown, most, straggler_key, straggler_slowdown);
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
