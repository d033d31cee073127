// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <span>

#include "cli/command.hpp"
#include "cli/experiments.hpp"
#include "core/durable_file.hpp"
#include "core/error.hpp"
#include "core/files.hpp"

namespace palstudy {
namespace {

namespace fs = std::filesystem;

struct InitOptions {
  std::string name = "smallest", output;
};

int init(const InitOptions& options) {
  const std::string file =
      options.output.empty() ? fs::path(options.name).filename().string() + ".toml" : options.output;
  const std::string text = study_to_begin_from(options.name, file);
  if (options.output.empty()) {
    fmt::print("{}", text);
    return 0;
  }
  if (fs::is_regular_file(options.output)) {  // what was edited by hand is not to be lost
    throw usage_error("exists already", options.output, "give another -o, or move it away");
  }
  require_new_output(options.output, false);
  make_folder_of(options.output);
  write_durably(options.output, std::as_bytes(std::span(text)));
  fmt::print("{0} is written; edit it, then: palstudy plan {0}\n", options.output);
  return 0;
}

std::function<int()> set_up_init(CLI::App& app, const CommandContext&) {
  auto options = std::make_shared<InitOptions>();
  app.add_option("NAME", options->name, "a study that comes with the program; smallest by default");
  app.add_option("-o,--output", options->output, "the study file to write (TOML); standard output by default");
  app.footer(
      "The studies: " + fmt::format("{}", fmt::join(experiment_names(), ", ")) +
      ".\nTraces and tables of the study are named where they are installed. The first line names the JSON Schema of\n"
      "studies, by which editors complete and check keys.");
  return [options] { return init(*options); };
}

}  // namespace

void register_command_init(CommandRegistry& registry) {
  registry.add({"init",
                "Print a commented study to begin from: one that comes with the program, or the smallest",
                {},
                set_up_init});
}

}  // namespace palstudy
