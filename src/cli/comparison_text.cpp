// SPDX-License-Identifier: MIT
#include "cli/comparison_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "cli/text_table.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

constexpr std::size_t most_rows = 12;  // more points than this are summed up by the gains alone

std::string percent(double share) {
  const std::string text = fmt::format("{:.1f}", 100 * share);
  return (text == "-0.0" ? "0.0" : text) + " %";
}

std::string mean_text(const std::optional<double>& mean) {
  if (!mean) return "-";
  return std::fabs(*mean) >= 1000 ? fmt::format("{:.1f}", *mean) : fmt::format("{:.4g}", *mean);
}

std::string interval_text(const Improvement& gain) {
  return gain.low ? fmt::format("{} to {}", percent(*gain.low), percent(*gain.high)) : "none";
}

std::string points_table(const Comparison& comparison, const ComparisonGroup& group) {
  if (group.rows.size() > most_rows) {
    return fmt::format("{} points of {}: see --json\n", group.rows.size(), join(comparison.row_keys));
  }
  TextTable table{comparison.row_keys, {}};
  table.header.insert(table.header.end(), comparison.policies.begin(), comparison.policies.end());
  for (const ComparisonRow& row : group.rows) {
    auto cells = row.point;
    for (const auto& mean : row.means) cells.push_back(mean_text(mean));
    table.rows.push_back(std::move(cells));
  }
  return to_text(table);
}

// The gains over one baseline: a row a policy and metric.
std::string gains_table(const ComparisonGroup& group, const std::string& baseline) {
  TextTable table{{"policy", "metric", "gain", "least", "most", "pairs", "95 % interval"}, {}};
  for (const PolicyGain& one : group.gains) {
    if (one.baseline != baseline) continue;
    if (!one.gain) {
      table.rows.push_back({one.policy, one.metric, "-", "-", "-", "0", "none"});
      continue;
    }
    table.rows.push_back({one.policy, one.metric, percent(one.gain->mean), percent(one.gain->least),
                          percent(one.gain->most), std::to_string(one.gain->pairs), interval_text(*one.gain)});
  }
  return fmt::format("Gain over {}: 1 - geometric mean of the ratios\n{}", baseline, to_text(table));
}

std::vector<std::string> baselines_of(const ComparisonGroup& group) {
  std::vector<std::string> names;
  for (const PolicyGain& one : group.gains) {
    if (std::find(names.begin(), names.end(), one.baseline) == names.end()) names.push_back(one.baseline);
  }
  return names;
}

std::string reasons(const Comparison& comparison) {
  std::set<std::string> all;
  for (const auto& group : comparison.groups) {
    for (const PolicyGain& one : group.gains) {
      if (one.gain && !one.gain->no_interval.empty()) all.insert(one.gain->no_interval);
    }
  }
  std::string text;
  for (const auto& reason : all) text += "No interval: " + reason + "\n";
  if (comparison.excluded.empty()) return text;
  text +=
      fmt::format("{} of {} runs make no claim, nor do their pairs:\n", comparison.excluded.size(), comparison.runs);
  for (std::size_t i = 0; i < comparison.excluded.size(); ++i) {
    if (i == most_rows) return text + fmt::format("  and {} more\n", comparison.excluded.size() - i);
    text += "  " + comparison.excluded[i] + "\n";
  }
  return text;
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
  std::string text = fmt::format("{}: {}{}, {} runs\n", comparison.study, comparison.metric,
                                 comparison.unit == "1" ? "" : " (" + comparison.unit + ")", comparison.runs);
  for (const ComparisonGroup& group : comparison.groups) {
    text += "\n";
    if (!group.labels.empty()) text += "-- " + join(group.labels) + "\n";
    text += points_table(comparison, group);
    for (const auto& baseline : baselines_of(group)) text += "\n" + gains_table(group, baseline);
  }
  const std::string why = reasons(comparison);
  return text + (why.empty() ? "" : "\n" + why);
}

std::string comparison_brief(const Comparison& comparison) {
  std::string text;
  for (const ComparisonGroup& group : comparison.groups) {
    for (const PolicyGain& one : group.gains) {
      if (one.metric != comparison.metric) continue;
      if (!group.labels.empty()) text += join(group.labels) + ": ";
      text += fmt::format("{} against {}, {}: ", one.policy, one.baseline, one.metric);
      if (!one.gain) {
        text += "no claim\n";
        continue;
      }
      text += "gain " + percent(one.gain->mean);
      if (one.gain->low) text += fmt::format(" (95 % interval {})", interval_text(*one.gain));
      text += fmt::format(", {} pair{}, {} seed{}\n", one.gain->pairs, one.gain->pairs == 1 ? "" : "s",
                          one.gain->replications, one.gain->replications == 1 ? "" : "s");
    }
  }
  return text + reasons(comparison);
}

}  // namespace palstudy
