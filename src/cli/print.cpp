// SPDX-License-Identifier: MIT
#include "cli/print.hpp"

#include <fmt/format.h>

#include "core/shown_text.hpp"

namespace palstudy {

void print_text(std::string_view text) { fmt::print("{}", shown_lines(text)); }

}  // namespace palstudy
