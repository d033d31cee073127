// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "analysis/looks_taken.hpp"

namespace palstudy {

/// "pal over packed-sticky is known to within 0.8 %"; "" where no look was taken.
[[nodiscard]] std::string finding_text(const LookFinding& found);

/// "[stop] looked at 20, 30 seeds (at most 40), until ...": at how many seeds, and why there was no further look.
[[nodiscard]] std::string looks_text(const LooksTaken& looks);

}  // namespace palstudy
