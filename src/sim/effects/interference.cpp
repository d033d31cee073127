// SPDX-License-Identifier: MIT
// How fast jobs run beside others on their nodes. What happens at one instant changes neighbourhoods several times;
// rates are brought up to date once, at its end.
#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "sim/engine/partition.hpp"

namespace palstudy {

void Partition::meet(JobId job, const GpuSet& gpus) {
  if (neighbours_) neighbours_->enter(job, gpus);
}

void Partition::part_from(JobId job, const GpuSet& gpus) {
  if (neighbours_) neighbours_->leave(job, gpus);
}

/// Of the running jobs whose neighbours have changed those go on at another rate whose factor has.
void Partition::settle_neighbours(double now_s) {
  if (!neighbours_) return;
  neighbours_->take_disturbed(disturbed_);
  for (const JobId job : disturbed_) {
    const std::uint32_t slot = running_.slot_of(job);
    if (slot == RunningSet::no_slot) continue;
    const double factor = neighbours_->factor(job, running_.holds[slot].gpus);
    if (factor != running_.interference[slot]) change_rate(now_s, slot, factor);
  }
}

/// A segment ends and another begins on the same GPUs; a migration that is under way goes on.
void Partition::change_rate(double now_s, std::uint32_t slot, double factor) {
  const double from_s = std::max(now_s, running_.pace[slot].segment.from_s);
  const bool touched = touched_;
  if (running_.pace[slot].launched_s < now_s) {
    end_stretch(now_s, slot);
    recorder_.go_on(now_s, running_.job[slot]);
  }
  running_.interference[slot] = factor;
  begin_segment(now_s, slot, from_s,
                rates_.factors(running_.job[slot], running_.wants[slot].cls, running_.holds[slot].gpus));
  touched_ = touched;  // nobody has taken or given GPUs
}

/// Where tenants are, it is told how jobs lay on the nodes: up to `end_s`, in the stretch that ends.
void Partition::note_place(double end_s, std::uint32_t slot) {
  if (!tenancy_) return;
  const double length_s = end_s - running_.pace[slot].launched_s;
  const bool disturbed = neighbours_ && running_.interference[slot] != 1;
  tenancy_->book.held(running_.job[slot], running_.holds[slot].gpus.size(), length_s, disturbed);
}

/// After a checkpoint: who is where follows from the running jobs.
void Partition::restore_neighbours() {
  if (!neighbours_) return;
  for (std::uint32_t slot = 0; slot < running_.size(); ++slot) meet(running_.job[slot], running_.holds[slot].gpus);
  neighbours_->take_disturbed(disturbed_);
  for (std::uint32_t slot = 0; slot < running_.size(); ++slot) {
    running_.interference[slot] = neighbours_->factor(running_.job[slot], running_.holds[slot].gpus);
  }
}

/// For debug builds: the factors are those that follow from the nodes' jobs alone, counted from nothing.
void Partition::check_neighbours(double now_s) const {
  if (!neighbours_) return;
  Neighbours twin(world_.interference, site_.topology.nodes());
  for (std::uint32_t slot = 0; slot < running_.size(); ++slot)
    twin.enter(running_.job[slot], running_.holds[slot].gpus);
  for (std::uint32_t slot = 0; slot < running_.size(); ++slot) {
    if (running_.interference[slot] == twin.factor(running_.job[slot], running_.holds[slot].gpus)) continue;
    throw fault("a job runs as if it had other neighbours",
                std::to_string(world_.workload.jobs[running_.job[slot].index()].id) + " at " + std::to_string(now_s));
  }
}

}  // namespace palstudy
