// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sim/state/observer.hpp"

namespace palstudy {

/// On how many nodes jobs lay, and for how long neighbours slowed them: two columns of the causes of delay.
class NodeUse final : public Observer {
 public:
  void ran(const EndedInterval& interval, const GpuSet& gpus, bool slowed) override;
  void serialize(Fields& f) override { f(node_s_), f(slowed_s_); }
  void close(PartitionRecord& record, double end_s) override;

 private:
  std::vector<double> node_s_, slowed_s_;  // by job
};

}  // namespace palstudy
