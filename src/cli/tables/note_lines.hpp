// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "analysis/comparison.hpp"

namespace palstudy {

// The notes of a comparison and of what its runs were made of, the heaviest first, in lines of at most `columns`.

/// At most five, and what says more of them. One that is the answer itself is left out.
[[nodiscard]] std::string heaviest_notes(const Comparison& comparison, std::size_t columns);
/// Their ids in one line.
[[nodiscard]] std::string note_ids(const Comparison& comparison, std::size_t columns);
/// All of them with their severity.
[[nodiscard]] std::string all_notes(const Comparison& comparison, std::size_t columns);

}  // namespace palstudy
