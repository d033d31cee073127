// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/ids.hpp"
#include "sim/state/partition_record.hpp"

namespace palstudy {

/// How long the jobs of one partition have waited for nodes to be powered on. It is told who waits for that; a wait is
/// counted once it ends, so that being told the same again changes nothing.
class PowerWaits {
 public:
  /// From `now_s` on these jobs wait for power, by ascending id, and no other.
  void set(const std::vector<JobId>& waiting, double now_s);
  void close(PartitionRecord& record, double end_s);
  void serialize(auto& archive, unsigned /*version*/) { (archive & now_ & ended_); }

 private:
  struct Wait {
    JobId job;
    double s;  // since when; or how long
    void serialize(auto& archive, unsigned /*version*/) { (archive & job & s); }
  };
  std::vector<Wait> now_;    // by job
  std::vector<Wait> ended_;  // in the order of their ends
};

}  // namespace palstudy
