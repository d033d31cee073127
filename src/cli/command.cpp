// SPDX-License-Identifier: MIT
#include "cli/command.hpp"

namespace palstudy {

void register_commands(CommandRegistry& registry);  // generated

const CommandRegistry& commands() {
  static const CommandRegistry registry = [] {
    CommandRegistry all("command");
    register_commands(all);
    return all;
  }();
  return registry;
}

}  // namespace palstudy
