// SPDX-License-Identifier: MIT
#include "campaign/standing_text.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

std::string why(const StandingJob& job, const RunPlan& run) {
  const std::string place = job.partition < 0 ? "all partitions together" : fmt::format("partition {}", job.partition);
  const std::string free = fmt::format("{} are free in {}", job.free_gpus, place);
  switch (job.why) {
    case Hindrance::too_few_gpus:
      return "no more than " + free;
    case Hindrance::not_placeable:
      return fmt::format("{}, but not as {} and its model want them", free, run.policy.placement);
    case Hindrance::passed_over:
      break;
  }
  return fmt::format("{} and would do, but {} never gives it its turn", free, run.policy.scheduler);
}

const char* what_helps(Hindrance why) {
  switch (why) {
    case Hindrance::too_few_gpus:
      return "end the outages, set measure.end_s, or drop the job";
    case Hindrance::not_placeable:
      return "take another policy.placement, set measure.end_s, or drop the job";
    case Hindrance::passed_over:
      break;
  }
  return "take another policy.scheduler, set measure.end_s, or drop the job";
}

}  // namespace

std::string standing_text(const StandingJob& job, const RunPlan& run) {
  const std::string what =
      fmt::format("the run stands still: job {} wants {}; nothing runs, arrives or comes back, and {}", job.id,
                  counted(job.gpus, "GPU"), why(job, run));
  return data_error(what, "", what_helps(job.why)).what();
}

}  // namespace palstudy
