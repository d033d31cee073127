// SPDX-License-Identifier: MIT
#include "measure/status.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "archive/profile_file.hpp"
#include "cli/command.hpp"
#include "core/text.hpp"
#include "study/campaign.hpp"

namespace palstudy {
namespace {

void print_campaign(const std::string& file) {
  const CampaignStatus status = campaign_status(file);
  fmt::print("{}: {} of {} done, {} failed\n", status.archived ? "archived" : "shards", status.done,
             counted(static_cast<std::size_t>(status.runs), "run"), status.failed);
  if (!status.left_to_do.empty()) {
    fmt::print("no run is missing; unless it is being written now, {} writes the archive\n", status.left_to_do);
  }
  if (!status.look.empty()) fmt::print("{}\n", status.look);
  for (const auto& run : status.begun) {
    fmt::print("run {} ({}): checkpoint at {} s of its time, {:.3g} MB\n", run.run, run.id, run.time_s,
               1e-6 * static_cast<double>(run.bytes));
  }
}

void print_profile(const std::string& file) {
  const Profile profile = read_profile(file);
  fmt::print("profile: {} repeats of {} kernels on {} GPUs, {}\n", profile.repeats.size(), profile.kernels.size(),
             profile.gpus.size(), counted(profile.sessions.size(), "session"));
}

int status(const std::string& file) {
  if (const auto measuring = measurement_status(file)) {
    fmt::print("{}\n", *measuring);
  } else if (is_profile_file(file)) {
    print_profile(file);
  } else {
    print_campaign(file);
  }
  return 0;
}

std::function<int()> set_up_status(CLI::App& app, const CommandContext&) {
  auto file = std::make_shared<std::string>();
  app.add_option("FILE", *file, "the archive that a campaign will write, or the profile that measure will")->required();
  return [file] { return status(*file); };
}

}  // namespace

void register_command_status(CommandRegistry& registry) {
  registry.add({"status", "Say how far a campaign or a measurement is, from another terminal", {}, set_up_status});
}

}  // namespace palstudy
