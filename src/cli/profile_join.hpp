// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "cli/command.hpp"

namespace palstudy {

/// `palstudy profile merge P... -o P.h5` and `palstudy profile import FILE... -o P.h5`: adds the sub-command to `app`
/// and returns what to do; `chosen` is set once options are parsed.
struct ProfileJoin {
  CLI::App* chosen;
  std::function<int()> act;
};
[[nodiscard]] ProfileJoin add_profile_merge(CLI::App& app, const CommandContext& context);
[[nodiscard]] ProfileJoin add_profile_import(CLI::App& app, const CommandContext& context);

}  // namespace palstudy
