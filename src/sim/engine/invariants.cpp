// SPDX-License-Identifier: MIT
// What must be true of a partition, and of a run, after every boundary. Debug builds check it; each failure is a fault
// of the engine.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/error.hpp"
#include "sim/engine/run.hpp"

namespace palstudy {
namespace {

void hold(bool true_thing, const std::string& what, PartitionId p, double now_s) {
  if (!true_thing) throw fault(fmt::format("{} at {} s", what, now_s), fmt::format("partition {}", p.value));
}

}  // namespace

void Partition::check_invariants(double now_s) const {
  const auto must = [&](bool true_thing, const char* what) { hold(true_thing, what, site_.id, now_s); };
  // No GPU is held twice, and what is not held is free.
  std::vector<GpuMask> taken(site_.topology.nodes(), 0);
  const auto take = [&](const GpuSet& gpus) {
    for (const NodeGpus& part : gpus) {
      must((taken[part.node.index()] & part.mask) == 0, "a GPU is held twice");
      taken[part.node.index()] |= part.mask;
    }
  };
  for (std::size_t slot = 0; slot < running_.size(); ++slot) take(running_.holds[slot].gpus);
  for (const auto& [job, gpus] : held_) take(gpus);
  for (std::uint32_t n = 0; tenancy_ && n < site_.topology.nodes(); ++n) {
    if (tenancy_->sealed[n] != 0) take({{NodeId(n), tenancy_->sealed[n]}});
  }
  for (std::uint32_t n = 0; n < site_.topology.nodes(); ++n) {
    must(free_.mask(NodeId(n)) == (site_.topology.full(NodeId(n)) & ~taken[n]), "a GPU is neither free nor held");
  }
  // No job is lost or runs twice, and the sums are those of the jobs.
  std::uint64_t queued_gpus = 0, demand_gpus = 0;
  const std::vector<JobId>& waiting = queue_.waiting();
  for (const JobId job : waiting) {
    queued_gpus += world_.workload.jobs[job.index()].gpus;
    must(table_.waiting(job), "a job waits that does not");
  }
  must(std::adjacent_find(waiting.begin(), waiting.end(), std::greater_equal<>()) == waiting.end(),
       "a job waits twice");
  must(waiting.size() == queue_.size(), "a job is lost");
  demand_gpus = queued_gpus;
  for (std::uint32_t slot = 0; slot < running_.size(); ++slot) {
    const JobId job = running_.job[slot];
    const std::uint32_t gpus = world_.workload.jobs[job.index()].gpus;
    demand_gpus += gpus;
    must(table_.running(job), "a job runs that does not");
    must(running_.slot_of(job) == slot, "a job runs twice");
    must(count(running_.holds[slot].gpus) == gpus, "a job does not hold what it asked for");
  }
  must(queued_gpus == queue_.queued_gpus() && demand_gpus == queue_.demand_gpus(),
       "the demand is not that of the jobs");
  if (fails()) check_attempts(now_s);
  // What was allocated is accounted: GPU-seconds by stretches are those by launches and ends.
  double open_s = 0, launched_s = 0;
  for (std::uint32_t slot = 0; slot < running_.size(); ++slot) {
    const double gpus = world_.workload.jobs[running_.job[slot].index()].gpus;
    open_s += gpus * (now_s - running_.pace[slot].launched_s);
    launched_s += gpus * now_s;
  }
  const double accounted_s = recorder_.allocated_s() + open_s, held_s = recorder_.held_by_events_s() + launched_s;
  must(std::abs(accounted_s - held_s) <= 1e-9 * (1 + now_s * site_.topology.gpus()), "GPU-seconds are lost");
  check_tenants(now_s);
  check_neighbours(now_s);
}

void Run::check_invariants() const {
  for (const auto& part : parts_) {
    if (part) part->check_invariants(now_s_);
  }
  if (exchange_.ranks() > 1) return;  // elsewhere it is known what others run
  std::size_t known = 0;
  for (std::size_t j = 0; j < next_job_; ++j) known += states_.table.state[j] != JobState::future ? 1 : 0;
  hold(known == rows_.arrived(), "a job is lost between partitions", PartitionId(0), now_s_);
}

/// Little's law as an identity of areas: what the jobs spent in the system, one by one, is the area under their number.
/// The times are those at which the scheduler looked. (Little, Operations Research 9(3), 1961; as an identity of a
/// finite stretch: Little, Operations Research 59(3), 2011.)
void Run::check_littles_law(const RunPart& all, double job_s) const {
  double stays_s = 0;
  for (std::size_t j = 0; j < rows_.arrived(); ++j) {
    const double until_s = all.jobs.finished[j] != 0 ? instant_of(all.jobs.finish_s[j]) : now_s_;
    stays_s += until_s - rows_.arrival_s(JobId(j));
  }
  if (std::abs(stays_s - job_s) <= 1e-9 * (1 + job_s)) return;
  throw fault(fmt::format(
      "Little's law does not hold: jobs spent {} s in the system, the area under their number is {}", stays_s, job_s));
}

}  // namespace palstudy
