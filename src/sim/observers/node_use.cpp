// SPDX-License-Identifier: MIT
#include "sim/observers/node_use.hpp"

#include <utility>

namespace palstudy {

void NodeUse::ran(const EndedInterval& interval, const GpuSet& gpus, bool slowed) {
  const std::size_t j = interval.job.index();
  if (j >= node_s_.size()) {
    node_s_.resize(j + 1, 0.0);
    slowed_s_.resize(j + 1, 0.0);
  }
  const double length_s = interval.end_s - interval.begin_s;
  node_s_[j] += static_cast<double>(gpus.size()) * length_s;
  if (slowed) slowed_s_[j] += length_s;
}

void NodeUse::close(PartitionRecord& record, double /*end_s*/) {
  node_s_.resize(record.delays.size(), 0.0);
  slowed_s_.resize(record.delays.size(), 0.0);
  record.delays.node_s = std::move(node_s_);
  record.delays.shared_s = std::move(slowed_s_);
}

}  // namespace palstudy
