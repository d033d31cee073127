// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command.hpp"
#include "study/campaign.hpp"

namespace palstudy {
namespace {

std::function<int()> set_up_status(CLI::App& app, const CommandContext&) {
  auto file = std::make_shared<std::string>();
  app.add_option("FILE", *file, "the archive that the campaign will write")->required();
  return [file] {
    const CampaignStatus status = campaign_status(*file);
    fmt::print("{}: {} of {} runs done, {} failed\n", status.archived ? "archived" : "shards", status.done, status.runs,
               status.failed);
    if (!status.look.empty()) fmt::print("{}\n", status.look);
    for (const auto& run : status.begun) {
      fmt::print("run {} ({}): checkpoint at {} s of its time, {:.3g} MB\n", run.run, run.id, run.time_s,
                 1e-6 * static_cast<double>(run.bytes));
    }
    return 0;
  };
}

}  // namespace

void register_command_status(CommandRegistry& registry) {
  registry.add({"status", "Say how far a campaign is, from another terminal", {}, set_up_status});
}

}  // namespace palstudy
