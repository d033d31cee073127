// SPDX-License-Identifier: MIT
#pragma once

#include "sim/state/effect.hpp"
#include "sim/state/partition_record.hpp"

namespace palstudy {

/// Receives the intervals of one partition's jobs and nodes, and changes nothing. The recorder, which every run has, is
/// no observer: it is called directly.
class Observer : public Stateful {
 public:
  /// A new instant: all intervals that end at it, or since the one before, are still to be told.
  virtual void instant() {}
  /// A job has held the same GPUs at one rate; `slowed`: effects have slowed it.
  virtual void ran(const EndedInterval& interval, const GpuSet& gpus, bool slowed) = 0;
  /// A job on several partitions has held its part of this one at one rate. (The slot is not one of this partition.)
  virtual void part_ran(const EndedInterval& interval, const HeldPart& part) { (void)interval, (void)part; }
  /// A node was stopping, off or booting, up to the end of that state or of the run, or to the horizon of energy if
  /// that is later; intervals of one node ascend. All other time it is on.
  virtual void node(const NodeInterval& interval) { (void)interval; }
  /// The run ends; all intervals have ended.
  virtual void close(PartitionRecord& record, double end_s) = 0;
};

}  // namespace palstudy
