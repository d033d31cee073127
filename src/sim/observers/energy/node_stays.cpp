// SPDX-License-Identifier: MIT
#include "sim/observers/energy/node_stays.hpp"

namespace palstudy {

void NodeStays::serialize(Fields& f) {
  Fields::require_same(f.count(nodes_.size(), 1), nodes_.size());
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    std::vector<Stay> stays;
    if (f.saving()) for_each(NodeId(n), [&](const Stay& stay) { stays.push_back(stay); });
    f(stays);
    if (f.saving()) continue;
    for (const Stay& stay : stays) add(NodeId(n), stay);
  }
}

}  // namespace palstudy
