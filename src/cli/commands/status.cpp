// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "archive/profile/profile_file.hpp"
#include "campaign/campaign_status.hpp"
#include "cli/command.hpp"
#include "cli/print.hpp"
#include "cli/tables/text_table.hpp"
#include "core/text.hpp"
#include "measure/session_file.hpp"

namespace palstudy {
namespace {

using Json = nlohmann::ordered_json;

/// The state in one word.
const char* state_of(const CampaignStatus& status) {
  if (status.archived) return "archived";
  return status.running ? "running" : status.left_to_do.empty() ? "stopped" : "not merged";
}

std::string to_text(const CampaignStatus& status) {
  std::string text = fmt::format("{}: {} of {} done, {} failed\n", state_of(status), grouped(status.done),
                                 counted(static_cast<std::size_t>(status.runs), "run"), grouped(status.failed));
  if (!status.look.empty()) text += paragraph("", status.look, screen_columns());
  constexpr std::size_t most = 10;
  for (std::size_t i = 0; i < std::min(most, status.begun.size()); ++i) {
    const auto& run = status.begun[i];
    text += fmt::format("run {} ({}): checkpoint at {} s of simulated time, {:.3g} MB\n", run.run, run.id, run.time_s,
                        1e-6 * static_cast<double>(run.bytes));
  }
  if (status.begun.size() > most) text += fmt::format("{} more checkpoints: --json\n", status.begun.size() - most);
  return text + (status.next.empty() ? "" : "next: " + status.next + "\n");
}

Json to_json(const CampaignStatus& status) {
  Json checkpoints = Json::array();
  for (const auto& run : status.begun) {
    checkpoints.push_back({{"run", run.run}, {"id", run.id}, {"time_s", run.time_s}, {"bytes", run.bytes}});
  }
  return {{"state", status.archived ? "archived" : "shards"},
          {"running", status.running},
          {"runs", status.runs},
          {"done", status.done},
          {"failed", status.failed},
          {"missing", status.runs - status.done - status.failed},
          {"left_to_do", status.left_to_do},
          {"next", status.next},
          {"look", status.look},
          {"checkpoints", checkpoints}};
}

Json to_json(const MeasurementStatus& status) {
  return {{"state", "measuring"},          {"repeats", status.repeats},   {"kernels", status.kernels},
          {"gpus", status.gpus},           {"wanted", status.wanted},     {"session", status.session},
          {"begun_utc", status.begun_utc}, {"launches", status.launches}, {"problems", status.problems}};
}

std::string to_text(const Profile& profile) {
  return fmt::format("profile: {} of {} on {}, {}\n", counted(profile.repeats.size(), "repeat"),
                     counted(profile.kernels.size(), "kernel"), counted(profile.gpus.size(), "GPU"),
                     counted(profile.sessions.size(), "session"));
}

Json to_json(const Profile& profile) {
  return {{"state", "profile"},
          {"repeats", profile.repeats.size()},
          {"kernels", profile.kernels.size()},
          {"gpus", profile.gpus.size()},
          {"sessions", profile.sessions.size()}};
}

struct StatusOptions {
  std::string file;
  bool json = false;
};

template <class Status>
int print(const Status& status, const StatusOptions& options) {
  if (!options.json) {
    print_text(to_text(status));
    return 0;
  }
  Json all = {{"file", options.file}};
  all.update(to_json(status));
  fmt::print("{}\n", all.dump(2, ' ', false, Json::error_handler_t::replace));
  return 0;
}

int status(const StatusOptions& options) {
  if (const auto measuring = measurement_status(options.file)) return print(*measuring, options);
  if (is_profile_file(options.file)) return print(read_profile(options.file), options);
  return print(campaign_status(options.file), options);
}

std::function<int()> set_up_status(CLI::App& app, const CommandContext&) {
  auto options = std::make_shared<StatusOptions>();
  app.add_option("FILE", options->file, "the archive that a campaign will write, or the profile that measure will")
      ->required();
  app.add_flag("--json", options->json, "print JSON");
  return [options] { return status(*options); };
}

}  // namespace

void register_command_status(CommandRegistry& registry) {
  registry.add({"status", "Say how far a campaign or a measurement is, from another terminal", {}, set_up_status});
}

}  // namespace palstudy
