// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <string>

#include "core/registry.hpp"

namespace CLI {
class App;
}

namespace palstudy {

/// A sub-command adds its options to `app` and returns what to do once they are parsed; that returns the exit code.
struct CommandContext {
  int& argc;
  char**& argv;
};
using SetUpCommand = std::function<std::function<int()>(CLI::App& app, const CommandContext& context)>;
using CommandRegistry = Registry<SetUpCommand>;
[[nodiscard]] const CommandRegistry& commands();

}  // namespace palstudy
