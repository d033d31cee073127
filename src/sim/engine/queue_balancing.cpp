// SPDX-License-Identifier: MIT
#include "sim/engine/queue_balancing.hpp"

#include <optional>

namespace palstudy {
namespace {

std::optional<PartitionId> most_loaded_with_queue(const Summaries& summaries, const std::vector<std::size_t>& named) {
  std::optional<PartitionId> most;
  for (std::uint32_t i = 0; i < summaries.partitions(); ++i) {
    const PartitionId p(i);
    if (summaries.at(p, Summaries::queued_jobs) <= 0 || named[i] >= summaries.candidates()) continue;
    if (!summaries.candidate(p, named[i])) continue;
    if (!most || summaries.load(*most) < summaries.load(p)) most = p;
  }
  return most;
}

std::optional<PartitionId> least_loaded_for(const Summaries& summaries, const Job& job) {
  std::optional<PartitionId> least;
  for (std::uint32_t i = 0; i < summaries.partitions(); ++i) {
    const PartitionId p(i);
    if (summaries.gpus(p) < job.gpus) continue;
    if (!least || summaries.load(p) < summaries.load(*least)) least = p;
  }
  return least;
}

void book(Summaries& summaries, PartitionId p, const Job& job, std::int64_t sign) {
  summaries.add(p, Summaries::demand_gpus, sign * job.gpus);
  summaries.add(p, Summaries::queued_jobs, sign);
}

}  // namespace

std::vector<JobMove> level_queues(Summaries& summaries, const std::vector<Job>& jobs, std::size_t max_moves) {
  std::vector<JobMove> moves;
  std::vector<std::size_t> named(summaries.partitions(), 0);  // how many of its candidates have been looked at
  while (moves.size() < max_moves) {
    const auto from = most_loaded_with_queue(summaries, named);
    if (!from) break;
    const JobId id = *summaries.candidate(*from, named[from->index()]++);
    const Job& job = jobs[id.index()];
    const auto to = least_loaded_for(summaries, job);
    if (!to || *to == *from) continue;
    const auto load_after = [&](PartitionId p, std::int64_t change) {
      return static_cast<double>(summaries.at(p, Summaries::demand_gpus) + change) / summaries.gpus(p);
    };
    if (load_after(*to, job.gpus) > load_after(*from, -std::int64_t{job.gpus})) continue;
    book(summaries, *from, job, -1);
    book(summaries, *to, job, 1);
    moves.push_back({id, *from, *to});
  }
  return moves;
}

}  // namespace palstudy
