// SPDX-License-Identifier: MIT
#include "sim/state/checkpoints.hpp"

namespace palstudy {

void serialize(Fields& f, std::vector<SavedPartition>& partitions) {
  partitions.resize(f.count(partitions.size(), 1));
  for (SavedPartition& p : partitions) f(p.id), f(p.cost_s), f(p.bytes);
}

}  // namespace palstudy
