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
/// What every study sets: order, backfill, moves, penalty, knowledge and bins; nothing where it is not known.
[[nodiscard]] std::vector<AssumptionClause> settings_clauses(const ValueRecord& assumptions);

}  // namespace palstudy
