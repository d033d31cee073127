// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace palstudy {

/// How alike two names are, from 0 to 1, by Ratcliff and Obershelp's gestalt pattern matching as Python's difflib
/// computes it: 2 x matched bytes / bytes of both. Matched are the longest common block (the earliest in `candidate`,
/// then in `query`) and, recursively, what lies left and right of it. In a query of 200 bytes or more, bytes that make
/// up more than 1 % of it begin no block. Not symmetric.
[[nodiscard]] double name_ratio(std::string_view candidate, std::string_view query);

/// The indices of the `most` names that are most like `query`, by ratio and then name, descending, of those with a
/// ratio of at least `least`. `names` are distinct.
[[nodiscard]] std::vector<std::uint32_t> close_names(std::string_view query, std::span<const std::string> names,
                                                     std::size_t most = 2, double least = 0.6);

/// What the names of runs of one experiment have in common: the name without the part behind its last separator (one of
/// "_-/: ") if that part holds a digit, or without the digits that it ends with. train_bert_v3 and train_bert_v4 are
/// train_bert; job17 is job. A name of nothing else stays.
[[nodiscard]] std::string_view name_prefix(std::string_view name);

/// The number of the prefix of each name, by first appearance.
[[nodiscard]] std::vector<std::uint32_t> name_prefixes(const std::vector<std::string>& names);

}  // namespace palstudy
