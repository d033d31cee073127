// SPDX-License-Identifier: MIT
#include "sim/engine/job_states.hpp"

#include "sim/state/state_archive.hpp"

namespace palstudy {

void JobStates::clear() {
  table = JobTable(0);
  attempts = Attempts(0);
  sizes = {};
  slot_of = {};
  placement_of = {};
}

template <class Archive>
void JobStates::serialize(Archive& archive, const std::vector<JobId>& jobs, RunRows& rows) {
  of_jobs(archive, jobs, table.cells);
  std::vector<std::uint8_t> finished;
  std::vector<JobId> alive;
  for (const JobId job : jobs) {
    finished.push_back(table.cells[job.index()].state() == JobState::finished ? 1 : 0);
    if (finished.back() == 0) alive.push_back(job);
  }
  of_jobs(archive, alive, table.starved);
  of_jobs(archive, alive, table.course);
  if (!sizes.empty()) of_jobs(archive, alive, sizes);
  if (!table.predicted_gpu_s.empty()) of_jobs(archive, alive, table.predicted_gpu_s);
  if (!attempts.number.empty()) {
    attempts.columns([&](auto& column) { of_jobs(archive, alive, column); });
  }
  rows.serialize_jobs(archive, jobs, finished);
}
template void JobStates::serialize(StateOut&, const std::vector<JobId>&, RunRows&);
template void JobStates::serialize(StateIn&, const std::vector<JobId>&, RunRows&);

}  // namespace palstudy
