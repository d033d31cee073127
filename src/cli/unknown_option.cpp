// SPDX-License-Identifier: MIT
#include "cli/unknown_option.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

#include "core/text.hpp"

namespace palstudy {
namespace {

const CLI::App& innermost(const CLI::App& app) {
  const auto given = app.get_subcommands();
  return given.empty() ? app : innermost(*given.back());
}

}  // namespace

std::optional<std::string> unknown_option(const CLI::App& app) {
  const std::vector<std::string> left = app.remaining(true);
  const auto word = std::find_if(left.begin(), left.end(), [](const auto& text) { return text.starts_with("--"); });
  if (word == left.end()) return std::nullopt;
  const std::string name = word->substr(0, word->find('='));
  std::vector<std::string> known;
  for (const CLI::Option* option : innermost(app).get_options()) {
    for (const std::string& own : option->get_lnames()) known.push_back("--" + own);
  }
  const auto near = nearest(name, known);
  return fmt::format("unknown option \"{}\"{}", name, near ? fmt::format("; did you mean \"{}\"?", *near) : "");
}

}  // namespace palstudy
