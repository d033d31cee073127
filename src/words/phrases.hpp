// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/note.hpp"

namespace palstudy {

/// "1.31", or "0.58 to 1.31".
[[nodiscard]] std::string range_text(double least, double most);
[[nodiscard]] std::string range_text(const Value& range);

/// "42.9 %"
[[nodiscard]] std::string percent_text(double share);

/// Places behind the point (before it if negative) at which an error has its second digit: 2.7 has 1, 130 has -1. More
/// would be noise.
[[nodiscard]] int places_of_error(double error);
/// Rounded to so many places.
[[nodiscard]] std::string to_places(double value, int places);

/// " in 3 of 40 runs"; "" where it is all of them.
[[nodiscard]] std::string some_of(const Value& some, const Value& all, const char* what);

/// The names of a list.
[[nodiscard]] std::vector<std::string> names_of(const Value& list);

/// "jobs.csv: ", what a note is of; "" where it has no subject.
[[nodiscard]] std::string subject_text(const Note& note);

/// As a policy is called: "pal", or as the value of another key "workload.trace = sia1".
[[nodiscard]] std::string policy_text(const Value* key, const std::string& name);

}  // namespace palstudy
