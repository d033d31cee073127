// SPDX-License-Identifier: MIT
#include "cli/tables/comparison_wide.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>

#include "cli/tables/text_table.hpp"
#include "core/shown_text.hpp"
#include "core/text.hpp"
#include "study/keys/key_names.hpp"
#include "words/answer_text.hpp"
#include "words/comparison_words.hpp"

namespace palstudy {
namespace {

constexpr std::size_t most_rows = 12;  // more points of a metric than this are summed up by the gains alone
constexpr double least_p = 0.0001;

std::string percent(double change, int places) { return to_places(100 * change, places) + " %"; }

// Digits that a change is worth: those of its interval, or a tenth of a percent if it has none.
int places_of(const Improvement& gain) {
  return gain.ratio_low ? std::max(0, places_of_error(100 * (*gain.ratio_high - *gain.ratio_low) / 2)) : 1;
}

std::string interval_text(const Improvement& gain) {
  const int places = places_of(gain);
  if (!gain.ratio_low) return "none";
  return fmt::format("{} to {}", percent(*gain.ratio_low - 1, places), percent(*gain.ratio_high - 1, places));
}

std::string ratio_text(const Improvement& gain) {
  if (!gain.ratio_low) return to_places(gain.ratio, 3);
  return to_places(gain.ratio, std::max(1, places_of_error((*gain.ratio_high - *gain.ratio_low) / 2)));
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
  table.header.emplace_back("n");
  table.header.insert(table.header.end(), comparison.policies.begin(), comparison.policies.end());
  for (const ComparisonRow& row : group.rows) {
    if (rows[row.metric] > most_rows) {
      hidden = std::max(hidden, rows[row.metric]);
      continue;
    }
    std::vector<std::string> cells;
    if (rows.size() > 1) cells.push_back(row.metric);
    for (std::size_t i = 0; i < row.point.size(); ++i) {
      const bool trace = comparison.row_keys[i] == trace_key && comparison.trace_names.contains(row.point[i]);
      cells.push_back(trace ? comparison.trace_names.at(row.point[i]) : row.point[i]);
    }
    cells.push_back(row.n == row.n_of ? std::to_string(row.n) : fmt::format("{} of {}", row.n, row.n_of));
    for (const auto& mean : row.means) cells.push_back(mean_text(mean));
    table.rows.push_back(std::move(cells));
  }
  const auto unseen = fmt::format("{} points of {}: see --json\n", hidden, join(comparison.row_keys));
  return (table.rows.empty() ? "" : to_text(table)) + (hidden > 0 ? unseen : "");
}

// Which columns a table of gains has beside those that it always has.
struct GainColumns {
  bool simultaneous = false, held = false;
};

std::string claimed_pairs(const PolicyGain& one) {
  return fmt::format("{} of {}", one.gain ? one.gain->pairs : 0, one.pairs_of);
}

std::vector<std::string> gain_cells(const Comparison& comparison, const PolicyGain& one, const GainColumns& columns) {
  const Improvement gain = one.gain.value_or(Improvement{});
  const int places = places_of(gain);
  const auto known = [&](const std::string& text) { return one.gain ? text : "-"; };
  std::vector<std::string> cells = {value_text(comparison, one.policy), one.metric, known(ratio_text(gain)),
                                    known(percent(gain.ratio - 1, places)), interval_text(gain)};
  if (columns.simultaneous) cells.push_back(one.simultaneous ? interval_text(*one.simultaneous) : "none");
  if (columns.held) {
    const std::string held = held_text(one.coverage, comparison.resampled);
    cells.push_back(held.empty() ? "-" : held);
  }
  cells.insert(cells.end(),
               {known(std::to_string(gain.wins)), claimed_pairs(one), known(percent(gain.least_ratio - 1, places)),
                known(percent(gain.most_ratio - 1, places)), p_text(one.p_adjusted)});
  return cells;
}

// What an average is made of: "averaged over 4 traces, from 4.7 % to 36.8 %".
std::string parts_text(const ComparisonGroup& group, const PolicyGain& one) {
  return fmt::format("averaged over {} {}, from {} to {}", one.parts.parts,
                     group.averaged_over.empty() ? "traces" : "points", percent(one.parts.least_ratio - 1, 1),
                     percent(one.parts.most_ratio - 1, 1));
}

// The gains over one baseline: a row a policy and metric.
std::string gains_table(const Comparison& comparison, const ComparisonGroup& group, const std::string& baseline) {
  const bool placements = comparison.compared == keys::placement.name;
  GainColumns columns;
  for (const PolicyGain& one : group.gains) {
    columns.simultaneous = columns.simultaneous || one.comparisons > 1;
    columns.held = columns.held || one.coverage != Coverage::not_resampled;
  }
  TextTable table{{placements ? "policy" : comparison.compared, "metric", "ratio", "change", "alone"}, {}};
  if (columns.simultaneous) table.header.emplace_back("together");
  if (columns.held) table.header.emplace_back("held in simulations");
  table.header.insert(table.header.end(), {"better", "pairs", "least", "most", "p (Holm)"});
  for (const PolicyGain& one : group.gains) {
    if (one.baseline == baseline) table.rows.push_back(gain_cells(comparison, one, columns));
  }
  std::string parts;
  for (const PolicyGain& one : group.gains) {
    if (one.baseline != baseline || one.metric != comparison.metric || one.parts.parts < 2) continue;
    parts += fmt::format("{}, {}: {}\n", value_text(comparison, one.policy), one.metric, parts_text(group, one));
  }
  return fmt::format(
      "Against {}: geometric mean of the ratios, and the change: ratio - 1, with its 95 % intervals\n{}{}",
      placements ? baseline : comparison.compared + " = " + value_text(comparison, baseline), to_text(table), parts);
}

std::vector<std::string> baselines_of(const ComparisonGroup& group) {
  std::vector<std::string> names;
  for (const PolicyGain& one : group.gains) {
    if (std::ranges::find(names, one.baseline) == names.end()) names.push_back(one.baseline);
  }
  return names;
}

std::string first_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 2;
  if (names.size() <= most) return join(names);
  return fmt::format("{} and {} more", join(std::span(names).first(most)), names.size() - most);
}

// Sentences, and the metrics that each is said of, in the order of the first.
class SentencesOfMetrics {
 public:
  void add(const std::string& sentence, const std::string& metric) {
    const auto same = [&](const auto& one) { return one.first == sentence; };
    auto at = std::ranges::find_if(all_, same);
    if (at == all_.end()) at = all_.insert(all_.end(), {sentence, {}});
    if (std::ranges::find(at->second, metric) == at->second.end()) at->second.push_back(metric);
  }
  [[nodiscard]] std::size_t size() const { return all_.size(); }
  // "START of a, b: sentence", a line each; metrics are left out where there is one sentence, if `brief`.
  [[nodiscard]] std::string lines(const std::string& start, bool brief) const {
    std::string text;
    for (const auto& [sentence, metrics] : all_) {
      const bool named = !brief || all_.size() > 1;
      text += fmt::format("{}{}: {}\n", start, named ? " of " + first_of(metrics) : "", sentence);
    }
    return text;
  }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> all_;
};

// Over what the intervals of some gains are; of pairs of policies, where these have other seeds in common.
SentencesOfMetrics scopes_of(const ComparisonGroup& group) {
  std::map<std::string, std::set<std::string>> scopes_of_metric;
  for (const PolicyGain& one : group.gains) {
    if (one.over) scopes_of_metric[one.metric].insert(scope_text(*one.over));
  }
  const bool by_pair =
      std::ranges::any_of(scopes_of_metric, [](const auto& metric) { return metric.second.size() > 1; });
  SentencesOfMetrics scopes;
  for (const PolicyGain& one : group.gains) {
    if (one.over) scopes.add(scope_text(*one.over), by_pair ? one.policy + " against " + one.baseline : one.metric);
  }
  return scopes;
}

// The scopes of all groups: one line if they are equal, else a line for each group and scope.
std::string scopes_text(const Comparison& comparison) {
  std::set<std::string> distinct;
  std::string each, one;
  for (const auto& group : comparison.groups) {
    const SentencesOfMetrics scopes = scopes_of(group);
    if (scopes.size() == 0) continue;
    one = scopes.lines("95 % intervals", true);
    distinct.insert(one);
    each += (group.labels.empty() ? "" : labels_text(comparison, group) + ": ") + one;
  }
  return distinct.size() == 1 ? one : each;
}

// A metric without an interval, and of which policy, in which block, where there is one of another.
std::string name_of_missing(const Comparison& comparison, const ComparisonGroup& block, const PolicyGain& missing) {
  for (const auto& group : comparison.groups) {
    for (const PolicyGain& one : group.gains) {
      if (one.metric != missing.metric || !one.gain || !one.gain->low) continue;
      return fmt::format("{} ({} against {}{}{})", missing.metric, value_text(comparison, missing.policy),
                         value_text(comparison, missing.baseline), block.labels.empty() ? "" : " at ",
                         labels_text(comparison, block));
    }
  }
  return missing.metric;
}

// Of which metric the seeds change nothing is said with it.
std::string why_missing(const Comparison& comparison, const PolicyGain& one) {
  const std::string why = no_interval_text(one.gain->no_interval, comparison.resampled);
  return one.gain->no_interval.why == Missing::no_change ? why + " of " + one.metric : why;
}

// How the intervals came about, and why some are missing; each sentence once.
std::string reasons(const Comparison& comparison) {
  SentencesOfMetrics how, missing, held;
  bool several = false;
  for (const auto& group : comparison.groups) {
    for (const PolicyGain& one : group.gains) {
      if (!one.gain) continue;
      if (one.gain->low) how.add(method_text(one, comparison.resampled), one.metric);
      const std::string coverage = coverage_text(one.coverage, comparison.resampled);
      if (!coverage.empty()) held.add(coverage, one.metric);
      if (one.gain->no_interval) missing.add(why_missing(comparison, one), name_of_missing(comparison, group, one));
      several = several || (one.gain->low && one.comparisons > 1);
    }
  }
  std::string text = scopes_text(comparison) + how.lines("Method", true);
  text += held.lines("In simulations", true);
  if (several) {
    text += "Together: all intervals of a metric hold in 95 % of studies (Bonferroni), as p does (Holm)\n";
  }
  text += missing.lines("No interval", false);
  return text;
}

}  // namespace

std::string comparison_wide(const Comparison& comparison) {
  std::string text;
  for (const ComparisonGroup& group : comparison.groups) {
    if (!text.empty()) text += "\n";
    if (!group.labels.empty()) text += "-- " + labels_text(comparison, group) + "\n";
    text += points_table(comparison, group);
    for (const auto& baseline : baselines_of(group)) text += "\n" + gains_table(comparison, group, baseline);
  }
  const std::string why = reasons(comparison);
  return text + (why.empty() ? "" : "\n" + why);
}

}  // namespace palstudy
