// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "cli/command.hpp"

namespace palstudy {

/// The arguments as they were given, for the archive; those with blanks in quotes.
[[nodiscard]] std::string command_line(const CommandContext& context);

}  // namespace palstudy
