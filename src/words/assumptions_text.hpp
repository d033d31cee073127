// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/value.hpp"

namespace palstudy {

/// "packed-sticky", "leaves running jobs where they are": what it is of, and what is assumed of it.
struct AssumptionClause {
  std::string what, text;
};
/// All that a gain depends on, but for what every study sets: order, backfill, moves, penalty, knowledge and bins.
[[nodiscard]] std::vector<AssumptionClause> assumption_clauses(const ValueRecord& assumptions);

/// "assumes: order fifo; backfill none; ...": in one line what a gain depends on most; "" where nothing is known.
[[nodiscard]] std::string assumptions_text(const ValueRecord& assumptions);

}  // namespace palstudy
