// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "cli/command.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace palstudy {

/// The arguments as they were given, for the archive, as a shell takes them: quoted where they need it.
[[nodiscard]] std::string command_line(const CommandContext& context);

/// The first option on the command line that the sub-command given there does not have, with the nearest that it has:
/// `unknown option "--resum"; did you mean "--resume"?`. Nothing if there is none.
[[nodiscard]] std::optional<std::string> unknown_option(const CLI::App& app);

/// Lets the option take whole numbers from `least` to `most` and nothing else: no negative ones that become large, and
/// one beyond 64 bits is called so. Returns the option.
CLI::Option* whole_number(CLI::Option* option, std::int64_t least,
                          std::int64_t most = std::numeric_limits<std::int64_t>::max());

/// Adds --set to the options of `app`: repeatable, with how values are written in its help. `what`: what it does.
CLI::Option* set_option(CLI::App& app, std::vector<std::string>& overrides, const std::string& what);

/// The version, and of what and how the program was built.
[[nodiscard]] std::string version_text();

}  // namespace palstudy
