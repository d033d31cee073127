// SPDX-License-Identifier: MIT
#include "cli/comparison_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "cli/digits.hpp"
#include "cli/text_table.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

constexpr std::size_t most_rows = 12;  // more points of a metric than this are summed up by the gains alone
constexpr double least_p = 0.0001;

std::string percent(double share, int places) { return to_places(100 * share, places) + " %"; }

// Digits that a gain is worth: those of its interval, or a tenth of a percent if it has none.
int places_of(const Improvement& gain) {
  return gain.low ? std::max(0, places_of_error(100 * (*gain.high - *gain.low) / 2)) : 1;
}

std::string interval_text(const Improvement& gain) {
  const int places = places_of(gain);
  return gain.low ? fmt::format("{} to {}", percent(*gain.low, places), percent(*gain.high, places)) : "none";
}

std::string ratio_text(const Improvement& gain) {
  if (!gain.ratio_low) return to_places(gain.ratio, 3);
  return to_places(gain.ratio, std::max(0, places_of_error((*gain.ratio_high - *gain.ratio_low) / 2)));
}

std::string p_text(const std::optional<double>& p) {
  if (!p) return "-";
  return *p < least_p ? fmt::format("<{}", least_p) : fmt::format("{:.2g}", *p);
}

std::string mean_text(const std::optional<MeanOverSeeds>& mean) {
  if (!mean) return "-";
  const double value = mean->mean;
  if (!mean->half_width) return std::fabs(value) >= 1000 ? fmt::format("{:.1f}", value) : fmt::format("{:.4g}", value);
  if (*mean->half_width == 0) return shortest(value);
  const int places = places_of_error(*mean->half_width);
  return to_places(value, places) + " +- " + to_places(*mean->half_width, places);
}

std::string points_table(const Comparison& comparison, const ComparisonGroup& group) {
  std::map<std::string, std::size_t> rows;
  for (const ComparisonRow& row : group.rows) ++rows[row.metric];
  std::size_t hidden = 0;
  TextTable table;
  if (rows.size() > 1) table.header.emplace_back("metric");
  table.header.insert(table.header.end(), comparison.row_keys.begin(), comparison.row_keys.end());
  table.header.insert(table.header.end(), comparison.policies.begin(), comparison.policies.end());
  for (const ComparisonRow& row : group.rows) {
    if (rows[row.metric] > most_rows) {
      hidden = std::max(hidden, rows[row.metric]);
      continue;
    }
    std::vector<std::string> cells;
    if (rows.size() > 1) cells.push_back(row.metric);
    cells.insert(cells.end(), row.point.begin(), row.point.end());
    for (const auto& mean : row.means) cells.push_back(mean_text(mean));
    table.rows.push_back(std::move(cells));
  }
  const auto unseen = fmt::format("{} points of {}: see --json\n", hidden, join(comparison.row_keys));
  return (table.rows.empty() ? "" : to_text(table)) + (hidden > 0 ? unseen : "");
}

std::vector<std::string> gain_cells(const PolicyGain& one) {
  if (!one.gain) return {one.policy, one.metric, "-", "-", "none", "0", "-", "-", "-"};
  const Improvement& gain = *one.gain;
  const int places = places_of(gain);
  return {one.policy,
          one.metric,
          ratio_text(gain),
          percent(gain.mean, places),
          interval_text(gain),
          fmt::format("{} of {}", gain.wins, gain.pairs),
          percent(gain.least, places),
          percent(gain.most, places),
          p_text(one.p_adjusted)};
}

// Which of the gains over one baseline are of an overloaded cluster: each sentence once, with its policies.
std::string overloads(const ComparisonGroup& group, const std::string& baseline) {
  std::map<std::string, std::vector<std::string>> policies;
  for (const PolicyGain& one : group.gains) {
    if (one.baseline != baseline || one.overloaded.empty()) continue;
    auto& names = policies[one.overloaded];
    if (std::find(names.begin(), names.end(), one.policy) == names.end()) names.push_back(one.policy);
  }
  std::string text;
  for (const auto& [sentence, names] : policies) text += fmt::format("{}: {}\n", join(names), sentence);
  return text;
}

// The gains over one baseline: a row a policy and metric.
std::string gains_table(const Comparison& comparison, const ComparisonGroup& group, const std::string& baseline) {
  const bool placements = comparison.compared == compared_key;
  TextTable table{{placements ? "policy" : comparison.compared, "metric", "ratio", "gain", "95 % interval", "wins",
                   "worst", "best", "p (Holm)"},
                  {}};
  for (const PolicyGain& one : group.gains) {
    if (one.baseline == baseline) table.rows.push_back(gain_cells(one));
  }
  return fmt::format(
      "Against {}: geometric mean of the ratios, and the gain: 1 - ratio, or ratio - 1 where more is better\n{}{}",
      placements ? baseline : comparison.compared + " = " + baseline, to_text(table), overloads(group, baseline));
}

