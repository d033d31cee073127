// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/ids.hpp"
#include "core/prefetch.hpp"
#include "sim/state/completions.hpp"
#include "sim/state/progress.hpp"
#include "sim/state/run_rows.hpp"
#include "topology/gpu_set.hpp"

namespace palstudy {

/// The cost that a policy believes the GPUs of a running job to have.
struct BelievedCost {
  double product = 0;  ///< slowdown of the slowest bin x penalty
  std::uint32_t slowest_bin = 0;
  std::uint32_t in_slowest = 0;      ///< GPUs of that bin
  std::uint32_t most_on_a_node = 0;  ///< GPUs on the node with most
};

/// The progress of a running job. All of it is read when the job moves or ends: one line of the cache.
struct alignas(64) JobProgress {
  Segment segment;
  double launched_s = 0;
  double slowdown = 1, penalty = 1;
  double iterations = 0, iteration_s = 0;  ///< those of the job
};
static_assert(sizeof(JobProgress) == 64);

/// The GPUs of a running job and its sums so far; another line.
struct alignas(64) Allocation {
  GpuSet gpus;
  JobSums sums;  ///< those of RunRows, where they go when it has no GPUs left
};
static_assert(sizeof(Allocation) == 64);

/// The request of a running job.
struct Demand {
  std::uint32_t gpus = 0;
  ClassId cls;
};

/// The fields that some runs need and others do not.
struct OptionalFields {
  bool believed = true, stall = true;
};

/// The running jobs, dense: one array a field or a line of fields, a slot a job. No result depends on which job has
/// which slot, but loops over many jobs by ascending id read memory in order if `sort_slots` is called now and then. A
/// slot keeps its memory when its job goes, so that nothing is allocated once the cluster is full.
class RunningSet {
 public:
  /// `slot_of` by JobId, all `no_slot` at first; the partitions of a rank share it.
  explicit RunningSet(std::vector<std::uint32_t>& slot_of, OptionalFields optional = {})
      : slot_of_(slot_of), optional_(optional) {}

  static constexpr std::uint32_t no_slot = UINT32_MAX;

  [[nodiscard]] std::size_t size() const { return job.size(); }
  [[nodiscard]] std::uint32_t slot_of(JobId id) const { return slot_of_[id.index()]; }

  /// Takes the contents of `set`, leaving it an old buffer to fill.
  std::uint32_t add(JobId id, GpuSet& set) {
    const auto slot = static_cast<std::uint32_t>(size());
    if (slot == room_) make_room();
    job.push_back(id);
    finish.push_back(0);
    std::swap(allocation[slot].gpus, set);
    released[slot] = 0;
    if (optional_.stall) stall[slot] = 1;
    misplaced_[slot] = slot > 0 && (misplaced_[slot - 1] != 0 || job[slot - 1] > id) ? 1 : 0;
    if (ordered_apart_) {
      place_in_order_[slot] = slot;
      iteration_order_.push_back(id);
    }
    slot_of_[id.index()] = slot;
    return slot;
  }

  /// Prefetches the fields of a job that ends soon.
  void fetch(std::uint32_t slot) const {
    prefetch(progress[slot]);
    prefetch(allocation[slot]);
    prefetch(slot_of_[job[slot].index()]);
    prefetch(demand[slot]);
    if (ordered_apart_) prefetch(place_in_order_[slot]);
  }

  void remove(std::uint32_t slot) {
    if (ordered_apart_) {
      const std::uint32_t place = place_in_order_[slot];
      place_in_order_[slot_of(iteration_order_.back())] = place;
      iteration_order_[place] = iteration_order_.back();
      iteration_order_.pop_back();
    }
    const std::size_t last = size() - 1;
    slot_of_[job[last].index()] = slot;
    slot_of_[job[slot].index()] = no_slot;
    if (slot != last) {
      job[slot] = job[last];
      finish.set(slot, finish.at(last));
      std::swap(allocation[slot], allocation[last]);
      each([&](auto& field) { field[slot] = field[last]; });
      misplaced_[slot] = 1;
    }
    job.pop_back();
    finish.pop_back();
    ++disorder_;
  }

  /// Every job once, in an order that depends on additions and removals alone: the order of sums over all jobs.
  [[nodiscard]] const std::vector<JobId>& iteration_order() const { return ordered_apart_ ? iteration_order_ : job; }
  /// Sorts the slots by job, if enough of them are out of order to repay it. No slot keeps its number.
  void sort_slots();
  /// The slots by ascending job, until the set changes.
  [[nodiscard]] const std::vector<std::uint32_t>& by_job();
  /// Sorts the slots by the iteration order, as a checkpoint has them: adding the jobs again gives the same order.
  void restore_order();

  std::vector<JobId> job;
  // All others have at least size() entries.
  std::vector<Demand> demand;
  std::vector<Allocation> allocation;
  std::vector<JobProgress> progress;
  std::vector<std::uint8_t> measured;  ///< RunRows::measured
  std::vector<double> stall;           ///< factor on the penalty by effects; if OptionalFields say so
  std::vector<BelievedCost> believed;  ///< if OptionalFields say so
  std::vector<std::uint8_t> released;  ///< its GPUs are free in the transaction under way
  Completions finish;

 private:
  /// All fields whose values do not depend on the number of the slot.
  template <class Use>
  void each(Use use) {
    use(demand), use(progress), use(measured), use(released), use(misplaced_);
    if (optional_.stall) use(stall);
    if (optional_.believed) use(believed);
    if (ordered_apart_) use(place_in_order_);
  }
  void make_room();
  void arrange();
  void keep_iteration_order();

  std::vector<std::uint32_t>& slot_of_;
  OptionalFields optional_;
  std::size_t room_ = 0;        // entries of every field but `job` and `finish`
  bool ordered_apart_ = false;  // false: the iteration order is that of the slots
  std::vector<JobId> iteration_order_;
  std::vector<std::uint32_t> place_in_order_;  // of a slot's job in the iteration order
  std::vector<std::uint8_t> misplaced_;        // the jobs of the other slots ascend
  std::size_t disorder_ = 0;                   // removals since the slots were sorted
  std::vector<std::uint32_t> order_;           // for `arrange`: the slot that comes at each place
  std::vector<std::uint32_t> misplaced_slots_;
};

}  // namespace palstudy
