// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/ids.hpp"
#include "core/large_array.hpp"
#include "sim/state/completions.hpp"
#include "sim/state/progress.hpp"
#include "sim/state/run_rows.hpp"
#include "topology/gpu_set.hpp"

namespace palstudy {

/// What a policy believes of the GPUs that a running job holds.
struct Held {
  double product = 0;  ///< slowdown of the slowest bin x penalty
  std::uint32_t slowest_bin = 0;
  std::uint32_t in_slowest = 0;      ///< GPUs of that bin
  std::uint32_t most_on_a_node = 0;  ///< GPUs on the node with most
};

/// How a running job goes on. It is all asked for when the job moves or ends: one line of the cache.
struct alignas(64) Pace {
  Segment segment;
  double launched_s = 0;
  double slowdown = 1, penalty = 1;
  double iterations = 0, iteration_s = 0;  ///< those of the job
};
static_assert(sizeof(Pace) == 64);

/// What it holds, and what has been added up of it; another line.
struct alignas(64) Holding {
  GpuSet gpus;
  JobSums sums;  ///< those of RunRows, where they go when it has no GPUs left
};
static_assert(sizeof(Holding) == 64);

/// What it asked for.
struct Wants {
  std::uint32_t gpus = 0;
  ClassId cls;
};

/// What is kept of running jobs in some runs only.
struct Extras {
  bool held = true, interference = true;
};

/// The running jobs, dense: one array a field or a line of fields, a slot a job. No result depends on which job has
/// which slot, but those who go through many jobs by ascending id find them one after the other if `tidy` is called now
/// and then. A slot keeps its memory when its job goes, so that nothing is allocated once the cluster is full.
class RunningSet {
 public:
  /// `slot_of` by JobId, all `no_slot` at first; the partitions of a rank share it.
  explicit RunningSet(std::vector<std::uint32_t>& slot_of, Extras extras = {}) : slot_of_(slot_of), extras_(extras) {}

  static constexpr std::uint32_t no_slot = UINT32_MAX;

  [[nodiscard]] std::size_t size() const { return job.size(); }
  [[nodiscard]] std::uint32_t slot_of(JobId id) const { return slot_of_[id.index()]; }

  /// Takes the contents of `set`, leaving it an old buffer to fill.
  std::uint32_t add(JobId id, GpuSet& set) {
    const auto slot = static_cast<std::uint32_t>(size());
    if (slot == room_) make_room();
    job.push_back(id);
    finish.push_back(0);
    std::swap(holds[slot].gpus, set);
    released[slot] = 0;
    if (extras_.interference) interference[slot] = 1;
    stray_[slot] = slot > 0 && (stray_[slot - 1] != 0 || job[slot - 1] > id) ? 1 : 0;
    if (rolled_) {
      place_[slot] = slot;
      roll_.push_back(id);
    }
    slot_of_[id.index()] = slot;
    return slot;
  }

  /// Asks for what is known of a job that ends soon.
  void fetch(std::uint32_t slot) const {
    prefetch(pace[slot]);
    prefetch(holds[slot]);
    prefetch(slot_of_[job[slot].index()]);
    prefetch(wants[slot]);
    if (rolled_) prefetch(place_[slot]);
  }

  void remove(std::uint32_t slot) {
    if (rolled_) {
      const std::uint32_t place = place_[slot];
      place_[slot_of(roll_.back())] = place;
      roll_[place] = roll_.back();
      roll_.pop_back();
    }
    const std::size_t last = size() - 1;
    slot_of_[job[last].index()] = slot;
    slot_of_[job[slot].index()] = no_slot;
    if (slot != last) {
      job[slot] = job[last];
      finish.set(slot, finish.at(last));
      std::swap(holds[slot], holds[last]);
      each([&](auto& field) { field[slot] = field[last]; });
      stray_[slot] = 1;
    }
    job.pop_back();
    finish.pop_back();
    ++disorder_;
  }

  /// Every job once, in an order that depends on who came and went and on nothing else: sums over all are made in it.
  [[nodiscard]] const std::vector<JobId>& roll() const { return rolled_ ? roll_ : job; }
  /// Sorts the slots by job, if enough have lost their place since to repay it. No slot keeps its number.
  void tidy();
  /// The slots by ascending job, until the set changes.
  [[nodiscard]] const std::vector<std::uint32_t>& by_job();
  /// Brings the slots into the order of the roll, as a checkpoint has them: who adds them again has the same roll.
  void line_up();

  std::vector<JobId> job;
  // All others have at least size() entries.
  std::vector<Wants> wants;
  std::vector<Holding> holds;
  std::vector<Pace> pace;
  std::vector<std::uint8_t> measured;  ///< RunRows::measured
  std::vector<double> interference;    ///< by neighbours on its nodes, a factor of the penalty; if Extras ask for it
  std::vector<Held> held;              ///< if they ask for it
  std::vector<std::uint8_t> released;  ///< its GPUs have been given back in the walk that is under way
  Completions finish;

 private:
  /// All fields but those that know more than what is in their slots.
  template <class Use>
  void each(Use use) {
    use(wants), use(pace), use(measured), use(released), use(stray_);
    if (extras_.interference) use(interference);
    if (extras_.held) use(held);
    if (rolled_) use(place_);
  }
  void make_room();
  void arrange();
  void begin_roll();

  std::vector<std::uint32_t>& slot_of_;
  Extras extras_;
  std::size_t room_ = 0;  // entries of every field but `job` and `finish`
  bool rolled_ = false;   // while false the slots are the roll: nobody has arranged them
  std::vector<JobId> roll_;
  std::vector<std::uint32_t> place_;  // of a slot's job in the roll
  std::vector<std::uint8_t> stray_;   // the other slots' jobs ascend
  std::size_t disorder_ = 0;          // removals since the slots were sorted
  std::vector<std::uint32_t> order_;  // of `arrange`: which slot comes where
  std::vector<std::uint32_t> strays_;
};

}  // namespace palstudy
