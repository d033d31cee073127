// SPDX-License-Identifier: MIT
#pragma once

#include <utility>
#include <vector>

#include "sim/state/observer.hpp"

namespace palstudy {

/// On how many nodes jobs lay, and for how long neighbours slowed them: two columns of the causes of delay.
class NodeUse final : public WithState<NodeUse, Observer> {
 public:
  void ran(const EndedInterval& interval, const GpuSet& gpus, bool slowed) override {
    const std::size_t j = interval.job.index();
    if (j >= node_s_.size()) {
      node_s_.resize(j + 1, 0.0);
      slowed_s_.resize(j + 1, 0.0);
    }
    const double length_s = interval.end_s - interval.begin_s;
    node_s_[j] += static_cast<double>(gpus.size()) * length_s;
    if (slowed) slowed_s_[j] += length_s;
  }
  void serialize(auto& archive, unsigned /*version*/) { (archive & node_s_ & slowed_s_); }
  void close(PartitionRecord& record, double /*end_s*/) override {
    node_s_.resize(record.delays.size(), 0.0);
    slowed_s_.resize(record.delays.size(), 0.0);
    record.delays.node_s = std::move(node_s_);
    record.delays.shared_s = std::move(slowed_s_);
  }

 private:
  std::vector<double> node_s_, slowed_s_;  // by job
};

}  // namespace palstudy
