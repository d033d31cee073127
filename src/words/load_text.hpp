// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/note.hpp"

namespace palstudy {

/// "overloaded in 11 of 20 runs of packed-sticky alone: offered load 1.5, ...": of a policy and its baseline.
[[nodiscard]] std::string overload_of_pair_text(const Note& note);

}  // namespace palstudy
