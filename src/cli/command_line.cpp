// SPDX-License-Identifier: MIT
#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <vector>

#include "core/build_info.hpp"
#include "core/text.hpp"
#include "parallel/mpi.hpp"

namespace palstudy {

std::string command_line(const CommandContext& context) {
  std::string line;
  for (int i = 0; i < context.argc; ++i) {
    line += (i == 0 ? "" : " ") + shell_word(context.argv[i]);
  }
  return line;
}

namespace {

const CLI::App& innermost(const CLI::App& app) {
  const auto given = app.get_subcommands();
  return given.empty() ? app : innermost(*given.back());
}

}  // namespace

std::optional<std::string> unknown_option(const CLI::App& app) {
  const std::vector<std::string> left = app.remaining(true);
  const auto word = std::ranges::find_if(left, [](const auto& text) { return text.starts_with("--"); });
  if (word == left.end()) return std::nullopt;
  const std::string name = word->substr(0, word->find('='));
  std::vector<std::string> known;
  for (const CLI::Option* option : innermost(app).get_options()) {
    for (const std::string& own : option->get_lnames()) known.push_back("--" + own);
  }
  return fmt::format("unknown option \"{}\"{}", name, suggestion(name, known));
}

CLI::Option* whole_number(CLI::Option* option, std::int64_t least, std::int64_t most) {
  const bool open = most == std::numeric_limits<std::int64_t>::max();
  const auto range = open ? fmt::format("from {} on", least) : fmt::format("from {} to {}", least, most);
  const auto check = [=](const std::string& text) -> std::string {
    if (beyond_64_bits(text)) return fmt::format("{} is beyond 64 bits; give a whole number {}", text, range);
    const auto value = parse_integer(text);
    return value && *value >= least && *value <= most ? "" : fmt::format("{} is not a whole number {}", text, range);
  };
  return option->check(CLI::Validator(check, open ? "" : fmt::format("INT in [{} - {}]", least, most)));
}

CLI::Option* set_option(CLI::App& app, std::vector<std::string>& overrides, const std::string& what) {
  const std::string how = what +
                          "; repeatable. VALUE is as in TOML, of a single text\n"
                          "also without its quotes: policy.order=las; an axis of the study takes a list: "
                          "'policy.order=[\"fifo\",\"las\"]',\n"
                          "or whole numbers from one on: 'seed={first=1,count=5}'";
  return app.add_option("--set", overrides, how)
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false);
}

std::string version_text() {
  const BuildInfo& build = build_info();
  return fmt::format("palstudy {}\ncommit {}\ncompiler {}\nflags {}\nMPI {}", build.version, build.commit,
                     build.compiler, build.flags, mpi_library());
}

}  // namespace palstudy
