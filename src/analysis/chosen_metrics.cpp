// SPDX-License-Identifier: MIT
#include "analysis/chosen_metrics.hpp"

#include <algorithm>

#include "analysis/job_groups.hpp"
#include "analysis/means_of_jobs.hpp"
#include "core/error.hpp"
#include "study/study.hpp"

namespace palstudy {
namespace {

constexpr const char* makespan = "makespan_s";
constexpr const char* jct_mean = "jct_mean_s";

bool migrations_cost(const ArchiveReader& archive) {
  const Study study = parse_study(archive.resolved_study(), "/study/resolved");
  return std::any_of(study.runs.begin(), study.runs.end(),
                     [](const RunPlan& run) { return run.engine.migration_s > 0; });
}

}  // namespace

ChosenMetrics choose_metrics(const ArchiveReader& archive, const ComparisonOptions& options, bool some_unfinished) {
  std::vector<ComparedMetric> all;
  auto names = options.metrics;
  const std::string where = names.empty() ? keys::metric.name : "--metric";
  const std::vector<std::string> parts = asked_job_parts(options.by);
  const bool in_groups = !parts.empty();
  const bool by_default = names.empty();
  if (by_default) names = {archive.attribute(keys::metric)};
  if (names.front().empty()) names = {jct_mean};
  const bool fail = archive.has(TableId::failures);
  for (const auto& name : names) {
    if (name == "outcomes" && !fail) {
      throw usage_error("no attempt failed, or none could: there are no outcomes", "--metric outcomes",
                        "give the study a failures.model (docs/failures.md)");
    }
    for (const auto& metric : compared_metrics()) {
      const bool asked = name == "all"        ? metric.of_group || !in_groups
                         : name == "outcomes" ? metric.outcome
                                              : name == "causes" && metric.share && !metric.outcome;
      if (asked && (!metric.of_failures || fail) && (!metric.of_migration || migrations_cost(archive))) {
        all.push_back(metric);
      }
    }
    if (name != "all" && name != "causes" && name != "outcomes") all.push_back(compared_metric(name, where));
  }
  const std::size_t shown = all.size();
  const bool no_finish = all.front().until_end && some_unfinished;
  if (by_default && all.front().name == jct_mean) {
    for (const char* name : {"jct_p50_s", "bounded_slowdown_mean"}) all.push_back(compared_metric(name, where));
    if (archive.has(TableId::jobs)) all.push_back(compared_metric(jct_log_mean, where));
  }
  if (shown == 1 && !all.front().share && all.front().name != makespan && !no_finish) {
    all.push_back(compared_metric(makespan, where));
  }
  for (const auto& metric : all) {
    if (in_groups && !metric.of_group) {
      throw usage_error(metric.name + " is of the whole run, not of some of its jobs", "--metric " + metric.name,
                        "leave out --by " + parts.front());
    }
  }
  return {std::move(all), shown};
}

}  // namespace palstudy
