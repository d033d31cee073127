// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace palstudy {

/// What the names of runs of one experiment have in common: the name without the part behind its last separator (one of
/// "_-/: ") if that part holds a digit, or without the digits that it ends with. train_bert_v3 and train_bert_v4 are
/// train_bert; job17 is job. A name of nothing else stays.
[[nodiscard]] std::string_view name_prefix(std::string_view name);

/// The number of the prefix of each name, by first appearance.
[[nodiscard]] std::vector<std::uint32_t> name_prefixes(const std::vector<std::string>& names);

}  // namespace palstudy
