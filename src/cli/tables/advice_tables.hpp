// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>

#include "analysis/advice.hpp"

namespace palstudy {

/// What to do, all that was tried, what each needs, and what the advice hangs on.
[[nodiscard]] std::string advice_text(const AdviceFound& found, std::size_t columns);
/// Schema `palstudy.advice/1`.
[[nodiscard]] std::string advice_json(const AdviceFound& found);

}  // namespace palstudy
