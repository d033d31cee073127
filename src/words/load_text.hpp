// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/note.hpp"

namespace palstudy {

/// "overloaded in 11 of 20 runs of packed-sticky alone": where the runs of a policy and its baseline are.
[[nodiscard]] std::string overload_of_pair_head(const Note& note);
/// The same with its details.
[[nodiscard]] std::string overload_of_pair_text(const Note& note);

}  // namespace palstudy
