// SPDX-License-Identifier: MIT
#include "sim/engine/job_states.hpp"

namespace palstudy {

void JobStates::clear() {
  table = JobTable(0);
  attempts = Attempts(0);
  shapes = {};
  slot_of = {};
  placement_of = {};
}

void JobStates::serialize(Fields& f, const std::vector<JobId>& jobs, RunRows& rows) {
  f.of_jobs(jobs, table.cells);
  std::vector<std::uint8_t> finished;
  std::vector<JobId> alive;
  for (const JobId job : jobs) {
    finished.push_back(table.cells[job.index()].state() == JobState::finished ? 1 : 0);
    if (finished.back() == 0) alive.push_back(job);
  }
  f.of_jobs(alive, table.starved), f.of_jobs(alive, table.course);
  if (!shapes.empty()) f.of_jobs(alive, shapes);
  if (!table.predicted_gpu_s.empty()) f.of_jobs(alive, table.predicted_gpu_s);
  if (!attempts.number.empty()) {
    attempts.columns([&](auto& column) { f.of_jobs(alive, column); });
  }
  rows.serialize_jobs(f, jobs, finished);
}

}  // namespace palstudy
