// SPDX-License-Identifier: MIT
#include "cli/command_line.hpp"

namespace palstudy {

std::string command_line(const CommandContext& context) {
  std::string line;
  for (int i = 0; i < context.argc; ++i) {
    const std::string word = context.argv[i];
    const bool plain = !word.empty() && word.find_first_of(" \t\"'$*?[]{}()<>|&;\\") == std::string::npos;
    line += (i == 0 ? "" : " ") + (plain ? word : "'" + word + "'");
  }
  return line;
}

}  // namespace palstudy
