// SPDX-License-Identifier: MIT
#include "cli/tables/comparison_json.hpp"

#include <nlohmann/json.hpp>

#include "archive/note_json.hpp"
#include "words/assumptions_text.hpp"
#include "words/comparison_words.hpp"
#include "words/load_text.hpp"
#include "words/note_text.hpp"

namespace palstudy {
namespace {

using Json = nlohmann::ordered_json;

Json number_or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

/// {"policy.order": "las", "cluster.slowdown_max": "> 2"}
Json json_of(const std::vector<GroupLabel>& labels) {
  Json at = Json::object();
  for (const auto& [key, relation, value] : labels) at[key] = relation == "=" ? value : relation + " " + value;
  return at;
}

Json json_of(const GroupScope& scope) {
  Json alike = Json::array(), also = Json::array();
  for (const auto& [each, of, classes] : scope.alike)
    alike.push_back({{"each", each}, {"of", of}, {"classes", classes}});
  for (const OtherDraws one : scope.others) also.push_back(name_of(one));
  Json workloads = {{"drawn", name_of(scope.workloads)}, {"traces", scope.trace || !scope.known ? scope.traces : 0}};
  if (scope.workloads == DrawnWorkloads::generated) workloads["generator"] = scope.generator;
  if (scope.workloads == DrawnWorkloads::resamples) workloads["resample"] = name_of(scope.resampling);
  return {{"known", scope.known},
          {"clusters", {{"drawn", name_of(scope.clusters)}, {"fixed", scope.fixed_clusters}, {"alike", alike}}},
          {"workloads", workloads},
          {"also", also}};
}

using Blocks = std::optional<TraceBlocks>;

Json interval_json(const PolicyGain& one, const Blocks& blocks) {
  const Improvement& gain = *one.gain;
  if (!gain.ratio_low) return nullptr;
  const auto ends = [](const Improvement& of) { return Json({*of.ratio_low, *of.ratio_high}); };
  const bool together = one.simultaneous && one.simultaneous->ratio_low;
  return {{"alone", ends(gain)},
          {"together", together ? ends(*one.simultaneous) : Json(nullptr)},
          {"comparisons", one.comparisons},
          {"method", name_of(gain.method)},
          {"coverage", name_of(one.coverage)},
          {"text", scope_text(*one.over)},
          {"coverage_text", coverage_text(one.coverage, blocks)}};
}

Json json_of(const NoInterval& missing, const Blocks& blocks) {
  if (!missing) return nullptr;
  Json json = {{"why", name_of(missing.why)}};
  if (missing.need > 0) json.update({{"of", counted_by(missing.why)}, {"have", missing.have}, {"need", missing.need}});
  json["text"] = no_interval_text(missing, blocks);
  return json;
}

Json seeds_json(const PolicyGain& one) {
  const auto& [used, lost, partly, reasons] = one.seeds;
  Json why = Json::array(), json = {{"used", used}, {"left_out", lost}, {"partly", partly}};
  for (const NoClaim reason : reasons) why.push_back(name_of(reason));
  json["why"] = why;
  if (!one.gain) return json;
  const char* by[] = {"together", "clusters", "workloads", "crossed"};
  json.update({{"replications", one.gain->replications},
               {"replicated", by[static_cast<std::size_t>(one.gain->by)]},
               {"clusters", one.gain->clusters},
               {"workloads", one.gain->workloads}});
  return json;
}

/// Why a gain has no pair of runs.
Json no_claim_json(const PolicyGain& one) {
  if (one.gain) return nullptr;
  if (one.left_out == 0) return one.no_ratio > 0 ? "zero-values" : "no-pairs";
  for (const NoClaim why : one.seeds.why) {
    if (why != NoClaim::none) return name_of(why);
  }
  return "cut-alone";  // one run of each pair was cut, and the other not
}

Json json_of(const PolicyGain& one, const Blocks& blocks) {
  Json json = {{"metric", one.metric}, {"value", one.policy}, {"baseline", one.baseline}};
  const Improvement gain = one.gain.value_or(Improvement{});
  const auto if_claimed = [&](const Json& value) { return one.gain ? value : Json(nullptr); };
  json.update({{"ratio", if_claimed(gain.ratio)},
               {"interval", one.gain ? interval_json(one, blocks) : Json(nullptr)},
               {"no_interval", json_of(gain.no_interval, blocks)},
               {"no_claim", no_claim_json(one)},
               {"pairs", gain.pairs},
               {"pairs_of", one.pairs_of},
               {"left_out", one.left_out},
               {"no_ratio", one.no_ratio},
               {"better", gain.wins},
               {"equal", gain.ties},
               {"pair_ratios", if_claimed({gain.least_ratio, gain.most_ratio})},
               {"seeds", seeds_json(one)},
               {"parts", if_claimed({{"n", one.parts.parts},
                                     {"ratios", {one.parts.least_ratio, one.parts.most_ratio}},
                                     {"opposite", one.parts.opposite}})},
               {"p_holm", number_or_null(one.p_adjusted)},
               {"overloaded", nullptr}});
  if (one.overloaded) {
    json["overloaded"] = {{"id", one.overloaded->id},
                          {"values", Value(one.overloaded->values)},
                          {"text", overload_of_pair_text(*one.overloaded)}};
  }
  return json;
}

/// One for each policy at a point.
void add_means(const Comparison& comparison, const ComparisonRow& row, Json& to) {
  Json point = Json::object();
  for (std::size_t i = 0; i < row.point.size(); ++i) point[comparison.row_keys[i]] = row.point[i];
  for (std::size_t i = 0; i < row.means.size(); ++i) {
    const auto& mean = row.means[i];
    to.push_back({{"metric", row.metric},
                  {"at", point},
                  {"value", comparison.policies[i]},
                  {"mean", mean ? Json(mean->mean) : Json(nullptr)},
                  {"half_width", mean ? number_or_null(mean->half_width) : Json(nullptr)},
                  {"runs", row.n},
                  {"runs_of", row.n_of}});
  }
}

Json json_of(const Comparison& comparison, const ComparisonGroup& group) {
  Json means = Json::array(), gains = Json::array(), pooled = Json::array(), of_all = Json::array();
  for (const AxisCount& axis : group.averaged_over) pooled.push_back({{"key", axis.key}, {"values", axis.values}});
  for (const ComparisonRow& row : group.rows) add_means(comparison, row, means);
  for (const PolicyGain& one : group.gains) gains.push_back(json_of(one, comparison.resampled));
  for (const auto& [metric, policy, mean, geometric, runs] : group.means) {
    of_all.push_back({{"metric", metric},
                      {"value", policy},
                      {"mean", number_or_null(mean)},
                      {"geometric", geometric},
                      {"runs", runs}});
  }
  return {{"at", json_of(group.labels)}, {"over", json_of(group.scope)},
          {"averaged_over", pooled},     {"means", means},
          {"pooled_means", of_all},      {"gains", gains}};
}

Json json_of(const LeftOutRun& run) {
  Json at = Json::object();
  for (const auto& [key, value] : run.point) at[key] = value;
  return {{"run", run.run},
          {"at", at},
          {"why", name_of(run.why)},
          {"jobs_unfinished", Value(run.jobs_unfinished)},
          {"growth_per_h", Value(run.growth_per_h)},
          {"text", left_out_text(run, {})}};
}

std::vector<WordedNote> notes_of(const Comparison& comparison) {
  std::vector<WordedNote> all = worded(comparison.notes);
  all.insert(all.end(), comparison.input_notes.begin(), comparison.input_notes.end());
  return all;
}

}  // namespace

std::string comparison_json(const Comparison& comparison) {
  Json groups = Json::array(), metrics = Json::array(), left_out = Json::array();
  for (const ComparisonGroup& group : comparison.groups) groups.push_back(json_of(comparison, group));
  for (const auto& [name, unit, larger] : comparison.metrics) {
    metrics.push_back({{"name", name}, {"unit", unit}, {"better", larger ? "more" : "less"}});
  }
  for (const LeftOutRun& run : comparison.left_out) left_out.push_back(json_of(run));
  Json axes = Json::array();
  for (const auto& [key, values] : comparison.axes) axes.push_back({{"key", key}, {"values", values}});
  Json assumed = Json::array();
  for (const auto& [what, text] : assumption_clauses(comparison.assumptions)) assumed.push_back({what, text});
  const Json all = {
      {"schema", "palstudy.compare/2"},
      {"study",
       {{"name", comparison.study},
        {"title", comparison.title},
        {"question", comparison.question},
        {"runs", comparison.runs},
        {"axes", axes},
        {"gpus", comparison.gpus ? Json(*comparison.gpus) : Json(nullptr)},
        {"digest", comparison.digest}}},
      {"metrics", metrics},
      {"compared",
       {{"key", comparison.compared}, {"values", comparison.policies}, {"baselines", comparison.baselines}}},
      {"measured",
       {{"from_empty", comparison.from_empty}, {"with_rows", comparison.loaded}, {"text", measured_text(comparison)}}},
      {"load", {{"values", Value(comparison.load_values)}, {"text", offered_text(comparison)}}},
      {"groups", groups},
      {"left_out", left_out},
      {"assumptions", Value(comparison.assumptions)},
      {"assumptions_text", assumed},
      {"stop", stop_text(comparison)},
      {"notes", notes_of(comparison)}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace palstudy
