// SPDX-License-Identifier: MIT
#include "cli/tables/plan_text.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "analysis/interval_scope.hpp"
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
  std::string seeds;
  for (const auto& look : study.stop->looks) seeds += (seeds.empty() ? "" : ", ") + std::to_string(look.seeds);
  return fmt::format(
      "[stop]: that is the most. {} runs (about {} core-hours) with {} seeds at least; it looks at {} seeds, and "
      "ends once {} of every comparison is known to within {:.3g} %\n",
      least.runs, in_digits(core_s_of(plan, least.runs) / hour_s), least.seeds, seeds, study.stop->metric,
      100 * study.stop->relative_half_width);
}

std::string sources_text(const StudyPlan& plan, bool quick) {
  if (quick) {
    return "nothing was simulated (--quick): by formula, so seconds are a rough guess, often several times too few, "
           "and disk and memory may be too little where jobs fail or are moved\n";
  }
  std::vector<std::string> parts;
  for (const auto& [from, words] : {std::pair(CostFrom::ended, "by a run that ended"),
                                    {CostFrom::at_least, "by one that was cut, so at least that much"},
                                    {CostFrom::formula, "by formula alone"}}) {
    const std::size_t points = plan.points_from(from);
    if (points > 0) parts.push_back(fmt::format("{} {}", counted(points, "point"), words));
  }
  return fmt::format("simulated: one seed of each point, for {:.2g} s; {}\n", plan.seconds, join(parts, "; "));
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
  Json notes = Json::array();
  for (const WordedNote& one : worded(of_inputs)) notes.push_back(Json::parse(json_text(one)));
  const Json total = {
      {"runs", study.runs.size()},          {"core_h", plan.cost.core_s / hour_s},
      {"core_s", plan.cost.core_s},         {"at_least", plan.points_from(CostFrom::ended) < plan.points.size()},
      {"memory_mib", plan.cost.memory_mib}, {"merge_memory_mib", plan.cost.merge_mib},
      {"disk_mib", plan.cost.disk_mib},     {"shards_mib", plan.cost.shards_mib}};
  Json all = {{"study", study.name},
              {"title", study.title},
              {"question", study.question},
              {"measured", lines.measured},
              {"offered_load", lines.load},
              {"seeds", lines.seeds},
              {"intervals", lines.intervals},
              {"overloaded", plan.outcomes.overloaded_line()},
              {"no_claim", plan.outcomes.no_claim_line()},
              {"will_fail", plan.outcomes.standing_line()},
              {"simulated", plan.points.size() - plan.points_from(CostFrom::formula)},
              {"runs", runs_json(study, plan)},
              {"total", total},
              {"notes", std::move(notes)}};
  if (study.stop) all["stop"] = looks_json(study, plan);
  return all.dump(2) + "\n";
}

// Those that say something.
std::string split(const std::vector<std::string>& texts) {
  std::string lines;
  for (const std::string& text : texts) lines += text.empty() ? "" : text + "\n";
  return lines;
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

std::string seeds_line(const Study& study, Inputs& inputs) {
  const auto note = idle_seeds(study, inputs);
  return note ? text_of(*note) : "";
}

}  // namespace

std::string plan_text(const Study& study, bool json, bool quick) {
  Inputs inputs(study);
  for (const Note& note : inputs.check()) spdlog::warn("{}", text_of(note));
  const InputLines lines{measured_line(inputs.measured()), load_line(inputs.measured()), seeds_line(study, inputs),
                         no_interval_line(study, inputs)};
  PlanOptions options;
  if (quick) options.budget_s = 0;
  std::optional<ProgressReport> step(std::in_place, "simulating one seed of each point", !quick);
  options.on_progress = [&](std::size_t done, std::size_t of) { step->at(done, of); };
  const StudyPlan plan = plan_study(study, inputs, options);
  step.reset();
  if (json) return plan_json(study, plan, lines, inputs.notes());
  const StudyCost& cost = plan.cost;
  return to_text(points_table(study, plan)) +
         fmt::format(
             "{} at {}, {} {} core-hours; memory: {} a rank, {} to write the archive; disk: {}, and {} for "
             "shards until then\n",
             counted(study.runs.size(), "run"), counted(plan.points.size(), "point"),
             plan.points_from(CostFrom::at_least) > 0 ? "at least" : "about", in_digits(cost.core_s / hour_s),
             mib_text(cost.memory_mib), mib_text(cost.merge_mib), mib_text(cost.disk_mib), mib_text(cost.shards_mib)) +
         sources_text(plan, quick) + looks_text(study, plan) +
         split({lines.measured, lines.load, plan.outcomes.overloaded_line(), plan.outcomes.no_claim_line(),
                plan.outcomes.standing_line(), lines.seeds, lines.intervals});
}

}  // namespace palstudy
