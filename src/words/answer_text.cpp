// SPDX-License-Identifier: MIT
#include "words/answer_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string_view>

#include "core/numbers.hpp"
#include "core/text.hpp"
#include "study/axes.hpp"
#include "study/keys/key_names.hpp"
#include "words/comparison_words.hpp"
#include "words/note_text.hpp"
#include "words/phrases.hpp"

namespace palstudy {
namespace {

constexpr std::size_t most_lines = 2;  // of the answer about several groups; more are counted
constexpr std::size_t most_named = 2;  // values that differ

/// Digits that a change is worth: those of its interval, or a tenth of a percent.
int places_of(const PolicyGain& gain) {
  const auto ends = ratios_of(gain);
  return ends ? std::max(0, places_of_error(100 * (ends->second - ends->first) / 2)) : 1;
}

std::string percent(double share, int places) { return to_places(100 * share, places); }

std::string signed_percent(double share, int places) {
  const std::string text = percent(share, places);
  return share > 0 && text.find_first_not_of("0.") != std::string::npos ? "+" + text : text;
}

/// "10.1 % shorter"
std::string change_words(double ratio, int places, const MetricWords& words) {
  return fmt::format("{} % {}", percent(std::fabs(ratio - 1), places), ratio < 1 ? words.less : words.more);
}

/// From the smaller change to the larger: "5.4 to 62.4 %" on the side that `ratio` is on; "10.1 % shorter to 1.6 %
/// longer" if they have two signs.
std::string range_words(double ratio, std::pair<double, double> ends, int places, const MetricWords& words) {
  const auto [low, high] = ends;
  const bool less = ratio < 1;
  if ((low < 1 && high > 1) || (low >= 1 && less) || (high <= 1 && !less && low < 1)) {
    return change_words(low, places, words) + " to " + change_words(high, places, words);
  }
  const double near = less ? high : low, far = less ? low : high;
  return fmt::format("{} to {} %", percent(std::fabs(near - 1), places), percent(std::fabs(far - 1), places));
}

/// How sure it is: "(1.05 to 1.55 %), in 20 of 20 pairs", or the range over traces.
std::string how_sure(const ComparisonGroup& group, const PolicyGain& one, const MetricWords& words) {
  const int places = places_of(one);
  if (const auto ends = ratios_of(one)) return fmt::format(" ({})", range_words(one.gain->ratio, *ends, places, words));
  if (one.parts.parts < 2) return ", no interval";
  return fmt::format("; {} by {}, no interval",
                     range_words(one.gain->ratio, {one.parts.least_ratio, one.parts.most_ratio}, places, words),
                     group.averaged_over.empty() ? "trace" : "point");
}

/// "42.9 % shorter than packed-sticky (...)"
std::string gain_words(const Comparison& comparison, const ComparisonGroup& group, const PolicyGain& one,
                       const MetricWords& words) {
  const std::string baseline = value_text(comparison, one.baseline);
  if (!one.gain) return fmt::format("no claim against {}, {} left out", baseline, counted(one.left_out, "pair"));
  if (ratios_of(one) && !differs(one)) {
    return fmt::format("not found to differ from {}{}", baseline, how_sure(group, one, words));
  }
  const std::string better =
      ratios_of(one) ? fmt::format(", {} in {} of {}", words.better, one.gain->wins, one.gain->pairs) : "";
  return fmt::format("{} than {}{}{}", change_words(one.gain->ratio, places_of(one), words), baseline,
                     how_sure(group, one, words), better);
}

/// Of several groups how many point where.
std::string counted_words(const std::vector<const PolicyGain*>& gains, const MetricWords& words) {
  std::size_t less = 0, more = 0, none = 0, unclaimed = 0;
  for (const PolicyGain* one : gains) {
    if (!one->gain) {
      ++unclaimed;
    } else if (ratios_of(*one) && !differs(*one)) {
      ++none;
    } else {
      ++(one->gain->ratio < 1 ? less : more);
    }
  }
  std::vector<std::string> parts;
  const auto add = [&](std::size_t count, const std::string& what) {
    if (count > 0) parts.push_back(fmt::format("{} in {}", what, count));
  };
  add(less, words.less);
  add(more, words.more);
  add(none, "no difference found");
  add(unclaimed, "no claim");
  return join(parts);
}

const MetricHead& head_of(const Comparison& comparison, const std::string& metric) {
  return *std::ranges::find(comparison.metrics, metric, &MetricHead::name);
}

/// The first policy with a gain, in the order of the study, that is no baseline; of baselines alone the first.
std::string answering_policy(const Comparison& comparison) {
  std::string first;
  for (const ComparisonGroup& group : comparison.groups) {
    for (const PolicyGain& one : group.gains) {
      if (std::ranges::find(comparison.baselines, one.policy) == comparison.baselines.end()) return one.policy;
      if (first.empty()) first = one.policy;
    }
  }
  return first;
}

template <class Of>
void for_answer(const Comparison& comparison, const std::string& policy, Of of) {
  for (const std::string& baseline : comparison.baselines) {
    for (const ComparisonGroup& group : comparison.groups) {
      for (const PolicyGain& one : group.gains) {
        const bool asked = one.metric == comparison.metric && one.baseline == baseline;
        if (asked && (policy.empty() || one.policy == policy)) of(group, one);
      }
    }
  }
}

Answer answer_of_values(const Comparison& comparison, const MetricWords& words) {
  const std::string baseline = value_text(comparison, comparison.baselines.at(0));
  double least = infinity, most = 0;
  std::size_t all = 0, differ = 0, sure = 0;
  std::vector<std::string> named;
  for_answer(comparison, "", [&](const ComparisonGroup& group, const PolicyGain& one) {
    ++all;
    if (!one.gain) return;
    least = std::min(least, one.gain->ratio), most = std::max(most, one.gain->ratio);
    if (ratios_of(one)) ++sure;
    if (!differs(one)) return;
    ++differ;
    const std::string at = labels_text(comparison, group);
    if (named.size() < most_named) {
      named.push_back(fmt::format("{}{}, {}{}", value_text(comparison, one.policy), at.empty() ? "" : " at " + at,
                                  change_words(one.gain->ratio, places_of(one), words), how_sure(group, one, words)));
    }
  });
  if (sure == 0) {
    return {"",
            {fmt::format("{}: {} to {} against {}, no interval", words.phrase, change_words(least, 1, words),
                         change_words(most, 1, words), baseline)}};
  }
  const std::string more = differ > named.size() ? fmt::format("; {} more", differ - named.size()) : "";
  return {"",
          {fmt::format("{}: {} of {} {} from {}{}{}{}", words.phrase, differ, all, differ == 1 ? "differs" : "differ",
                       baseline, named.empty() ? "" : ": ", join(named, "; "), more)}};
}

/// Why nothing is claimed at all.
Answer no_answer(const Comparison& comparison) {
  std::vector<std::string> why;
  for (const char* id : {"failed", "unfinished", "unstable", "no-baseline"}) {
    if (const Note* note = find(comparison.notes, id)) why.push_back(text_of(*note));
  }
  return {"no claim:", {why.empty() ? std::string("no pair of runs can be compared") : join(why, "; ")}};
}

}  // namespace

MetricWords words_of(const MetricHead& metric) {
  struct Name {
    const char *metric, *phrase, *column;
  };
  constexpr std::array names = {Name{"jct_mean_s", "mean completion time", "mean JCT"},
                                Name{"jct_p50_s", "median completion time", "median JCT"},
                                Name{"jct_log_mean_s", "geometric mean completion time", "geometric mean JCT"},
                                Name{"wait_mean_s", "mean wait", "mean wait"},
                                Name{"makespan_s", "makespan", "makespan"},
                                Name{"energy_j", "energy", "energy"}};
  const bool time = metric.unit == "s";
  MetricWords words{metric.name, metric.name, time ? "shorter" : "less", time ? "longer" : "more", ""};
  words.better = metric.larger_is_better ? words.more : words.less;
  const auto* known = std::ranges::find_if(names, [&](const Name& one) { return metric.name == one.metric; });
  if (known != names.end()) words.phrase = known->phrase, words.column = known->column;
  return words;
}

std::optional<std::pair<double, double>> ratios_of(const PolicyGain& one) {
  if (!one.gain) return std::nullopt;
  const bool together = one.comparisons > 1 && one.simultaneous && one.simultaneous->ratio_low;
  const Improvement& gain = together ? *one.simultaneous : *one.gain;
  if (!gain.ratio_low) return std::nullopt;
  return std::pair(*gain.ratio_low, *gain.ratio_high);
}

bool differs(const PolicyGain& gain) {
  const auto ends = ratios_of(gain);
  return ends && (ends->first > 1 || ends->second < 1);
}

std::string change_text(const PolicyGain& gain) {
  if (!gain.gain) return "no claim";
  if (ratios_of(gain) && !differs(gain)) return "~";
  return signed_percent(gain.gain->ratio - 1, places_of(gain)) + " %";
}

std::string change_interval_text(const PolicyGain& gain) {
  const auto ends = ratios_of(gain);
  if (!ends) return "";
  const int places = places_of(gain);
  return fmt::format("{} to {} %", signed_percent(ends->first - 1, places), signed_percent(ends->second - 1, places));
}

std::string labels_text(const Comparison& comparison, const ComparisonGroup& group) {
  std::vector<std::string> labels;
  for (const auto& label : group.labels) labels.push_back(label_text(label, comparison.trace_names));
  return join(labels);
}

std::string value_text(const Comparison& comparison, const std::string& value) {
  const auto name =
      comparison.compared == trace_key ? comparison.trace_names.find(value) : comparison.trace_names.end();
  return name == comparison.trace_names.end() ? value : name->second;
}

Answer answer_of(const Comparison& comparison) {
  const MetricWords words = words_of(head_of(comparison, comparison.metric));
  bool some = false;
  for_answer(comparison, "", [&](const auto&, const PolicyGain& one) { some = some || one.gain; });
  if (!some) return no_answer(comparison);
  if (comparison.compared != keys::placement.name && comparison.compared != keys::system.name) {
    return answer_of_values(comparison, words);
  }
  const std::string policy = answering_policy(comparison);
  Answer answer{fmt::format("{}: {}", policy, words.phrase), {}};
  std::map<std::string, std::vector<const PolicyGain*>> by_baseline;
  for_answer(comparison, policy, [&](const ComparisonGroup& group, const PolicyGain& one) {
    const std::string at = labels_text(comparison, group);
    answer.lines.push_back(gain_words(comparison, group, one, words) + (at.empty() ? "" : "; " + at));
    by_baseline[one.baseline].push_back(&one);
  });
  if (comparison.groups.size() == 1 || answer.lines.size() <= most_lines) return answer;
  answer.lines.clear();
  for (const std::string& baseline : comparison.baselines) {
    const auto& gains = by_baseline[baseline];
    if (gains.empty()) continue;
    answer.lines.push_back(
        fmt::format("against {}: {} of {}", baseline, counted_words(gains, words), counted(gains.size(), "group")));
  }
  return answer;
}

std::string runs_text(const Comparison& comparison) {
  constexpr std::array<std::pair<std::string_view, const char*>, 6> names = {
      {{keys::placement.name, "placement"},
       {keys::system.name, "system"},
       {trace_key, "trace"},
       {keys::seed.name, "seed"},
       {keys::cluster_seed.name, "cluster seed"},
       {keys::workload_seed.name, "workload seed"}}};
  std::vector<std::string> axes;
  for (const auto& [key, values] : comparison.axes) {
    const auto known = std::ranges::find(names, std::string_view(key), [](const auto& one) { return one.first; });
    axes.push_back(known != names.end() ? counted(values, known->second) : fmt::format("{} {}", values, key));
  }
  std::string text = counted(comparison.runs, "run") + (axes.empty() ? "" : ": " + join(axes, " x "));
  if (comparison.gpus) {
    const auto [least, most] = *comparison.gpus;
    text += "; " + (least == most ? grouped(least) : grouped(least) + " to " + grouped(most)) + " GPUs";
  }
  const std::size_t left_out = comparison.left_out.size();
  return text + (left_out > 0 ? fmt::format("; {} left out", counted(left_out, "run")) : "");
}

}  // namespace palstudy
