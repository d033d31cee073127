// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "core/registry.hpp"
#include "parallel/mpi.hpp"

namespace CLI {
class App;
}

namespace palstudy {

/// The command line, as `main` has it.
struct CommandContext {
  int& argc;
  char**& argv;
};
/// A sub-command adds its options to `app` and returns what to do once they are parsed; that returns the exit code.
using SetUpCommand = std::function<std::function<int()>(CLI::App& app, const CommandContext& context)>;
using CommandRegistry = Registry<SetUpCommand>;
[[nodiscard]] const CommandRegistry& commands();

/// Runs a command on all ranks and gives its exit code. Rank 0 prints an error that all ranks agreed on (AgreedError),
/// and all return its code; an error of one rank alone aborts all ranks, since the others would wait for it. Without a
/// launcher errors pass through.
[[nodiscard]] int on_every_rank(Mpi& mpi, const std::function<int()>& command);

}  // namespace palstudy
