// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "archive/record.hpp"

namespace palstudy {

/// One table of all `records`, one after the other. Text is coded anew, into names sorted by their bytes, so that the
/// result does not depend on who wrote which record. The columns are those of any record, each after the one it follows
/// in its record; where a record lacks one, its rows are NaN, 0 or empty. No columns if no record has any.
/// Errors (fault): a column that is of different types.
[[nodiscard]] TableData join_table(const std::vector<const RunRecord*>& records, TableId id);

/// The records sorted by run. Errors (fault): two of one run.
[[nodiscard]] std::vector<const RunRecord*> in_run_order(const std::vector<RunRecord>& records);

}  // namespace palstudy
