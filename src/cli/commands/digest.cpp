// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "archive/archive.hpp"
#include "archive/profile_file.hpp"
#include "cli/command.hpp"

namespace palstudy {
namespace {

std::function<int()> set_up_digest(CLI::App& app, const CommandContext&) {
  auto file = std::make_shared<std::string>();
  app.add_option("FILE", *file, "the archive or profile (HDF5)")->required();
  app.footer("The digest as stored; verify computes it anew.");
  return [file] {
    fmt::print("{}\n", is_profile_file(*file) ? stored_profile_digest(*file) : ArchiveReader(*file).digest());
    return 0;
  };
}

}  // namespace

void register_command_digest(CommandRegistry& registry) {
  registry.add(
      {"digest", "Print the digest of an archive's results or a profile's measurements, one line", {}, set_up_digest});
}

}  // namespace palstudy
