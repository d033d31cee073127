// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/run_values.hpp"
#include "archive/archive.hpp"

namespace palstudy {

struct Comparison;

/// A GPU that is slower than the median by more than this can make most of the gain of a policy that avoids it.
inline constexpr double straggler_slowdown = 2;

/// What the archive's runs warned of: warnings, and the names of uncalibrated job models, "; " between them.
struct RunNotes {
  std::vector<std::string> warnings;
  std::string uncalibrated;
};
[[nodiscard]] RunNotes run_notes(const ArchiveReader& archive);

/// In how many runs the slowest GPU is over `straggler_slowdown`; "" where it is in none.
[[nodiscard]] std::string straggler_warning(const RunValues& runs);
/// How many runs end after the horizon up to which energy is counted; "" where none does.
[[nodiscard]] std::string horizon_warning(const ArchiveReader& archive, const RunValues& runs);
/// How many jobs were killed at the end of their estimates; "" where none was.
[[nodiscard]] std::string killed_warning(const RunValues& runs);

/// Which gains, of the first metric and of those asked for, are averages of parts with opposite signs; "" where none
/// is.
[[nodiscard]] std::string opposite_signs_warning(const Comparison& comparison);

/// The lines of a text, without their ends.
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text);

}  // namespace palstudy
