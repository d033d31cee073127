// SPDX-License-Identifier: MIT
#include "sim/observers/energy/node_stays.hpp"

#include <algorithm>
#include <numeric>

namespace palstudy {

/// By counting: each node's place begins where that of the one before it ends.
void NodeStays::sort() {
  std::fill(ends_.begin(), ends_.end(), 0U);
  for (const Stay& stay : stays_) ++ends_[stay.node.index()];
  std::exclusive_scan(ends_.begin(), ends_.end(), ends_.begin(), 0U);
  sorted_.resize(stays_.size());
  for (const Stay& stay : stays_) sorted_[ends_[stay.node.index()]++] = stay;
}

}  // namespace palstudy
