// SPDX-License-Identifier: MIT
#include "cli/tables/comparison_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <ranges>
#include <set>
#include <vector>

#include "cli/tables/note_lines.hpp"
#include "cli/tables/text_table.hpp"
#include "core/shown_text.hpp"
#include "core/text.hpp"
#include "core/wrapped_text.hpp"
#include "study/keys/key_names.hpp"
#include "words/answer_text.hpp"
#include "words/assumptions_text.hpp"
#include "words/comparison_words.hpp"
#include "words/phrases.hpp"

namespace palstudy {
namespace {

using Names = std::vector<std::string>;

/// The metrics of the tables: those that were asked for, or the first.
std::vector<MetricHead> shown_metrics(const Comparison& comparison) {
  std::vector<MetricHead> shown;
  for (const MetricHead& metric : comparison.metrics) {
    const bool asked = std::ranges::find(comparison.asked, metric.name) != comparison.asked.end();
    if (asked || (comparison.asked.empty() && metric.name == comparison.metric)) shown.push_back(metric);
  }
  return shown;
}

/// A mean in one unit of its column: hours of long times.
struct MeanUnit {
  double divisor = 1;
  std::string name;
};

MeanUnit unit_of(const Comparison& comparison, const MetricHead& metric) {
  double most = 0;
  for (const ComparisonGroup& group : comparison.groups) {
    for (const PolicyMean& mean : group.means) {
      if (mean.metric == metric.name && mean.mean) most = std::max(most, std::fabs(*mean.mean));
    }
  }
  constexpr double hour = 3600;
  if (metric.unit == "s" && most >= hour) return {hour, " h"};
  return {1, metric.unit == "1" || metric.unit.starts_with('{') ? "" : " " + metric.unit};
}

std::string three_digits(double value) {
  const double size = std::fabs(value);
  const int places = size > 0 ? 2 - static_cast<int>(std::floor(std::log10(size))) : 0;
  if (size < 1000) return places > 6 ? fmt::format("{:.3g}", value) : to_places(value, std::max(places, 0));
  return size < 1e9 ? (value < 0 ? "-" : "") + grouped(static_cast<std::size_t>(std::llround(size)))
                    : fmt::format("{:.3g}", value);
}

std::string mean_text(const ComparisonGroup& group, const std::string& policy, const MetricHead& metric,
                      const MeanUnit& unit) {
  for (const PolicyMean& mean : group.means) {
    if (mean.metric != metric.name || mean.policy != policy || !mean.mean) continue;
    return three_digits(*mean.mean / unit.divisor) + unit.name;
  }
  return "-";
}

const PolicyGain* gain_of(const ComparisonGroup& group, const std::string& policy, const std::string& baseline,
                          const std::string& metric) {
  const auto same = [&](const PolicyGain& one) {
    return one.policy == policy && one.baseline == baseline && one.metric == metric;
  };
  const auto found = std::ranges::find_if(group.gains, same);
  return found == group.gains.end() ? nullptr : &*found;
}

bool has_intervals(const Comparison& comparison) {
  return std::ranges::any_of(comparison.groups, [](const ComparisonGroup& group) {
    return std::ranges::any_of(group.gains, [](const PolicyGain& one) { return ratios_of(one).has_value(); });
  });
}

bool several_hold(const Comparison& comparison) {
  return std::ranges::any_of(comparison.groups, [](const ComparisonGroup& group) {
    return std::ranges::any_of(group.gains, [](const PolicyGain& one) { return one.comparisons > 1; });
  });
}

const char* interval_head(const Comparison& comparison) {
  return several_hold(comparison) ? "95 %, together" : "95 % interval";
}

std::string pairs_text(const PolicyGain& one) {
  return one.gain ? fmt::format("{} of {}", one.gain->wins, one.gain->pairs) : "";
}

std::string key_head(const std::string& key) {
  return key == keys::placement.name ? "placement" : key == keys::system.name ? "system" : key;
}

/// Policies from the best to the worst, by the first group's means of the first metric.
Names sorted_policies(const Comparison& comparison, const MetricHead& metric) {
  std::map<std::string, double> means;
  if (!comparison.groups.empty()) {
    for (const PolicyMean& mean : comparison.groups.front().means) {
      if (mean.metric == metric.name && mean.mean) means[mean.policy] = *mean.mean;
    }
  }
  Names sorted = comparison.policies;
  std::ranges::stable_sort(sorted, [&](const std::string& a, const std::string& b) {
    if (!means.contains(a) || !means.contains(b)) return means.contains(a) && !means.contains(b);
    return metric.larger_is_better ? means[a] > means[b] : means[a] < means[b];
  });
  return sorted;
}

/// Policies that have a gain, and baselines.
bool is_shown(const Comparison& comparison, const std::string& policy) {
  if (std::ranges::find(comparison.baselines, policy) != comparison.baselines.end()) return true;
  return comparison.baselines.empty() || std::ranges::any_of(comparison.groups, [&](const ComparisonGroup& group) {
           return std::ranges::any_of(group.gains, [&](const PolicyGain& one) { return one.policy == policy; });
         });
}

/// The keys of the groups; `brief`: without their sections.
Names label_heads(const Comparison& comparison, bool brief = false) {
  Names heads;
  if (comparison.groups.empty()) return heads;
  for (const GroupLabel& label : comparison.groups.front().labels) {
    heads.push_back(brief ? split(label.key, '.').back() : label.key);
  }
  return heads;
}

Names label_cells(const Comparison& comparison, const ComparisonGroup& group) {
  Names cells;
  for (const auto& [key, relation, value] : group.labels) {
    const auto name = comparison.trace_names.find(value);
    const bool trace = key == trace_key && name != comparison.trace_names.end();
    cells.push_back((relation == "=" ? "" : relation + " ") + (trace ? name->second : value));
  }
  return cells;
}

/// Green if it is better, red if it is worse, by its interval, or by itself if it has none.
std::string tinted_change(const PolicyGain& one, const MetricHead& metric) {
  if (!one.gain || (ratios_of(one) && !differs(one)) || one.gain->ratio == 1) return change_text(one);
  return tinted(change_text(one), (one.gain->ratio > 1) == metric.larger_is_better ? Tint::better : Tint::worse);
}

/// The cells of a change against each of these baselines.
void add_changes(Names& cells, const ComparisonGroup& group, const std::string& policy, const Names& baselines,
                 const MetricHead& metric, bool intervals) {
  const bool counts = !intervals || baselines.size() == 1;  // else there is no room
  for (const std::string& baseline : baselines) {
    const PolicyGain* one = gain_of(group, policy, baseline, metric.name);
    cells.push_back(one != nullptr ? tinted_change(*one, metric) : policy == baseline ? "baseline" : "");
    if (intervals) cells.push_back(one != nullptr ? change_interval_text(*one) : "");
    if (counts) cells.push_back(one != nullptr ? pairs_text(*one) : "");
  }
}

/// Means, and changes against these baselines: a row a group and policy, below each other by metric.
TextTable table_of_gains(const Comparison& comparison, const Names& baselines, bool brief_heads = false) {
  const auto metrics = shown_metrics(comparison);
  const bool intervals = has_intervals(comparison), one_metric = metrics.size() == 1;
  TextTable table;
  if (!one_metric) table.header.emplace_back("metric");
  for (const auto& key : label_heads(comparison, brief_heads)) table.header.push_back(key);
  table.header.push_back(key_head(comparison.compared));
  table.texts = table.header.size();
  table.header.push_back(one_metric ? words_of(metrics.front()).column : "mean");
  const std::string better = one_metric ? fmt::format("{} in", words_of(metrics.front()).better) : "better in";
  for (const std::string& baseline : baselines) {
    table.header.push_back(baselines.size() > 1 ? value_text(comparison, baseline) : "change");
    if (intervals) table.header.emplace_back(interval_head(comparison));
    if (!intervals || baselines.size() == 1) table.header.push_back(better);
  }
  for (const MetricHead& metric : metrics) {
    const MeanUnit unit = unit_of(comparison, metric);
    for (const ComparisonGroup& group : comparison.groups) {
      for (const std::string& policy : sorted_policies(comparison, metrics.front())) {
        if (!is_shown(comparison, policy)) continue;
        Names cells;
        if (!one_metric) cells.push_back(metric.name);
        for (auto& cell : label_cells(comparison, group)) cells.push_back(std::move(cell));
        cells.push_back(value_text(comparison, policy));
        cells.push_back(mean_text(group, policy, metric, unit));
        add_changes(cells, group, policy, baselines, metric, intervals);
        table.rows.push_back(std::move(cells));
      }
    }
  }
  return table;
}

/// Shares have means and no changes: a row a metric, a column a policy.
std::string table_of_shares(const Comparison& comparison, std::size_t columns) {
  TextTable table;
  table.header.emplace_back("metric");
  for (const auto& key : label_heads(comparison)) table.header.push_back(key);
  table.texts = table.header.size();
  for (const std::string& policy : comparison.policies) table.header.push_back(value_text(comparison, policy));
  for (const MetricHead& metric : shown_metrics(comparison)) {
    for (const ComparisonGroup& group : comparison.groups) {
      Names cells = {metric.name};
      for (auto& cell : label_cells(comparison, group)) cells.push_back(std::move(cell));
      for (const std::string& policy : comparison.policies) cells.push_back(mean_text(group, policy, metric, {}));
      table.rows.push_back(std::move(cells));
    }
  }
  return to_text(table, columns);
}

std::size_t widest_line(const std::string& text) {
  std::size_t most = 0;
  for (const std::string& line : split(text)) most = std::max(most, width_of(line));
  return most;
}

/// The table with the keys of its groups whole if they fit, else without their sections.
std::string fitting_table(const Comparison& comparison, const Names& baselines, std::size_t columns) {
  const std::string whole = to_text(table_of_gains(comparison, baselines));
  return widest_line(whole) <= columns ? whole : to_text(table_of_gains(comparison, baselines, true), columns);
}

/// One table for all baselines if it fits, else one for each.
std::string gains_text(const Comparison& comparison, std::size_t columns) {
  const std::string all = to_text(table_of_gains(comparison, comparison.baselines, true));
  if (widest_line(all) <= columns || comparison.baselines.size() < 2) {
    return fitting_table(comparison, comparison.baselines, columns);
  }
  std::string text;
  for (const std::string& baseline : comparison.baselines) {
    text += fmt::format("{}against {}\n", text.empty() ? "" : "\n", value_text(comparison, baseline)) +
            fitting_table(comparison, {baseline}, columns);
  }
  return text;
}

/// The changes alone, a row a gain.
TextTable table_of_changes(const Comparison& comparison, bool brief_heads) {
  const auto metrics = shown_metrics(comparison);
  const bool intervals = has_intervals(comparison);
  TextTable table;
  table.header = label_heads(comparison, brief_heads);
  table.header.insert(table.header.end(), {key_head(comparison.compared), "against"});
  if (metrics.size() > 1) table.header.emplace_back("metric");
  table.texts = table.header.size();
  table.header.emplace_back("change");
  if (intervals) table.header.emplace_back(interval_head(comparison));
  table.header.emplace_back("better in");
  for (const ComparisonGroup& group : comparison.groups) {
    for (const PolicyGain& one : group.gains) {
      if (std::ranges::find(metrics, one.metric, &MetricHead::name) == metrics.end()) continue;
      Names cells = label_cells(comparison, group);
      cells.push_back(value_text(comparison, one.policy));
      cells.push_back(value_text(comparison, one.baseline));
      if (metrics.size() > 1) cells.push_back(one.metric);
      cells.push_back(tinted_change(one, *std::ranges::find(metrics, one.metric, &MetricHead::name)));
      if (intervals) cells.push_back(change_interval_text(one));
      cells.push_back(pairs_text(one));
      table.rows.push_back(std::move(cells));
    }
  }
  return table;
}

/// "mean JCT: geometric, over 8 runs of each".
std::string means_text(const Comparison& comparison) {
  std::set<std::size_t> runs;
  bool geometric = false, arithmetic = false;
  for (const ComparisonGroup& group : comparison.groups) {
    for (const PolicyMean& mean : group.means) {
      if (mean.mean) runs.insert(mean.runs), (mean.geometric ? geometric : arithmetic) = true;
    }
  }
  if (runs.empty()) return "";
  const std::string count = *runs.begin() == *runs.rbegin()
                                ? counted(*runs.begin(), "run")
                                : fmt::format("{} to {}", grouped(*runs.begin()), counted(*runs.rbegin(), "run"));
  const char* kind = !arithmetic ? "geometric" : geometric ? "arithmetic if one is 0, else geometric" : "arithmetic";
  return fmt::format("means: {}, over {} of each", kind, count);
}

/// Over what the intervals of the first metric speak, or why there are none: each once.
std::set<std::string> scopes_of(const Comparison& comparison) {
  std::set<std::string> said;
  for (const ComparisonGroup& group : comparison.groups) {
    for (const PolicyGain& one : group.gains) {
      if (one.metric != comparison.metric || !one.gain) continue;
      if (one.over) said.insert("intervals: " + scope_text(*one.over));
      if (one.gain->no_interval) {
        said.insert("no interval: " + no_interval_text(one.gain->no_interval, comparison.resampled));
      }
    }
  }
  return said;
}

/// What is said of every result, under the table.
std::string scope_lines(const Comparison& comparison, std::size_t columns) {
  constexpr std::size_t most = 2;
  std::vector<std::string> lines;
  if (const std::string means = means_text(comparison); !means.empty()) lines.push_back(means);
  const auto scopes = scopes_of(comparison);
  std::ranges::copy(scopes | std::views::take(most), std::back_inserter(lines));
  if (scopes.size() > most) lines.push_back(fmt::format("{} more scopes: --json", scopes.size() - most));
  std::vector<std::string> axes;
  if (!comparison.groups.empty()) {
    for (const auto& [key, values] : comparison.groups.front().averaged_over) axes.push_back(key);
  }
  if (!axes.empty()) lines.push_back(fmt::format("averaged over {}; --by KEY splits", join(axes)));
  for (const auto& line : {stop_text(comparison), measured_text(comparison), offered_text(comparison)}) {
    if (!line.empty()) lines.push_back(line);
  }
  std::string text;
  for (const std::string& line : lines) text += paragraph("", line, columns);
  return text;
}

std::string title_text(const Comparison& comparison, std::size_t columns) {
  const std::string& title = !comparison.question.empty() ? comparison.question
                             : !comparison.title.empty()  ? comparison.title
                                                          : comparison.study;
  return paragraph("", title, columns) + paragraph("", runs_text(comparison), columns);
}

std::string answer_lines(const Comparison& comparison, std::size_t columns) {
  const Answer answer = answer_of(comparison);
  std::string text, head = answer.head;
  if (!head.empty()) head += " ";
  for (const std::string& line : answer.lines) {
    text += paragraph(tinted(head, Tint::strong), tinted(line, Tint::strong), columns);
    head.assign(width_of(head), ' ');
  }
  return text;
}

/// Whether there are gains at all: shares have none.
bool has_gains(const Comparison& comparison) {
  return std::ranges::any_of(comparison.groups, [](const ComparisonGroup& group) { return !group.gains.empty(); });
}

}  // namespace

std::string comparison_text(const Comparison& comparison, std::size_t columns) {
  std::string text = title_text(comparison, columns) + "\n";
  const bool lacks_baseline = find(comparison.notes, "no-baseline") != nullptr;
  if (has_gains(comparison) || lacks_baseline) text += answer_lines(comparison, columns) + "\n";
  text += has_gains(comparison) ? gains_text(comparison, columns) : table_of_shares(comparison, columns);
  text += scope_lines(comparison, columns);
  return text + "\n" + heaviest_notes(comparison, columns);
}

std::string comparison_brief(const Comparison& comparison, std::size_t columns) {
  const auto metrics = shown_metrics(comparison);
  const std::string head =
      metrics.size() == 1 ? fmt::format("change of the {}\n", words_of(metrics.front()).phrase) : "";
  std::string table = to_text(table_of_changes(comparison, false));
  if (widest_line(table) > columns) table = to_text(table_of_changes(comparison, true), columns);
  return head + table + note_ids(comparison, columns);
}

std::string comparison_notes(const Comparison& comparison, std::size_t columns) {
  constexpr std::size_t most = 12;
  std::string text = all_notes(comparison, columns);
  const std::size_t left_out = comparison.left_out.size();
  for (std::size_t i = 0; i < std::min(left_out, most); ++i) {
    text += paragraph("left out: ", left_out_text(comparison.left_out[i], comparison.trace_names), columns);
  }
  return text + (left_out > most ? fmt::format("{} more runs left out: --json\n", left_out - most) : "");
}

std::string comparison_assumptions(const Comparison& comparison, std::size_t columns) {
  std::string text;
  for (const auto& clauses : {settings_clauses(comparison.assumptions), assumption_clauses(comparison.assumptions)}) {
    for (const auto& [what, assumed] : clauses) text += paragraph(fmt::format("{:<18} ", what), assumed, columns);
  }
  return text.empty() ? "the archive keeps no study\n" : text;
}

}  // namespace palstudy
