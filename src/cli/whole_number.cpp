// SPDX-License-Identifier: MIT
#include "cli/whole_number.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "core/text.hpp"

namespace palstudy {

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

}  // namespace palstudy
