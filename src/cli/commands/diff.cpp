// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "archive/archive.hpp"
#include "cli/command.hpp"
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

int diff(const std::string& a, const std::string& b) {
  const Difference difference = diff_archives(a, b);
  fmt::print("{}\n", name_of(difference.agreement));
  if (!difference.detail.empty()) fmt::print("{}\n", difference.detail);
  return difference.agreement == Agreement::different ? static_cast<int>(ErrorCode::verification) : 0;
}

std::function<int()> set_up_diff(CLI::App& app, const CommandContext&) {
  auto files = std::make_shared<std::pair<std::string, std::string>>();
  app.add_option("A", files->first, "an archive (HDF5)")->required();
  app.add_option("B", files->second, "another")->required();
  app.footer(
      "The first line is one of: identical (same digest), same schedule (same events, numbers differ in their last\n"
      "digits), within intervals, different. Exit code 5 if they are different, else 0.\n"
      "Both archives are checked as by verify first: 3 if one is damaged.");
  return [files] { return diff(files->first, files->second); };
}

}  // namespace

void register_command_diff(CommandRegistry& registry) {
  registry.add({"diff", "Say how far two archives agree", {}, set_up_diff});
}

}  // namespace palstudy
