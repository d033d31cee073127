// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "archive/damage_check.hpp"
#include "archive/profile/profile_file.hpp"
#include "archive/reader.hpp"
#include "cli/command.hpp"

namespace palstudy {
namespace {

struct DigestOptions {
  std::string file;
  bool stored = false;
};

std::string digest_of(const DigestOptions& options) {
  const bool profile = is_profile_file(options.file);
  if (!options.stored) profile ? require_intact_profile(options.file) : require_intact(options.file);
  return profile ? stored_profile_digest(options.file) : ArchiveReader(options.file).digest();
}

std::function<int()> set_up_digest(CLI::App& app, const CommandContext&) {
  auto options = std::make_shared<DigestOptions>();
  app.add_option("FILE", options->file, "the archive or profile (HDF5)")->required();
  app.add_flag("--stored", options->stored, "print the stored digest without computing it again from the rows");
  app.footer("The file is checked as by verify: exit code 3, and no digest, if it is damaged.");
  return [options] {
    fmt::print("{}\n", digest_of(*options));
    return 0;
  };
}

}  // namespace

void register_command_digest(CommandRegistry& registry) {
  registry.add(
      {"digest", "Print the digest of an archive's results or a profile's measurements, one line", {}, set_up_digest});
}

}  // namespace palstudy
