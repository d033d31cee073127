// SPDX-License-Identifier: MIT
#include "cli/plan_text.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "cli/axis_text.hpp"
#include "cli/text_table.hpp"
#include "core/text.hpp"
#include "study/long_step.hpp"
#include "study/study_plan.hpp"

namespace palstudy {
namespace {

using Json = nlohmann::ordered_json;

// Which jobs are measured, and under what load.
struct Measured {
  std::string jobs, load;
  explicit Measured(const Inputs& inputs)
      : jobs(measured_line(inputs.measured())), load(load_line(inputs.measured())) {}
  [[nodiscard]] std::string text() const { return jobs + "\n" + (load.empty() ? "" : load + "\n"); }
};

// Tells on a terminal, or in the log, how far the rehearsals are.
StudyPlan make_plan(const Study& study, Inputs& inputs, bool quick) {
  LongStep step(quick ? "estimating runs by formula" : "rehearsing runs");
  return plan_study(study, inputs, {quick, [&](std::size_t done, std::size_t of) { step.at(done, of); }});
}

double core_s_of(const StudyPlan& plan, std::size_t runs) {
  double core_s = 0;
  for (std::size_t i = 0; i < runs; ++i) core_s += plan.needs.runs[i].core_s;
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
      least.runs, in_digits(core_s_of(plan, least.runs) / 3600), least.seeds, seeds, study.stop->metric,
      100 * study.stop->relative_half_width);
}

std::string source_text(const Study& study, const StudyPlan& plan, std::size_t run) {
  const auto& source = plan.sources[run];
  const bool other = source.like && *source.like != run;
  return std::string(name_of(source.from)) +
         (other ? fmt::format(" like {}", study.runs[*source.like].number) : std::string());
}

// How each estimate came about, by number.
std::string sources_text(const StudyPlan& plan, bool quick) {
  if (quick) {
    return fmt::format(
        "estimates: {} by formula; --quick rehearses none, so seconds and disk of runs that are hard to foretell may "
        "be "
        "far off\n",
        plan.sources.size());
  }
  std::map<EstimateFrom, std::size_t> counts;
  for (const auto& source : plan.sources) ++counts[source.from];
  std::vector<std::string> parts;
  const auto add = [&](EstimateFrom from, const char* words) {
    if (counts[from] > 0) parts.push_back(fmt::format("{} {}", counts[from], words));
  };
  add(EstimateFrom::rehearsed, "from a rehearsal");
  add(EstimateFrom::begun, "from one that was cut");
  add(EstimateFrom::scaled, "scaled from the nearest rehearsed run");
  add(EstimateFrom::computed, "by formula");
  std::string text = "estimates: " + join(parts);
  if (plan.rehearsed > 0)
    text += fmt::format("; {} rehearsed in {:.2g} s", counted(plan.rehearsed, "run"), plan.seconds);
  return text + "\n";
}

std::string plan_json(const Study& study, const StudyPlan& plan, const Measured& measured) {
  Json runs = Json::array();
  for (std::size_t i = 0; i < study.runs.size(); ++i) {
    const RunPlan& run = study.runs[i];
    Json axes = Json::object();
    for (std::size_t a = 0; a < study.axes.size(); ++a) {
      std::visit([&](const auto& value) { axes[study.axes[a].key] = value; }, run.values[a]);
    }
    Json one = {{"run", run.number}, {"id", run.id}, {"seed", run.seed}, {"axes", axes}};
    const RunEstimate& needs = plan.needs.runs[i];
    one.update({{"core_s", needs.core_s}, {"memory_mib", needs.memory_mib}, {"disk_mib", plan.disk.runs_mib[i]}});
    one["estimate"] = name_of(plan.sources[i].from);
    if (plan.sources[i].like) one["like"] = study.runs[*plan.sources[i].like].number;
    runs.push_back(std::move(one));
  }
  const Json total = {{"runs", study.runs.size()},
                      {"core_h", plan.needs.core_s / 3600},
                      {"core_s", plan.needs.core_s},
                      {"memory_mib", plan.needs.memory_mib},
                      {"merge_memory_mib", plan.needs.merge_mib},
                      {"disk_mib", plan.disk.total_mib},
                      {"shards_mib", plan.needs.shards_mib}};
  Json all = {{"study", study.name},
              {"title", study.title},
              {"measured", measured.jobs},
              {"offered_load", measured.load},
              {"rehearsed", plan.rehearsed},
              {"runs", runs},
              {"total", total}};
  if (study.stop) all["stop"] = looks_json(study, plan);
  return all.dump(2) + "\n";
}

}  // namespace

std::string plan_text(const Study& study, bool json, bool quick) {
  Inputs inputs(study);
  inputs.check();
  const Measured measured(inputs);
  const StudyPlan plan = make_plan(study, inputs, quick);
  if (json) return plan_json(study, plan, measured);
  TextTable table{{"run", "id"}, {}};
  for (const Axis& axis : study.axes) table.header.push_back(axis.key);
  table.header.emplace_back("estimate");
  for (const char* name : {"core_s", "memory_mib", "disk_mib"}) table.header.emplace_back(name);
  for (std::size_t i = 0; i < study.runs.size(); ++i) {
    std::vector<std::string> row = {std::to_string(study.runs[i].number), study.runs[i].id};
    for (const AxisValue& value : study.runs[i].values) row.push_back(axis_text(value));
    row.push_back(source_text(study, plan, i));
    const RunEstimate& one = plan.needs.runs[i];
    for (const double number : {one.core_s, one.memory_mib, plan.disk.runs_mib[i]}) row.push_back(in_digits(number));
    table.rows.push_back(std::move(row));
  }
  return to_text(table) +
         fmt::format(
             "{}, about {} core-hours; memory: {} a rank, {} to write the archive; disk: {}, and {} for shards "
             "until then\n",
             counted(study.runs.size(), "run"), in_digits(plan.needs.core_s / 3600), mib_text(plan.needs.memory_mib),
             mib_text(plan.needs.merge_mib), mib_text(plan.disk.total_mib), mib_text(plan.needs.shards_mib)) +
         sources_text(plan, quick) + looks_text(study, plan) + measured.text();
}

}  // namespace palstudy
