// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "record/record.hpp"

namespace palstudy {

/// Gives a record another place in the product of the axes, as a run has once an axis other than the seeds has grown:
/// the number in all its tables, and the digest over them. It is then the record that a run at that place would make.
void renumber(RunRecord& record, std::int64_t run);

}  // namespace palstudy
