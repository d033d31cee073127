// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/validation.hpp"

namespace palstudy {

/// "accepted: jobs wait 3.1 h in the simulation, 3.0 h as recorded (3 % more)"; the share where it is over 10 s.
[[nodiscard]] std::string verdict_text(const Validation& validation);
/// The rule of the verdict, and how many groups hold.
[[nodiscard]] std::string rule_text(const Validation& validation);
/// "of the queue debug", "that want 3-4 GPUs".
[[nodiscard]] std::string group_text(const ValidatedGroup& group);
/// What makes such a difference, and what to look at.
[[nodiscard]] std::string cause_text(UsualCause cause);
/// "jobs of the queue debug wait 2 h less than recorded; ...".
[[nodiscard]] std::string difference_text(const LargestDifference& difference);

}  // namespace palstudy
