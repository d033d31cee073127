// SPDX-License-Identifier: MIT
#include "bundle/bundle.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "cli/print.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

std::function<int()> set_up_bundle(CLI::App& app, const CommandContext&) {
  auto options = std::make_shared<BundleOptions>();
  app.add_option("FILE", options->archive, "the archive (HDF5)")->required();
  app.add_option("-o,--output", options->directory, "the folder to make")->required();
  app.add_flag("--anonymous", options->anonymous,
               "number or remove hosts, users, accounts, paths and names of GPUs, and print what is kept");
  app.footer(
      "The archive, its study, every input, RO-Crate metadata and the text of an artifact description.\n"
      "palstudy run DIR -o again.h5 computes it again, palstudy diff says how far it agrees.");
  return [options] {
    const MadeBundle made = make_bundle(*options);
    for (const std::string& line : made.kept) print_text(line + "\n");
    const std::string folder = options->directory.string();
    print_text(
        fmt::format("{}: {}   next: palstudy verify {}\n", folder, counted(made.files, "file"), shell_word(folder)));
    return 0;
  };
}

}  // namespace

void register_command_bundle(CommandRegistry& registry) {
  registry.add({"bundle", "Make a folder that a reviewer can check and repeat a campaign from", {}, set_up_bundle});
}

}  // namespace palstudy
