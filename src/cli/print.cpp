// SPDX-License-Identifier: MIT
#include "cli/print.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "core/shown_text.hpp"
#include "core/text.hpp"

namespace palstudy {

void print_text(std::string_view text) {
  const char* no_colour = std::getenv("NO_COLOR");  // no-color.org: any text but an empty one
  const bool plain = no_colour != nullptr && *no_colour != '\0';
  fmt::print("{}", with_colours(shown_lines(text), !plain && isatty(STDOUT_FILENO) == 1));
}

std::size_t screen_columns() {
  constexpr std::size_t least = 20, most = 100;
  const char* given = std::getenv("COLUMNS");
  if (const auto columns = parse_integer(given == nullptr ? "" : given); columns && *columns > 0) {
    return std::clamp(static_cast<std::size_t>(*columns), least, most);
  }
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return most;
  return std::clamp<std::size_t>(size.ws_col, least, most);
}

}  // namespace palstudy
