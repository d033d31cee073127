// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "archive/archive.hpp"
#include "archive/profile_file.hpp"
#include "cli/command.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

int verify(const std::string& file) {
  const bool profile = is_profile_file(file);
  const auto findings = profile ? verify_profile(file) : verify_archive(file);
  for (const auto& finding : findings) fmt::print("{}\n", finding);
  if (findings.empty()) {
    fmt::print("{}: schema, checksums, {} hold\n", file, profile ? "digest and summaries" : "digests and metrics");
    return 0;
  }
  throw Error(ErrorCode::verification, counted(findings.size(), "finding"), file,
              fmt::format("the {} does not hold what it says; they are listed on standard output",
                          profile ? "profile" : "archive"));
}

std::function<int()> set_up_verify(CLI::App& app, const CommandContext&) {
  auto file = std::make_shared<std::string>();
  app.add_option("FILE", *file, "the archive or profile (HDF5)")->required();
  app.footer("Exit code 5 with a line for each finding, 0 if there is none; 3 if FILE is neither at all.");
  return [file] { return verify(*file); };
}

}  // namespace

void register_command_verify(CommandRegistry& registry) {
  registry.add({"verify",
                "Check schema, checksums, digests, and metrics against rows, of an archive or a profile",
                {},
                set_up_verify});
}

}  // namespace palstudy
