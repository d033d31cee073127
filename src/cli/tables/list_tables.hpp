// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "cli/tables/text_table.hpp"

namespace palstudy {

/// What `palstudy list` can list.
[[nodiscard]] const std::vector<std::string>& list_kinds();
/// The table of one kind. Errors (usage): an unknown kind.
[[nodiscard]] TextTable list_table(const std::string& kind);

}  // namespace palstudy
