// SPDX-License-Identifier: MIT
#include "sim/engine/partition_invariants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/error.hpp"

namespace palstudy {
namespace {

class Checks {
 public:
  Checks(const PartitionState& state, double now_s) : state_(state), now_s_(now_s) {}

  void must(bool true_thing, const char* what) const {
    if (true_thing) return;
    throw fault(fmt::format("{} at {} s", what, now_s_), fmt::format("partition {}", state_.resources.id.value));
  }

  /// No GPU is held twice, and what is not held is free.
  void gpus(const std::vector<GpuMask>& kept_free) const {
    const Topology& topology = state_.topology();
    std::vector<GpuMask> taken = kept_free;
    taken.resize(topology.nodes(), 0);
    const auto take = [&](const GpuSet& gpus) {
      for (const NodeGpus& part : gpus) {
        must((taken[part.node.index()] & part.mask) == 0, "a GPU is held twice");
        taken[part.node.index()] |= part.mask;
      }
    };
    for (std::size_t slot = 0; slot < state_.running.size(); ++slot) take(state_.running.allocation[slot].gpus);
    for (const HeldPart& part : state_.wide_parts) take(part.gpus);
    for (const HeldPart& part : state_.idle_parts) take(part.gpus);
    for (std::uint32_t n = 0; n < topology.nodes(); ++n) {
      const GpuMask free = state_.free.mask(NodeId(n)), rest = topology.full(NodeId(n)) & ~taken[n];
      must(free == rest || (free == 0 && state_.world.acts_between_boundaries()), "a GPU is neither free nor held");
    }
  }

  /// No job is lost or runs twice, and the sums are those of the jobs.
  void jobs() const {
    std::uint64_t queued_gpus = 0;
    const std::vector<JobId>& waiting = state_.queue.waiting();
    for (const JobId job : waiting) {
      queued_gpus += state_.width(job);
      must(state_.table.waiting(job), "a job waits that does not");
    }
    must(std::adjacent_find(waiting.begin(), waiting.end(), std::greater_equal<>()) == waiting.end(),
         "a job waits twice");
    must(waiting.size() == state_.queue.size(), "a job is lost");
    std::uint64_t demand_gpus = queued_gpus;
    for (std::uint32_t slot = 0; slot < state_.running.size(); ++slot) {
      const JobId job = state_.running.job[slot];
      demand_gpus += state_.width(job);
      must(state_.table.running(job), "a job runs that does not");
      must(state_.running.slot_of(job) == slot, "a job runs twice");
      must(count(state_.running.allocation[slot].gpus) == state_.width(job), "a job does not hold what it asked for");
    }
    must(queued_gpus == state_.queue.queued_gpus() && demand_gpus == state_.queue.demand_gpus(),
         "the demand is not that of the jobs");
  }

  /// What was allocated is accounted: GPU-seconds by intervals are those by launches and ends.
  void gpu_seconds(const Recorder& recorder) const {
    double open_s = 0, launched_s = 0;
    for (std::uint32_t slot = 0; slot < state_.running.size(); ++slot) {
      const double gpus = state_.width(state_.running.job[slot]);
      open_s += gpus * (now_s_ - state_.running.progress[slot].launched_s);
      launched_s += gpus * now_s_;
    }
    const double accounted_s = recorder.allocated_s() + open_s, held_s = recorder.held_by_events_s() + launched_s;
    must(std::abs(accounted_s - held_s) <= 1e-9 * (1 + now_s_ * state_.topology().gpus()), "GPU-seconds are lost");
  }

 private:
  const PartitionState& state_;
  double now_s_;
};

}  // namespace

void check_partition(const PartitionState& state, const Recorder& recorder, const std::vector<GpuMask>& kept_free,
                     double now_s) {
  const Checks checks(state, now_s);
  checks.gpus(kept_free);
  checks.jobs();
  checks.gpu_seconds(recorder);
}

}  // namespace palstudy
