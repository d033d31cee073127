// SPDX-License-Identifier: MIT
#include "cli/tables/plan_text.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "analysis/interval_scope.hpp"
#include "archive/note_json.hpp"
#include "campaign/cost.hpp"
#include "campaign/planned_outcomes.hpp"
#include "cli/tables/text_table.hpp"
#include "core/numbers.hpp"
#include "core/progress_report.hpp"
#include "core/text.hpp"
#include "study/axes.hpp"
#include "words/measured_text.hpp"
#include "words/note_text.hpp"

namespace palstudy {
namespace {

using Json = nlohmann::ordered_json;

const char* name_of(CostFrom from) {
  return std::array{"formula", "at least", "ended"}[static_cast<std::size_t>(from)];
}

double core_s_of(const StudyPlan& plan, std::size_t runs) {
  double core_s = 0;
  for (std::size_t i = 0; i < runs; ++i) core_s += plan.cost.runs[i].core_s;
  return core_s;
}

Json looks_json(const Study& study, const StudyPlan& plan) {
  Json looks = Json::array();
  for (const auto& look : study.stop->looks) {
    looks.push_back({{"seeds", look.seeds}, {"runs", look.runs}, {"core_s", core_s_of(plan, look.runs)}});
  }
  return {{"metric", study.stop->metric},
          {"relative_half_width", study.stop->relative_half_width},
          {"axis", study.stop->seed_key},
          {"looks", looks}};
}

std::string looks_text(const Study& study, const StudyPlan& plan) {
  if (!study.stop) return "";
  const auto& least = study.stop->looks.front();
  std::vector<std::string> seeds;
  for (const auto& look : study.stop->looks) seeds.push_back(std::to_string(look.seeds));
  return fmt::format("at {} seeds, until {} is known to {:.3g} %; {} at least, {}", join(seeds), study.stop->metric,
                     100 * study.stop->relative_half_width, counted(least.runs, "run"),
                     duration_text(core_s_of(plan, least.runs)));
}

std::string sources_text(const StudyPlan& plan, bool quick) {
  if (quick) return "by formula, a rough guess (--quick)";
  std::vector<std::string> parts;
  for (const auto& [from, words] : {std::pair(CostFrom::ended, "by a trial run"),
                                    {CostFrom::at_least, "by one that was cut, so at least that much"},
                                    {CostFrom::formula, "by formula alone"}}) {
    const std::size_t points = plan.points_from(from);
    if (points > 0) parts.push_back(fmt::format("{} {}", counted(points, "point"), words));
  }
  return join(parts, "; ");
}

// All runs, in their order: a program may want their ids.
Json runs_json(const Study& study, const StudyPlan& plan) {
  std::vector<const PlannedPoint*> point_of(study.runs.size(), nullptr);
  for (const PlannedPoint& point : plan.points) {
    for (const std::size_t run : point.runs) point_of[run] = &point;
  }
  Json runs = Json::array();
  for (std::size_t i = 0; i < study.runs.size(); ++i) {
    const RunPlan& run = study.runs[i];
    const RunCost& cost = plan.cost.runs[i];
    Json axes = Json::object();
    for (std::size_t a = 0; a < study.axes.size(); ++a) {
      std::visit([&](const auto& value) { axes[study.axes[a].key] = value; }, run.values[a]);
    }
    Json one = {{"run", run.number},         {"id", run.id},
                {"seed", run.seed},          {"axes", axes},
                {"core_s", cost.core_s},     {"memory_mib", cost.memory_mib},
                {"disk_mib", cost.disk_mib}, {"estimate", name_of(point_of[i]->from)}};
    if (point_of[i]->from != CostFrom::formula) one["like"] = study.runs[point_of[i]->runs.front()].number;
    runs.push_back(std::move(one));
  }
  return runs;
}

// What a plan says of its inputs: a line each, "" where there is nothing to say.
struct InputLines {
  std::string measured, load, seeds, intervals;
};

std::string plan_json(const Study& study, const StudyPlan& plan, const InputLines& lines,
                      const std::vector<Note>& of_inputs) {
  const Json total = {
      {"runs", study.runs.size()},          {"core_h", plan.cost.core_s / hour_s},
      {"core_s", plan.cost.core_s},         {"at_least", plan.points_from(CostFrom::ended) < plan.points.size()},
      {"memory_mib", plan.cost.memory_mib}, {"merge_memory_mib", plan.cost.merge_mib},
      {"disk_mib", plan.cost.disk_mib},     {"shards_mib", plan.cost.shards_mib}};
  const auto overloaded = plan.outcomes.overloaded();
  Json all = {{"study", study.name},
              {"title", study.title},
              {"question", study.question},
              {"measured", lines.measured},
              {"offered_load", lines.load},
              {"seeds", lines.seeds},
              {"intervals", lines.intervals},
              {"overloaded", overloaded ? text_of(*overloaded) : ""},
              {"no_claim", plan.outcomes.no_claim_line()},
              {"will_fail", plan.outcomes.standing_line()},
              {"simulated", plan.points.size() - plan.points_from(CostFrom::formula)},
              {"runs", runs_json(study, plan)},
              {"total", total},
              {"notes", worded(of_inputs)}};
  if (study.stop) all["stop"] = looks_json(study, plan);
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

// A line a point; seconds and bytes of all its runs.
TextTable points_table(const Study& study, const StudyPlan& plan) {
  TextTable table;
  std::vector<std::size_t> axes;  // without seeds
  for (std::size_t a = 0; a < study.axes.size(); ++a) {
    if (is_seed_key(study.axes[a].key)) continue;
    axes.push_back(a);
    table.header.push_back(study.axes[a].key);
  }
  for (const char* name : {"runs", "estimate", "core_s", "memory_mib", "disk_mib"}) table.header.emplace_back(name);
  for (const PlannedPoint& point : plan.points) {
    std::vector<std::string> row;
    for (const std::size_t a : axes) row.push_back(axis_text(study.runs[point.runs.front()].values[a]));
    RunCost all;
    for (const std::size_t run : point.runs) {
      all.core_s += plan.cost.runs[run].core_s;
      all.memory_mib = std::max(all.memory_mib, plan.cost.runs[run].memory_mib);
      all.disk_mib += plan.cost.runs[run].disk_mib;
    }
    row.push_back(std::to_string(point.runs.size()));
    row.emplace_back(name_of(point.from));
    for (const double number : {all.core_s, all.memory_mib, all.disk_mib}) row.push_back(in_digits(number));
    table.rows.push_back(std::move(row));
  }
  return table;
}

// A line a point, or of many the one that takes longest.
std::string points_text(const Study& study, const StudyPlan& plan, std::size_t columns) {
  constexpr std::size_t most = 15;
  const TextTable table = points_table(study, plan);
  if (table.rows.size() <= most) return to_text(table, columns);
  const auto cost_of = [&](const PlannedPoint& point) {
    double core_s = 0;
    for (const std::size_t run : point.runs) core_s += plan.cost.runs[run].core_s;
    return core_s;
  };
  const auto longest = std::ranges::max_element(plan.points, {}, cost_of);
  const auto& row = table.rows[static_cast<std::size_t>(longest - plan.points.begin())];
  std::vector<std::string> at;
  for (std::size_t i = 0; table.header[i] != "runs"; ++i) at.push_back(table.header[i] + " = " + row[i]);
  return paragraph("longest   ",
                   fmt::format("{} of {} s: {}; all {} points: --json", in_digits(cost_of(*longest)),
                               in_digits(plan.cost.core_s), join(at), plan.points.size()),
                   columns);
}

}  // namespace

std::string plan_text(const Study& study, bool json, bool quick, std::size_t columns) {
  Inputs inputs(study);
  (void)inputs.check();
  const auto seeds = idle_seeds(study, inputs);
  const InputLines lines{measured_line(inputs.measured()), load_line(inputs.measured()), seeds ? text_of(*seeds) : "",
                         no_interval_line(study, inputs)};
  PlanOptions options;
  if (quick) options.budget_s = 0;
  std::optional<ProgressReport> step(std::in_place, "simulating one seed of each point", !quick);
  options.on_progress = [&](std::size_t done, std::size_t of) { step->at(done, of); };
  const StudyPlan plan = plan_study(study, inputs, options);
  step.reset();
  if (json) return plan_json(study, plan, lines, inputs.notes());
  const StudyCost& cost = plan.cost;
  const std::string& title = !study.question.empty() ? study.question : !study.title.empty() ? study.title : study.name;
  std::string text = paragraph("", title, columns);
  text += paragraph(
      "",
      fmt::format("{} at {}: {} {} on one core; {}", counted(study.runs.size(), "run"),
                  counted(plan.points.size(), "point"), plan.points_from(CostFrom::at_least) > 0 ? "at least" : "about",
                  duration_text(cost.core_s), sources_text(plan, quick)),
      columns);
  const std::string needs = fmt::format("{} a rank, {} to write the archive; disk {}, and {} for shards until then",
                                        mib_text(cost.memory_mib), mib_text(cost.merge_mib), mib_text(cost.disk_mib),
                                        mib_text(cost.shards_mib));
  text += "\n" + paragraph("needs     ", needs, columns) + points_text(study, plan, columns);
  std::vector<Note> notes = inputs.notes();
  if (seeds) notes.push_back(*seeds);
  const auto overloaded = plan.outcomes.overloaded();
  if (overloaded) notes.push_back(*overloaded);
  for (const auto& line : {lines.measured, lines.load, overloaded ? "simulated here: " + text_of(*overloaded) : "",
                           plan.outcomes.no_claim_line(), plan.outcomes.standing_line(), lines.intervals}) {
    if (!line.empty()) text += paragraph("", line, columns);
  }
  if (const std::string looks = looks_text(study, plan); !looks.empty())
    text += paragraph("looks     ", looks, columns);
  if (const std::string ids = ids_text(notes); !ids.empty()) {
    text += paragraph("", fmt::format("notes: {}; palstudy explain NOTE", ids), columns);
  }
  return text;
}

}  // namespace palstudy
