// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "cli/comparison_text.hpp"

namespace palstudy {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json json_of(const PolicyGain& one) {
  Json json = {{"baseline", one.baseline}, {"policy", one.policy}, {"metric", one.metric}};
  if (!one.gain) {
    json["pairs"] = 0;
    return json;
  }
  const Improvement& gain = *one.gain;
  json.update({{"improvement", gain.mean},
               {"least", gain.least},
               {"most", gain.most},
               {"pairs", gain.pairs},
               {"replications", gain.replications},
               {"low", number_or_null(gain.low)},
               {"high", number_or_null(gain.high)},
               {"no_interval", gain.no_interval}});
  return json;
}

Json json_of(const Comparison& comparison, const ComparisonGroup& group) {
  Json rows = Json::array();
  for (const ComparisonRow& row : group.rows) {
    Json point = Json::object(), means = Json::object();
    for (std::size_t i = 0; i < row.point.size(); ++i) point[comparison.row_keys[i]] = row.point[i];
    for (std::size_t i = 0; i < row.means.size(); ++i) means[comparison.policies[i]] = number_or_null(row.means[i]);
    rows.push_back({{"point", point}, {"means", means}});
  }
  Json gains = Json::array();
  for (const PolicyGain& one : group.gains) gains.push_back(json_of(one));
  return {{"by", group.labels}, {"rows", rows}, {"gains", gains}};
}

}  // namespace

std::string comparison_json(const Comparison& comparison) {
  Json groups = Json::array();
  for (const ComparisonGroup& group : comparison.groups) groups.push_back(json_of(comparison, group));
  const Json all = {{"study", comparison.study},      {"metric", comparison.metric},     {"unit", comparison.unit},
                    {"runs", comparison.runs},        {"policies", comparison.policies}, {"groups", groups},
                    {"excluded", comparison.excluded}};
  return all.dump(2) + "\n";
}

}  // namespace palstudy
