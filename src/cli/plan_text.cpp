// SPDX-License-Identifier: MIT
#include "cli/plan_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/axis_text.hpp"
#include "cli/text_table.hpp"
#include "study/estimate.hpp"

namespace palstudy {
namespace {

using Json = nlohmann::ordered_json;

struct Plan {
  StudyEstimate needs;
  DiskEstimate disk;
};

Plan make_plan(const Study& study) {
  Inputs inputs(study);
  inputs.check();
  Plan plan{estimate(study, inputs), {}};
  plan.disk = estimate_disk(study, inputs, plan.needs);
  // What was tried out is known better.
  if (!plan.disk.rehearsed_s.empty()) plan.needs.core_s = 0;
  for (std::size_t i = 0; i < plan.disk.rehearsed_s.size(); ++i) {
    plan.needs.core_s += plan.needs.runs[i].core_s = plan.disk.rehearsed_s[i];
  }
  return plan;
}

double core_s_of(const Plan& plan, std::size_t runs) {
  double core_s = 0;
  for (std::size_t i = 0; i < runs; ++i) core_s += plan.needs.runs[i].core_s;
  return core_s;
}

Json looks_json(const Study& study, const Plan& plan) {
  Json looks = Json::array();
  for (const auto& look : study.stop->looks) {
    looks.push_back({{"seeds", look.seeds}, {"runs", look.runs}, {"core_s", core_s_of(plan, look.runs)}});
  }
  return {{"metric", study.stop->metric},
          {"relative_half_width", study.stop->relative_half_width},
          {"axis", study.stop->seed_key},
          {"looks", looks}};
}

std::string looks_text(const Study& study, const Plan& plan) {
  if (!study.stop) return "";
  const auto& least = study.stop->looks.front();
  std::string seeds;
  for (const auto& look : study.stop->looks) seeds += (seeds.empty() ? "" : ", ") + std::to_string(look.seeds);
  return fmt::format(
      "[stop]: that is the most. {} runs (about {:.2g} core-hours) with {} seeds at least; it looks at {} seeds, and "
      "ends once {} of every comparison is known to within {:.3g} %\n",
      least.runs, core_s_of(plan, least.runs) / 3600, least.seeds, seeds, study.stop->metric,
      100 * study.stop->relative_half_width);
}

std::string plan_json(const Study& study, const Plan& plan) {
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
    runs.push_back(std::move(one));
  }
  const Json total = {{"runs", study.runs.size()},
                      {"core_h", plan.needs.core_s / 3600},
                      {"core_s", plan.needs.core_s},
                      {"memory_mib", plan.needs.memory_mib},
                      {"merge_memory_mib", plan.needs.merge_mib},
                      {"disk_mib", plan.disk.total_mib},
                      {"shards_mib", plan.needs.shards_mib}};
  Json all = {{"study", study.name}, {"title", study.title}, {"runs", runs}, {"total", total}};
  if (study.stop) all["stop"] = looks_json(study, plan);
  return all.dump(2) + "\n";
}

}  // namespace

std::string plan_text(const Study& study, bool json) {
  const Plan plan = make_plan(study);
  if (json) return plan_json(study, plan);
  TextTable table{{"run", "id"}, {}};
  for (const Axis& axis : study.axes) table.header.push_back(axis.key);
  for (const char* name : {"core_s", "memory_mib", "disk_mib"}) table.header.emplace_back(name);
  for (std::size_t i = 0; i < study.runs.size(); ++i) {
    std::vector<std::string> row = {std::to_string(study.runs[i].number), study.runs[i].id};
    for (const AxisValue& value : study.runs[i].values) row.push_back(axis_text(value));
    const RunEstimate& one = plan.needs.runs[i];
    for (const double number : {one.core_s, one.memory_mib, plan.disk.runs_mib[i]})
      row.push_back(fmt::format("{:.3g}", number));
    table.rows.push_back(std::move(row));
  }
  return to_text(table) +
         fmt::format(
             "{} runs, about {:.2g} core-hours; memory: {:.3g} MiB a rank, {:.3g} MiB to write the "
             "archive; disk: {:.3g} "
             "MiB, and {:.3g} MiB for shards until then\n",
             study.runs.size(), plan.needs.core_s / 3600, plan.needs.memory_mib, plan.needs.merge_mib,
             plan.disk.total_mib, plan.needs.shards_mib) +
         looks_text(study, plan);
}

}  // namespace palstudy
