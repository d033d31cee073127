// SPDX-License-Identifier: MIT
#include "archive/diff.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "archive/reader.hpp"
#include "campaign/check_resume.hpp"
#include "cli/command.hpp"
#include "cli/print.hpp"
#include "core/error.hpp"

namespace palstudy {
namespace {

std::string_view name_of(Agreement agreement) {
  switch (agreement) {
    case Agreement::identical:
      return "identical";
    case Agreement::same_schedule:
      return "same schedule";
    case Agreement::within_intervals:
      return "within intervals";
    case Agreement::different:
      break;
  }
  return "different";
}

struct DiffCommand {
  std::string a, b;
  bool json = false;
};

/// The first key in which the studies of two archives differ, as a sentence; "" if there is none.
std::string study_difference(const DiffCommand& command) {
  const ArchiveReader a(command.a), b(command.b);
  std::optional<KeyDifference> found;
  try {
    found = differing_key(a.resolved_study(), b.resolved_study(), false);
  } catch (const Error&) {  // a study of another version, with keys that this one does not know
  }
  if (!found) return "";
  return fmt::format("{} is {} in the study of the first, {} in that of the second", found->key,
                     found->before.value_or("not given"), found->now.value_or("not given"));
}

int diff(const DiffCommand& command) {
  const Difference difference = diff_archives(command.a, command.b);
  const bool different = difference.agreement == Agreement::different;
  const std::string study = different ? study_difference(command) : "";
  if (command.json) {
    nlohmann::ordered_json json = {{"a", command.a},
                                   {"b", command.b},
                                   {"agreement", name_of(difference.agreement)},
                                   {"detail", difference.detail}};
    if (!study.empty()) json["study"] = study;
    fmt::print("{}\n", json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  } else {
    fmt::print("{}\n", name_of(difference.agreement));
    for (const std::string& line : {study, difference.detail}) {
      if (!line.empty()) print_text(line + "\n");
    }
  }
  return different ? static_cast<int>(ErrorCode::verification) : 0;
}

std::function<int()> set_up_diff(CLI::App& app, const CommandContext&) {
  auto command = std::make_shared<DiffCommand>();
  app.add_option("A", command->a, "an archive (HDF5)")->required();
  app.add_option("B", command->b, "another")->required();
  app.add_flag("--json", command->json, "print JSON: a, b, agreement, detail and, if it differs, study");
  app.footer(
      "The first line is one of: identical (same digest), same schedule (same events, numbers differ in their last\n"
      "digits), within intervals, different. Exit code 5 if they are different, else 0; the first key in which their\n"
      "studies differ is then named.\n"
      "Both archives are checked as by verify first: 3 if one is damaged.");
  return [command] { return diff(*command); };
}

}  // namespace

void register_command_diff(CommandRegistry& registry) {
  registry.add({"diff", "Say how far two archives agree", {}, set_up_diff});
}

}  // namespace palstudy
