// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace palstudy {

/// The names of a list as Slurm writes it: "n[1-4,07],login,r[1-2]n[1-8]". Errors (data, `where`): it is none.
[[nodiscard]] std::vector<std::string> host_names(const std::string& text, const std::string& where);

/// The inverse: the shortest such list that has these names in this order. Numbers at the ends of names are joined
/// where names with what stands before them are neighbours.
[[nodiscard]] std::string host_list(const std::vector<std::string>& names);

/// The same as several lists of at most so many characters each; a range is not parted, even if it is longer.
[[nodiscard]] std::vector<std::string> host_lists(const std::vector<std::string>& names, std::size_t most_characters);

/// Names in the order of what stands before their numbers, then of the numbers: n2 before n10.
[[nodiscard]] std::vector<std::string> in_host_order(std::vector<std::string> names);

}  // namespace palstudy
