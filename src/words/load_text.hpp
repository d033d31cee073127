// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "core/note.hpp"

namespace palstudy {

/// Why gains on an overloaded cluster are those of these jobs alone.
inline constexpr const char* depends_on_the_trace =
    "the waits, and the gain with them, depend on the length of the trace and on which of its jobs are measured";

/// The sentence of a note "overloaded" or "backlog" on runs; `where`: in which of them, as " in 3 of 40 runs".
[[nodiscard]] std::string overload_text(const Note& note, const std::string& where);
/// What it says of those that are overloaded after that: their load, and how fast queues grow.
[[nodiscard]] std::string overload_details(const Note& note);
/// "overloaded in 11 of 20 runs of packed-sticky alone": where the runs of a policy and its baseline are.
[[nodiscard]] std::string overload_of_pair_head(const Note& note);
/// The same with its details.
[[nodiscard]] std::string overload_of_pair_text(const Note& note);

}  // namespace palstudy
