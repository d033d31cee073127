// SPDX-License-Identifier: MIT
#pragma once

#include "sim/engine/dispatcher.hpp"
#include "sim/engine/job_states.hpp"
#include "sim/small_world.hpp"
#include "sim/state/partition_state.hpp"
#include "sim/state/transaction.hpp"

namespace palstudy {

/// A scheduler that decides nothing.
class IdleScheduler final : public Scheduler {
 public:
  [[nodiscard]] bool idle() const override { return true; }
  void decide(const View&, Transaction&) override {}
  [[nodiscard]] double next_change_s(const View&) override { return std::numeric_limits<double>::infinity(); }
};

/// The parts of the one partition of a world, without a simulation around them.
struct PartitionParts {
  PartitionParts(const World& world, const Policies& of_run)
      : policies(of_run),
        rows(world),
        states(world),
        state(world, {PartitionId(0), GpuId(0), world.topology, world.believed}, of_run.placement, states.table,
              states.slot_of, states.sizes, rows),
        transaction(state, of_run.placement, states.placement_of),
        dispatcher(state, scheduler, make_effects(state, states.attempts, &EffectMaker::make), {}) {}

  /// Jobs 0..jobs-1 arrive, and `launch` places them by the policy as well, in this order.
  void arrive(std::uint32_t jobs, double now_s) {
    dispatcher.instant(now_s);
    for (std::uint32_t j = 0; j < jobs; ++j) admit(j, now_s);
  }
  void launch(std::uint32_t jobs, double now_s) {
    arrive(jobs, now_s);
    place(jobs, now_s);
  }
  void place(std::uint32_t jobs, double now_s) {
    transaction.begin(now_s);
    for (std::uint32_t j = 0; j < jobs; ++j) (void)transaction.place(JobId(j));
    dispatcher.commit(now_s, transaction);
  }
  [[nodiscard]] const GpuSet& gpus_of(std::uint32_t job) const {
    return state.running.allocation[state.running.slot_of(JobId(job))].gpus;
  }
  [[nodiscard]] bool runs(std::uint32_t job) const { return state.table.running(JobId(job)); }

  [[nodiscard]] SchedulerContext context() { return {state, policies.order, policies.placement}; }
  /// Lets a scheduler decide at a boundary, and carries it out.
  void decide(Scheduler& by, double now_s) {
    dispatcher.instant(now_s);
    dispatcher.complete(now_s);
    transaction.begin(now_s);
    by.decide(state.view(now_s), transaction);
    dispatcher.commit(now_s, transaction);
  }
  void admit(std::uint32_t job, double now_s) {
    rows.arrive(JobId(job), now_s);
    (void)dispatcher.admit(JobId(job), now_s);
  }

  const Policies& policies;
  RunRows rows;
  JobStates states;
  PartitionState state;
  Transaction transaction;
  IdleScheduler scheduler;
  Dispatcher dispatcher;
};

/// `use(parts)` of the one partition of a world.
template <class Use>
void with_parts(const SmallWorld& world, Use use) {
  (void)world.with_world([&](const World& of, const Policies& policies) {
    PartitionParts parts(of, policies);
    use(parts);
    return 0;
  });
}

}  // namespace palstudy
