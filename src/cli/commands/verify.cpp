// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "bundle/verification.hpp"
#include "cli/command.hpp"
#include "cli/print.hpp"
#include "core/error.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

std::string text_of(const std::string& file, const Verification& result) {
  std::string text;
  for (const auto& finding : result.findings) text += finding + "\n";
  if (result.findings.empty()) text += fmt::format("{}: {} hold\n", file, result.checked);
  for (const auto& note : result.notes) text += fmt::format("note: {}\n", note);
  return text;
}

std::string json_of(const std::string& file, const Verification& result) {
  const nlohmann::ordered_json json = {{"file", file},
                                       {"kind", result.kind},
                                       {"holds", result.findings.empty()},
                                       {"findings", result.findings},
                                       {"notes", result.notes}};
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

int verify(const std::string& file, bool json) {
  const Verification result = verify_file(file);
  if (json) {
    fmt::print("{}", json_of(file, result));
  } else {
    print_text(text_of(file, result));
  }
  if (result.findings.empty()) return 0;
  throw Error(ErrorCode::verification, counted(result.findings.size(), "finding"), file,
              fmt::format("the {} does not hold what it says; they are listed on standard output", result.kind));
}

std::function<int()> set_up_verify(CLI::App& app, const CommandContext&) {
  auto file = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  app.add_option("FILE", *file,
                 "the archive, the profile or the file of palstudy cluster (HDF5), or the folder of a bundle")
      ->required();
  app.add_flag("--json", *json, "print JSON: file, kind, holds, findings, notes");
  app.footer(
      "Exit code 5 with a line for each finding, 0 if there is none; 3 if FILE is none of these at all.\n"
      "A checksum covers all that is read from FILE, but not bytes that no reader uses, such as free space of HDF5.\n"
      "A checksum is no signature: whoever alters a file can also make a new one. Notes list what was not checked,\n"
      "such as metrics that no table gives.");
  return [file, json] { return verify(*file, *json); };
}

}  // namespace

void register_command_verify(CommandRegistry& registry) {
  registry.add({"verify",
                "Check schema, checksums, digests, run ids, metrics against rows, and events, of an archive, profile, "
                "cluster or "
                "bundle",
                {},
                set_up_verify});
}

}  // namespace palstudy
