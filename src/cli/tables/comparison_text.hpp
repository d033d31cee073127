// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "analysis/comparison.hpp"

namespace palstudy {

// What `compare` prints for people, in lines of at most `columns`.

/// The answer, a table of means and changes, and the heaviest notes.
[[nodiscard]] std::string comparison_text(const Comparison& comparison, std::size_t columns);
/// The changes alone: a row a group, policy and baseline.
[[nodiscard]] std::string comparison_brief(const Comparison& comparison, std::size_t columns);
/// All notes with their severity, and the runs that are left out.
[[nodiscard]] std::string comparison_notes(const Comparison& comparison, std::size_t columns);
/// What the changes depend on, a line a setting.
[[nodiscard]] std::string comparison_assumptions(const Comparison& comparison, std::size_t columns);

}  // namespace palstudy
