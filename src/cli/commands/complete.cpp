// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "cli/completion.hpp"

namespace palstudy {
namespace {

std::function<int()> set_up_complete(CLI::App& app, const CommandContext&) {
  auto words = std::make_shared<std::vector<std::string>>();
  app.add_option("WORD", *words, "the words behind palstudy, the last of which is to be completed")
      ->required()
      ->expected(1, -1);
  app.group("");  // for shells, not for people
  return [&app, words] {
    for (const auto& [word, summary] : complete(*app.get_parent(), *words)) fmt::print("{}\t{}\n", word, summary);
    return 0;
  };
}

}  // namespace

void register_command_complete(CommandRegistry& registry) {
  registry.add(
      {"complete", "Print what may stand next on a command line, for the completion of shells", {}, set_up_complete});
}

}  // namespace palstudy
