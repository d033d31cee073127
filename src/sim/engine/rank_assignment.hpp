// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace palstudy {

/// Which rank simulates which partition, by partition: the dearest first, each to the rank with the least so far
/// (Graham's LPT rule, 1969); ties: lowest. More ranks than partitions leave some with none.
[[nodiscard]] std::vector<int> assign_partitions(const std::vector<double>& cost, int ranks);

/// The cost of the rank that has most.
[[nodiscard]] double heaviest(const std::vector<double>& cost, const std::vector<int>& owner, int ranks);

}  // namespace palstudy
