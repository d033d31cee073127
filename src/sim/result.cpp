// SPDX-License-Identifier: MIT
#include "sim/result.hpp"

#include <algorithm>
#include <functional>

namespace palstudy {

void JobRows::resize(std::size_t size) {
  const bool with_status = !status.empty();
  each([&](auto column) { (this->*column).resize(size); });
  if (!with_status) status.clear();
}

FailedAttempt FailureRows::at(std::size_t row) const {
  return {job[row], attempt[row], reason[row], gpus[row], node[row], gpu[row], time_s[row], run_s[row], lost_s[row]};
}

void FailureRows::push_back(const FailedAttempt& failed) {
  job.push_back(failed.job);
  attempt.push_back(failed.attempt);
  reason.push_back(failed.reason);
  gpus.push_back(failed.gpus);
  node.push_back(failed.node);
  gpu.push_back(failed.gpu);
  time_s.push_back(failed.time_s);
  run_s.push_back(failed.run_s);
  lost_s.push_back(failed.lost_s);
}

void PowerRows::push_back(PowerState of, std::int32_t of_class, double nodes_s, double gpus_s, double done_s,
                          double joules) {
  state.push_back(of);
  cls.push_back(of_class);
  node_s.push_back(nodes_s);
  gpu_s.push_back(gpus_s);
  work_s.push_back(done_s);
  energy_j.push_back(joules);
}

void PowerRows::add(const PowerRows& part) {
  if (size() == 0) {
    *this = part;
    return;
  }
  for (auto column : {&PowerRows::node_s, &PowerRows::gpu_s, &PowerRows::work_s, &PowerRows::energy_j}) {
    for (std::size_t row = 0; row < size(); ++row) (this->*column)[row] += (part.*column)[row];
  }
}

void DelayRows::resize(std::size_t jobs) {
  for (auto& column : seconds) column.resize(jobs, 0.0);
  node_s.resize(jobs, 0.0);
  shared_s.resize(jobs, 0.0);
}

void DelayRows::add(const DelayRows& part) {
  const auto add = [](std::vector<double>& to, const std::vector<double>& from) {
    std::transform(from.begin(), from.end(), to.begin(), to.begin(), std::plus<>());
  };
  for (std::size_t cause = 0; cause < delay_causes; ++cause) add(seconds[cause], part.seconds[cause]);
  add(node_s, part.node_s);
  add(shared_s, part.shared_s);
}

void SolveRows::append(const SolveRows& from, std::size_t row) {
  time_s.push_back(from.time_s[row]);
  partition.push_back(from.partition[row]);
  objective.push_back(from.objective[row]);
  jobs.push_back(from.jobs[row]);
  groups.push_back(from.groups[row]);
  primal.push_back(from.primal[row]);
  dual.push_back(from.dual[row]);
  iterations.push_back(from.iterations[row]);
}

void RoundRows::add(double from_s, std::uint32_t queued_jobs, std::uint32_t running_jobs, std::uint32_t gpus_free,
                    std::uint64_t gpus_wanted) {
  const bool same = size() > 0 && queued.back() == queued_jobs && running.back() == running_jobs &&
                    free_gpus.back() == gpus_free && demand_gpus.back() == gpus_wanted;
  if (same) return;
  time_s.push_back(from_s);
  queued.push_back(queued_jobs);
  running.push_back(running_jobs);
  free_gpus.push_back(gpus_free);
  demand_gpus.push_back(gpus_wanted);
}

}  // namespace palstudy
