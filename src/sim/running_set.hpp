// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/ids.hpp"
#include "sim/completions.hpp"
#include "sim/progress.hpp"
#include "topology/gpu_set.hpp"

namespace palstudy {

/// What a policy believes of the GPUs that a running job holds.
struct Held {
  double product = 0;  ///< slowdown of the slowest bin x penalty
  std::uint32_t slowest_bin = 0;
  std::uint32_t in_slowest = 0;      ///< GPUs of that bin
  std::uint32_t most_on_a_node = 0;  ///< GPUs on the node with most
};

/// The running jobs, dense, in no particular order: one array a field, a slot a job. A slot keeps its memory when its
/// job goes, so that nothing is allocated once the cluster is full.
class RunningSet {
 public:
  /// `slot_of` by JobId, all `no_slot` at first; the partitions of a rank share it.
  explicit RunningSet(std::vector<std::uint32_t>& slot_of) : slot_of_(slot_of) {}

  static constexpr std::uint32_t no_slot = UINT32_MAX;

  [[nodiscard]] std::size_t size() const { return job.size(); }
  [[nodiscard]] std::uint32_t slot_of(JobId id) const { return slot_of_[id.index()]; }

  /// Takes the contents of `set`, leaving it an old buffer to fill.
  std::uint32_t add(JobId id, GpuSet& set) {
    const auto slot = static_cast<std::uint32_t>(job.size());
    job.push_back(id);
    segment.emplace_back();
    launched_s.push_back(0);
    slowdown.push_back(1);
    penalty.push_back(1);
    interference.push_back(1);
    held.emplace_back();
    released.push_back(0);
    finish.push_back(0);
    if (gpus.size() <= slot) gpus.emplace_back();
    std::swap(gpus[slot], set);
    slot_of_[id.index()] = slot;
    return slot;
  }

  void remove(std::uint32_t slot) {
    const std::size_t last = job.size() - 1;
    slot_of_[job[slot].index()] = no_slot;
    if (slot != last) {
      slot_of_[job[last].index()] = slot;
      job[slot] = job[last];
      segment[slot] = segment[last];
      launched_s[slot] = launched_s[last];
      slowdown[slot] = slowdown[last];
      penalty[slot] = penalty[last];
      interference[slot] = interference[last];
      held[slot] = held[last];
      released[slot] = released[last];
      finish.set(slot, finish.at(last));
      std::swap(gpus[slot], gpus[last]);
    }
    job.pop_back();
    segment.pop_back();
    launched_s.pop_back();
    slowdown.pop_back();
    penalty.pop_back();
    interference.pop_back();
    held.pop_back();
    released.pop_back();
    finish.pop_back();
  }

  std::vector<JobId> job;
  std::vector<GpuSet> gpus;  ///< at least size() entries
  std::vector<Segment> segment;
  std::vector<double> launched_s;
  std::vector<double> slowdown, penalty;
  std::vector<double> interference;    ///< by neighbours on its nodes; a factor of the penalty
  std::vector<Held> held;              ///< only for policies with `moves_running`
  std::vector<std::uint8_t> released;  ///< its GPUs have been given back in the walk that is under way
  Completions finish;

 private:
  std::vector<std::uint32_t>& slot_of_;
};

}  // namespace palstudy
