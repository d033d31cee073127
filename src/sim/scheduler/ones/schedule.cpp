// SPDX-License-Identifier: MIT
#include "sim/scheduler/ones/schedule.hpp"

#include <cmath>
#include <cstddef>

#include "core/error.hpp"

namespace palstudy {
namespace {

/// Takes away what a job has beyond `wanted`, from left to right; `keeps_first`: its first GPU is left to it.
void cut_to_wanted(OnesSchedule& schedule, std::span<const OnesJob> jobs, bool keeps_first) {
  std::vector<std::uint32_t> count(jobs.size());
  for (std::uint32_t& row : schedule) {
    if (row == no_job_row) continue;
    const bool kept = count[row] < jobs[row].wanted || (keeps_first && count[row] == 0);
    if (kept) {
      ++count[row];
    } else {
      row = no_job_row;
    }
  }
}

}  // namespace

std::vector<std::uint32_t> gpus_by_row(const OnesSchedule& schedule, std::size_t rows) {
  std::vector<std::uint32_t> count(rows);
  for (const std::uint32_t row : schedule) {
    if (row != no_job_row) ++count[row];
  }
  return count;
}

OnesSchedule refreshed(const OnesSchedule& schedule, std::span<const OnesJob> jobs) {
  OnesSchedule out = schedule;
  for (std::uint32_t& row : out) {
    if (row != no_job_row && jobs[row].status == OnesStatus::complete) row = no_job_row;
  }
  cut_to_wanted(out, jobs, true);
  return out;
}

std::pair<OnesSchedule, OnesSchedule> crossed(const OnesSchedule& first, const OnesSchedule& second,
                                              std::span<const OnesJob> jobs, double rate, const OnesDraw& draw) {
  std::pair<OnesSchedule, OnesSchedule> children(first, second);
  for (std::uint32_t gpu = 0; gpu < first.size(); ++gpu) {
    if (draw(gpu) < rate) std::swap(children.first[gpu], children.second[gpu]);
  }
  cut_to_wanted(children.first, jobs, false);
  cut_to_wanted(children.second, jobs, false);
  return children;
}

OnesSchedule mutated(const OnesSchedule& schedule, std::span<const OnesJob> jobs, double rate, const OnesDraw& draw) {
  enum class Fate : std::uint8_t { unknown, stays, goes };
  std::vector<Fate> fate(jobs.size(), Fate::unknown);
  OnesSchedule out = schedule;
  for (std::uint32_t& row : out) {
    if (row == no_job_row) continue;
    if (fate[row] == Fate::unknown) {
      const bool hit = draw(row) < rate;  // drawn for young jobs too
      fate[row] = hit && jobs[row].epochs >= 2 ? Fate::goes : Fate::stays;
    }
    if (fate[row] == Fate::goes) row = no_job_row;
  }
  return out;
}

OnesBatch ones_batch(std::uint32_t gpus, std::uint32_t requested_local, double rate_limit) {
  if (gpus == 0 || !(rate_limit >= 1)) throw fault("a batch on no GPUs, or a limit below the requested rate");
  if (gpus <= rate_limit) return {requested_local, std::uint64_t{gpus} * requested_local};
  const auto most = static_cast<std::uint64_t>(std::floor(requested_local * rate_limit));
  return {most / gpus, most / gpus * gpus};
}

}  // namespace palstudy
