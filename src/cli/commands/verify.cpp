// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "archive/note_json.hpp"
#include "bundle/verification.hpp"
#include "cli/command.hpp"
#include "cli/print.hpp"
#include "cli/tables/text_table.hpp"
#include "core/error.hpp"
#include "core/text.hpp"
#include "words/note_text.hpp"

namespace palstudy {
namespace {

/// What does not hold, each in its place, and what to do about it, once.
std::string findings_text(const Verification& result) {
  const std::size_t columns = screen_columns();
  std::string text = fmt::format("does not hold: {}\n", counted(result.findings.size(), "finding"));
  std::vector<std::string> advice;
  for (const auto& [what, where, remedy] : result.findings) {
    text += paragraph(where.empty() ? "  " : fmt::format("  {:<16} ", where), what, columns);
    if (std::ranges::find(advice, remedy) == advice.end()) advice.push_back(remedy);
  }
  std::erase(advice, "");
  for (const std::string& remedy : advice) text += paragraph("", remedy, columns);
  return text;
}

std::string text_of(const Verification& result) {
  if (!result.findings.empty()) return findings_text(result);
  const std::size_t columns = screen_columns();
  std::string text = paragraph("holds: ", join(result.checked), columns);
  if (!result.digest.empty()) text += fmt::format("digest {}\n", result.digest);
  return text + (result.notes.empty() ? "" : paragraph("notes: ", ids_text(result.notes), columns));
}

std::string json_of(const std::string& file, const Verification& result) {
  auto findings = nlohmann::ordered_json::array();
  for (const auto& [what, where, advice] : result.findings) {
    findings.push_back({{"what", what}, {"where", where}, {"advice", advice}});
  }
  const nlohmann::ordered_json json = {{"file", file},
                                       {"kind", result.kind},
                                       {"holds", result.findings.empty()},
                                       {"checked", result.checked},
                                       {"digest", result.digest},
                                       {"findings", findings},
                                       {"notes", worded(result.notes)}};
  return json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

int verify(const std::string& file, bool json) {
  const Verification result = verify_file(file);
  if (json) {
    fmt::print("{}", json_of(file, result));
  } else {
    print_text(text_of(result));
  }
  return result.findings.empty() ? 0 : static_cast<int>(ErrorCode::verification);
}

std::function<int()> set_up_verify(CLI::App& app, const CommandContext&) {
  auto file = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  app.add_option("FILE", *file,
                 "the archive, the profile or the file of palstudy cluster (HDF5), or the folder of a bundle")
      ->required();
  app.add_flag("--json", *json, "print JSON: file, kind, holds, checked, digest, findings, notes");
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