std::vector<std::string> baselines_of(const ComparisonGroup& group) {
  std::vector<std::string> names;
  for (const PolicyGain& one : group.gains) {
    if (std::find(names.begin(), names.end(), one.baseline) == names.end()) names.push_back(one.baseline);
  }
  return names;
}

// How the intervals came about, and why some are missing; each sentence once.
std::string reasons(const Comparison& comparison) {
  std::set<std::string> how, missing;
  for (const auto& group : comparison.groups) {
    for (const PolicyGain& one : group.gains) {
      if (!one.gain) continue;
      if (one.gain->low) how.insert("Intervals: " + one.gain->method);
      if (!one.gain->no_interval.empty()) missing.insert("No interval: " + one.gain->no_interval);
    }
  }
  std::string text;
  for (const auto& line : how) text += line + "\n";
  if (!how.empty() && !comparison.given.empty()) text += "  " + comparison.given + "\n";
  for (const auto& line : missing) text += line + "\n";
  if (!comparison.stopping.empty()) text += comparison.stopping + "\n";
  if (!comparison.until_end.empty()) text += comparison.until_end + "\n";
  if (!comparison.uncalibrated.empty()) text += "Uncalibrated: " + comparison.uncalibrated + " (docs/models.md)\n";
  for (const auto& line : comparison.warnings) text += "Warning: " + line + "\n";
  if (comparison.excluded.empty()) return text;
  text +=
      fmt::format("{} of {} runs make no claim, nor do their pairs:\n", comparison.excluded.size(), comparison.runs);
  for (std::size_t i = 0; i < comparison.excluded.size(); ++i) {
    if (i == most_rows) return text + fmt::format("  and {} more\n", comparison.excluded.size() - i);
    text += "  " + comparison.excluded[i] + "\n";
  }
  return text;
}

// Crossed seeds by direction: 30 x 30 seeds are 60 draws, not 900.
std::string seeds_text(const Improvement& gain) {
  if (gain.clusters == 0) return counted(gain.replications, "seed");
  return fmt::format("{} cluster seeds x {} workload seeds", gain.clusters, gain.workloads);
}

std::string brief_line(const Comparison& comparison, const PolicyGain& one) {
  const std::string key = comparison.compared == compared_key ? "" : comparison.compared + " = ";
  std::string text = fmt::format("{}{} against {}, {}: ", key, one.policy, one.baseline, one.metric);
  if (!one.gain) return text + fmt::format("no claim, {} pairs left out\n", one.left_out);
  const Improvement& gain = *one.gain;
  text += "gain " + percent(gain.mean, places_of(gain));
  if (gain.low) text += fmt::format(" (95 % interval {})", interval_text(gain));
  text += ", " + counted(gain.pairs, "pair") + ", " + seeds_text(gain);
  return text + (one.overloaded.empty() ? "" : ", " + one.overloaded) + "\n";
}

// Which jobs are measured, and under what load.
std::string measured_text(const Comparison& comparison) {
  std::string text;
  for (const auto& line : {comparison.measured, comparison.load, comparison.overloaded}) {
    if (!line.empty()) text += line + "\n";
  }
  return text;
}

}  // namespace

std::string comparison_text(const Comparison& comparison) {
  std::string text =
      fmt::format("{}: {}{}, {}\n", comparison.study, comparison.metric,
                  comparison.unit == "1" ? "" : " (" + comparison.unit + ")", counted(comparison.runs, "run")) +
      measured_text(comparison);
  for (const ComparisonGroup& group : comparison.groups) {
    text += "\n";
    if (!group.labels.empty()) text += "-- " + join(group.labels) + "\n";
    text += points_table(comparison, group);
    for (const auto& baseline : baselines_of(group)) text += "\n" + gains_table(comparison, group, baseline);
  }
  const std::string why = reasons(comparison);
  return text + (why.empty() ? "" : "\n" + why);
}

std::string comparison_brief(const Comparison& comparison) {
  std::string text = measured_text(comparison);
  for (const ComparisonGroup& group : comparison.groups) {
    for (const PolicyGain& one : group.gains) {
      if (one.metric != comparison.metric) continue;
      if (!group.labels.empty()) text += join(group.labels) + ": ";
      text += brief_line(comparison, one);
    }
  }
  return text + reasons(comparison);
}

}  // namespace palstudy
