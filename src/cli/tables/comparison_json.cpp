// SPDX-License-Identifier: MIT
#include "cli/tables/comparison_json.hpp"

#include <nlohmann/json.hpp>

namespace palstudy {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json less(const std::optional<double>& ratio) { return ratio ? Json(1 - *ratio) : Json(nullptr); }

/// An improvement is 1 - ratio for every metric; a gain is over 0 where the policy is better, also where more is
/// better.
Json json_of(const PolicyGain& one) {
  Json json = {{"baseline", one.baseline}, {"policy", one.policy}, {"metric", one.metric}};
  if (!one.gain) {
    json.update({{"pairs", 0}, {"pairs_of", one.pairs_of}, {"left_out", one.left_out}, {"no_ratio", one.no_ratio}});
    return json;
  }
  const Improvement& gain = *one.gain;
  const bool more_is_better = gain.mean == gain.ratio - 1;  // both are 0 where nothing changes
  json.update({{"ratio", gain.ratio},
               {"ratio_low", number_or_null(gain.ratio_low)},
               {"ratio_high", number_or_null(gain.ratio_high)},
               {"improvement", 1 - gain.ratio},
               {"low", less(gain.ratio_high)},
               {"high", less(gain.ratio_low)},
               {"gain", gain.mean},
               {"gain_low", number_or_null(gain.low)},
               {"gain_high", number_or_null(gain.high)},
               {"worst", gain.least},
               {"best", gain.most},
               {"wins", gain.wins},
               {"ties", gain.ties},
               {"pairs", gain.pairs},
               {"pairs_of", one.pairs_of},
               {"left_out", one.left_out},
               {"no_ratio", one.no_ratio},
               {"least", more_is_better ? -gain.most : gain.least},
               {"most", more_is_better ? -gain.least : gain.most},
               {"replications", gain.replications},
               {"cluster_seeds", gain.clusters},
               {"workload_seeds", gain.workloads},
               {"method", gain.method},
               {"no_interval", gain.no_interval},
               {"scope", one.scope},
               {"coverage", one.coverage},
               {"comparisons", one.comparisons},
               {"low_simultaneous", one.simultaneous ? less(one.simultaneous->ratio_high) : Json(nullptr)},
               {"high_simultaneous", one.simultaneous ? less(one.simultaneous->ratio_low) : Json(nullptr)},
               {"gain_low_simultaneous", one.simultaneous ? number_or_null(one.simultaneous->low) : Json(nullptr)},
               {"gain_high_simultaneous", one.simultaneous ? number_or_null(one.simultaneous->high) : Json(nullptr)},
               {"p_holm", number_or_null(one.p_adjusted)},
               {"overloaded", one.overloaded},
               {"parts", one.parts.parts},
               {"parts_least", one.parts.least},
               {"parts_most", one.parts.most},
               {"opposite_signs", one.parts.opposite}});
  return json;
}

Json json_of(const Comparison& comparison, const ComparisonRow& row) {
  Json point = Json::object(), means = Json::object(), half_widths = Json::object();
  for (std::size_t i = 0; i < row.point.size(); ++i) point[comparison.row_keys[i]] = row.point[i];
  for (std::size_t i = 0; i < row.means.size(); ++i) {
    const auto& mean = row.means[i];
    means[comparison.policies[i]] = mean ? Json(mean->mean) : Json(nullptr);
    half_widths[comparison.policies[i]] = mean ? number_or_null(mean->half_width) : Json(nullptr);
  }
  return {{"metric", row.metric},       {"point", point}, {"means", means},
          {"half_widths", half_widths}, {"n", row.n},     {"n_of", row.n_of}};
}

Json json_of(const Comparison& comparison, const ComparisonGroup& group) {
  Json rows = Json::array(), gains = Json::array(), pooled = Json::array();
  for (const PooledAxis& axis : group.averaged_over) pooled.push_back({{"key", axis.key}, {"values", axis.values}});
  for (const ComparisonRow& row : group.rows) rows.push_back(json_of(comparison, row));
  for (const PolicyGain& one : group.gains) gains.push_back(json_of(one));
  return {{"by", group.labels}, {"averaged_over", pooled}, {"traces", group.traces}, {"rows", rows}, {"gains", gains}};
}

}  // namespace

std::string comparison_json(const Comparison& comparison) {
  Json groups = Json::array();
  for (const ComparisonGroup& group : comparison.groups) groups.push_back(json_of(comparison, group));
  const Json all = {{"study", comparison.study},
                    {"metric", comparison.metric},
                    {"unit", comparison.unit},
                    {"runs", comparison.runs},
                    {"assumptions", comparison.assumptions},
                    {"measured", comparison.jobs.measured},
                    {"offered_load", comparison.jobs.load},
                    {"overloaded", comparison.jobs.overloaded},
                    {"waiting", comparison.jobs.waiting},
                    {"compared", comparison.compared},
                    {"policies", comparison.policies},
                    {"groups", groups},
                    {"excluded", comparison.excluded},
                    {"until_end", comparison.until_end},
                    {"given", comparison.given},
                    {"stop", comparison.stopping},
                    {"uncalibrated", comparison.uncalibrated},
                    {"warnings", comparison.warnings},
                    {"run_warnings", comparison.run_warnings}};
  return all.dump(2) + "\n";
}

}  // namespace palstudy
