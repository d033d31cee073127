// SPDX-License-Identifier: MIT
#include "words/validation_text.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <vector>

#include "core/text.hpp"
#include "words/phrases.hpp"

namespace palstudy {
namespace {

/// A share of seconds says nothing where the rule forgives them.
std::string more_or_less(double simulated, double recorded) {
  if (!(recorded > 0) || std::abs(simulated - recorded) <= ValidationRule::all_s) return "";
  const double change = simulated / recorded - 1;
  return fmt::format(" ({:.0f} % {})", 100 * std::abs(change), change < 0 ? "less" : "more");
}

}  // namespace

std::string verdict_text(const Validation& validation) {
  if (validation.verdict == SiteVerdict::too_few_jobs) {
    return fmt::format("no verdict: {} can be compared, and the rule needs {}", counted(validation.jobs, "job"),
                       ValidationRule::least_jobs);
  }
  return fmt::format("{}: jobs wait {} in the simulation, {} as recorded{}", name_of(validation.verdict),
                     duration_text(validation.simulated_wait_s), duration_text(validation.recorded_wait_s),
                     more_or_less(validation.simulated_wait_s, validation.recorded_wait_s));
}

std::string rule_text(const Validation& validation) {
  return fmt::format(
      "accepted if the mean wait is within {:.0f} % or {:.0f} s, and {:.0f} % of the groups are within {:.0f} %: "
      "{} of {} are",
      100 * ValidationRule::all_share, ValidationRule::all_s, 100 * ValidationRule::groups,
      100 * ValidationRule::group_share, validation.groups_that_hold, validation.groups);
}

std::string group_text(const ValidatedGroup& group) {
  switch (group.by) {
    case SplitBy::width:
      return fmt::format("that want {} {}", group.name, group.name == "1" ? "GPU" : "GPUs");
    case SplitBy::queue:
      return "of the queue " + group.name;
    case SplitBy::tenant:
      return "of " + group.name;
    case SplitBy::time_of_day:
      break;
  }
  return fmt::format("submitted at {} o'clock UTC", group.name);
}

std::string cause_text(UsualCause cause) {
  return std::array{"partitions or limits that the study lacks",
                    "priorities, fair share or preemption that the study lacks",
                    "reservations, or nodes kept for some jobs",
                    "outages, or work at fixed hours",
                    "jobs that waited for other jobs, or were held",
                    "a machine that had other GPUs than the study says"}[static_cast<std::size_t>(cause)];
}

std::string difference_text(const LargestDifference& difference) {
  const ValidatedGroup& group = difference.group;
  const double by_s = group.simulated_wait_s - group.recorded_wait_s;
  std::vector<std::string> causes;
  for (const UsualCause cause : difference.causes) causes.push_back(cause_text(cause));
  return fmt::format("{} {} wait {} {} than recorded; often {}", counted(group.jobs, "job"), group_text(group),
                     duration_text(std::abs(by_s)), by_s < 0 ? "less" : "longer", join(causes, "; or "));
}

}  // namespace palstudy
