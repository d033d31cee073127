// SPDX-License-Identifier: MIT
#pragma once

#include "archive/file_checks.hpp"
#include "record/tables.hpp"

namespace palstudy {

/// Checks the rows of a run in /solves, one finding at most: their order, that each gap follows from the primal and the
/// dual value and is as small as its objective allows (sim/state/solves.hpp), and that the dual value bounds the primal
/// one from the right side.
void check_solves(const RunRecord& record, Findings& findings);

}  // namespace palstudy
