// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/comparison.hpp"

namespace palstudy {

/// How a metric is spoken of.
struct MetricWords {
  std::string phrase;       ///< "mean completion time"; its name if it has no other
  std::string column;       ///< "mean JCT"
  const char *less, *more;  ///< "shorter" and "longer" of times
  const char* better;       ///< the one of these that is better
};
[[nodiscard]] MetricWords words_of(const MetricHead& metric);

/// The ends of the interval of a change, as ratios: the one that holds together with all others of its metric. None
/// without an interval.
[[nodiscard]] std::optional<std::pair<double, double>> ratios_of(const PolicyGain& gain);
/// Whether the interval leaves out "no change".
[[nodiscard]] bool differs(const PolicyGain& gain);

/// "-42.9 %": by how much the metric changes. "~" if its interval holds 0, "no claim" if no pair is left.
[[nodiscard]] std::string change_text(const PolicyGain& gain);
/// "-1.55 to -1.05 %"; "" without an interval.
[[nodiscard]] std::string change_interval_text(const PolicyGain& gain);

/// "cluster.source = measured"; "" of a comparison that is not split.
[[nodiscard]] std::string labels_text(const Comparison& comparison, const ComparisonGroup& group);
/// What a value of the compared axis is called: a trace by its name.
[[nodiscard]] std::string value_text(const Comparison& comparison, const std::string& value);

/// The answer to the study in sentences, each a line: of the first policy that is no baseline, since the best one would
/// look better than it is; against each baseline, in each group. Of many groups it counts. Of the values of another
/// axis than placements and systems it says which differ.
struct Answer {
  std::string head;                ///< "pal: mean completion time"; "" if each line says all
  std::vector<std::string> lines;  ///< "42.9 % shorter than packed-sticky; 5.4 to 62.4 % by trace, no interval"
};
[[nodiscard]] Answer answer_of(const Comparison& comparison);

/// "48 runs: 6 placements x 8 traces; 64 GPUs; 3 runs left out"
[[nodiscard]] std::string runs_text(const Comparison& comparison);

}  // namespace palstudy
