// SPDX-License-Identifier: MIT
#include "cli/plan_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/axis_text.hpp"
#include "cli/text_table.hpp"
#include "study/estimate.hpp"

namespace palstudy {
namespace {

using Json = nlohmann::ordered_json;

struct Plan {
  std::vector<RunEstimate> runs;
  RunEstimate total;  // memory: of the largest run
};

Plan make_plan(const Study& study) {
  Inputs inputs(study);
  inputs.check();
  Plan plan;
  for (const RunPlan& run : study.runs) {
    const RunEstimate one = estimate(run, inputs.load(run));
    plan.runs.push_back(one);
    plan.total.core_s += one.core_s;
    plan.total.disk_mib += one.disk_mib;
    plan.total.memory_mib = std::max(plan.total.memory_mib, one.memory_mib);
  }
  return plan;
}

Json json_of(const RunEstimate& estimate) {
  return {{"core_s", estimate.core_s}, {"memory_mib", estimate.memory_mib}, {"disk_mib", estimate.disk_mib}};
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
    one.update(json_of(plan.runs[i]));
    runs.push_back(std::move(one));
  }
  Json total = {{"runs", study.runs.size()}, {"core_h", plan.total.core_s / 3600}};
  total.update(json_of(plan.total));
  const Json all = {{"study", study.name}, {"title", study.title}, {"runs", runs}, {"total", total}};
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
    const RunEstimate& one = plan.runs[i];
    for (const double number : {one.core_s, one.memory_mib, one.disk_mib}) row.push_back(fmt::format("{:.3g}", number));
    table.rows.push_back(std::move(row));
  }
  return to_text(table) +
         fmt::format("{} runs, about {:.2g} core-hours, {:.3g} MiB of memory a rank, {:.3g} MiB of disk\n",
                     study.runs.size(), plan.total.core_s / 3600, plan.total.memory_mib, plan.total.disk_mib);
}

}  // namespace palstudy
