// SPDX-License-Identifier: MIT
#include "cli/tables/validation_tables.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/tables/text_table.hpp"
#include "core/text.hpp"
#include "words/phrases.hpp"
#include "words/validation_text.hpp"

namespace palstudy {
namespace {

using Json = nlohmann::ordered_json;

TextTable groups_table(const Validation& validation) {
  TextTable table{{"split", "group", "jobs", "recorded wait", "simulated wait", ""}, {}, 2};
  for (const ValidatedGroup& group : validation.splits) {
    table.rows.push_back({name_of(group.by), group.name, std::to_string(group.jobs),
                          duration_text(group.recorded_wait_s), duration_text(group.simulated_wait_s),
                          !group.decides ? "too few"
                          : group.holds  ? "holds"
                                         : "differs"});
  }
  return table;
}

/// Every sixth of the log: the stretches are for programs.
TextTable use_table(const Validation& validation) {
  constexpr std::size_t lines = 6;
  TextTable table{{"day", "queue recorded", "simulated", "GPUs in use recorded", "simulated"}, {}, 0};
  const std::size_t each = validation.use.size() / lines;
  for (std::size_t begin = 0; each > 0 && begin + each <= validation.use.size(); begin += each) {
    UseOfStretch sum;
    for (std::size_t i = begin; i < begin + each; ++i) {
      const UseOfStretch& one = validation.use[i];
      sum.recorded_queue += one.recorded_queue, sum.simulated_queue += one.simulated_queue;
      sum.recorded_gpus += one.recorded_gpus, sum.simulated_gpus += one.simulated_gpus;
    }
    const auto mean = [&](double of) { return fmt::format("{:.1f}", of / static_cast<double>(each)); };
    table.rows.push_back({fmt::format("{:.1f}", validation.use[begin].from_s / 86400), mean(sum.recorded_queue),
                          mean(sum.simulated_queue), mean(sum.recorded_gpus), mean(sum.simulated_gpus)});
  }
  return table;
}

Json group_json(const ValidatedGroup& group) {
  return {{"by", name_of(group.by)},
          {"group", group.name},
          {"jobs", group.jobs},
          {"recorded_wait_s", group.recorded_wait_s},
          {"simulated_wait_s", group.simulated_wait_s},
          {"decides", group.decides},
          {"holds", group.holds}};
}

Json largest_json(const Validation& validation) {
  Json largest = Json::array();
  for (const LargestDifference& one : validation.largest) {
    Json causes = Json::array();
    for (const UsualCause cause : one.causes) causes.push_back(name_of(cause));
    largest.push_back({{"by", name_of(one.group.by)}, {"group", one.group.name}, {"causes", causes}});
  }
  return largest;
}

}  // namespace

std::string validation_text(const Validation& validation, std::size_t columns) {
  std::string text = paragraph("", verdict_text(validation), columns);
  text += paragraph("rule  ", rule_text(validation), columns);
  std::string compared = fmt::format("{} compared", counted(validation.jobs, "job"));
  if (validation.initial > 0) compared += fmt::format(", {} were there at time 0", validation.initial);
  if (validation.unstarted > 0) compared += fmt::format(", {} never started in the simulation", validation.unstarted);
  text += paragraph(
      "jobs  ", compared + "; starts are " + duration_text(validation.start_error_s) + " off in the median", columns);
  text += paragraph("use   ",
                    fmt::format("{} of the GPUs as recorded, {} as simulated", percent_text(validation.recorded_use),
                                percent_text(validation.simulated_use)),
                    columns);
  if (!validation.splits.empty()) text += "\n" + to_text(groups_table(validation), columns);
  if (!validation.largest.empty()) text += "\nlargest differences\n";
  for (const LargestDifference& one : validation.largest) text += paragraph("  ", difference_text(one), columns);
  if (!validation.use.empty()) text += "\n" + to_text(use_table(validation), columns);
  return text;
}

std::string validation_json(const Validation& validation, const ValidatedFor& of) {
  Json groups = Json::array(), use = Json::array();
  for (const ValidatedGroup& group : validation.splits) groups.push_back(group_json(group));
  for (const UseOfStretch& one : validation.use) {
    use.push_back({{"from_s", one.from_s},
                   {"to_s", one.to_s},
                   {"recorded_queue", one.recorded_queue},
                   {"simulated_queue", one.simulated_queue},
                   {"recorded_gpus", one.recorded_gpus},
                   {"simulated_gpus", one.simulated_gpus}});
  }
  const Json all = {
      {"schema", "palstudy.validation/1"},
      {"verdict", name_of(validation.verdict)},
      {"trace_sha256", of.trace},
      {"scheduler_sha256", of.scheduler},
      {"jobs", validation.jobs},
      {"initial", validation.initial},
      {"unstarted", validation.unstarted},
      {"wait", {{"recorded_s", validation.recorded_wait_s}, {"simulated_s", validation.simulated_wait_s}}},
      {"start_error_median_s", validation.start_error_s},
      {"gpus_in_use", {{"recorded", validation.recorded_use}, {"simulated", validation.simulated_use}}},
      {"rule",
       {{"all_share", ValidationRule::all_share},
        {"all_s", ValidationRule::all_s},
        {"group_share", ValidationRule::group_share},
        {"group_of_all", ValidationRule::group_of_all},
        {"group_jobs", ValidationRule::group_jobs},
        {"groups", ValidationRule::groups},
        {"decide", validation.groups},
        {"hold", validation.groups_that_hold}}},
      {"groups", groups},
      {"largest", largest_json(validation)},
      {"stretches", use}};
  return all.dump(2) + "\n";
}

}  // namespace palstudy
