// SPDX-License-Identifier: MIT
#include "campaign/campaign_status.hpp"

#include <iterator>
#include <set>

#include "analysis/earlier_lines.hpp"
#include "analysis/looks_taken.hpp"
#include "archive/reader.hpp"
#include "campaign/campaign_info.hpp"
#include "campaign/completed_runs.hpp"
#include "campaign/interim_analysis.hpp"
#include "campaign/merge.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "shard/campaign_lock.hpp"
#include "shard/checkpoint_file.hpp"
#include "shard/parts_folder.hpp"
#include "shard/run_frame.hpp"
#include "words/looks_text.hpp"

namespace palstudy {
namespace {

std::string describe(const Study& study, const LookState& state) {
  if (state.ends) return looks_text(looks_taken(study, state));
  const std::string before = finding_text(state.why);
  return name_of_look(study, state.look) + (before.empty() ? "" : "; at the look before, " + before);
}

std::string describe_looks(const ArchiveReader& archive) {
  const auto looks = archived_looks(archive);
  return looks ? looks_text(*looks) : earlier_lines(archive).looks;
}

/// The command that began a campaign, as it goes on.
std::string resumed(const std::string& command_line) {
  std::string command;
  for (const std::string& word : split(command_line, ' ')) {
    if (word != "--force" && word != "--resume") command += word + " ";
  }
  return command + "--resume";
}

}  // namespace

std::string look_text(const Study& study, const std::filesystem::path& output) {
  if (!study.stop) return "";
  return describe(study, look_at(study, outcomes_of(study, parts_dir(output), std::nullopt))) + "\n";
}

CampaignStatus campaign_status(const std::filesystem::path& output) {
  const auto parts = parts_dir(output);
  if (!std::filesystem::exists(output)) require_folder(parts);
  // Without its description a campaign beside an archive is one that is being tidied up, or was not.
  const bool at_work = std::filesystem::is_directory(parts) &&
                       (std::filesystem::exists(parts / "campaign.json") || !std::filesystem::exists(output));
  if (at_work) {
    const SavedCampaign saved = load_campaign(parts);
    const auto existing = find_existing_archive(saved.study, output, {});
    const CompletedRuns completed = read_completed_runs(saved.study, parts, existing);
    CampaignStatus status;
    status.runs = static_cast<std::int64_t>(saved.study.runs.size());
    if (saved.study.stop) {
      // The first look that is not complete, or the last.
      const LookState state = look_at(saved.study, outcomes_of(saved.study, parts, existing));
      status.look = describe(saved.study, state);
      status.runs = static_cast<std::int64_t>(runs_at(saved.study, state.look));
    }
    const auto up_to = [&](const std::set<std::int64_t>& runs) {
      return std::distance(runs.begin(), runs.lower_bound(status.runs));
    };
    status.done = up_to(completed.done);
    status.failed = up_to(completed.failed);
    // Beside an archive with failed runs the shards stay, for these to be tried again.
    const bool unwritten = status.failed == 0 || !std::filesystem::exists(output);
    if (unwritten && status.done + status.failed == status.runs) status.left_to_do = merge_command(parts);
    status.running = CampaignLock::is_held(parts);
    if (!status.running) {
      status.next = status.left_to_do.empty() ? resumed(saved.provenance.command_line)
                                              : status.left_to_do + " " + shell_word(output.string());
    }
    for (const auto& [run, file] : own_checkpoints(saved.study, std::nullopt, parts)) {
      const auto head = peek_checkpoint(file);
      if (!head || completed.done.contains(run->number)) continue;
      status.begun.push_back({run->number, run->id, head->time_s, head->size});
    }
    return status;
  }
  if (!std::filesystem::exists(output)) {
    throw data_error("neither an archive nor a campaign is there", output.string(),
                     "start it with palstudy run; nothing was started, or it was killed before a run ended");
  }
  const ArchiveReader archive(output);
  const TableData runs = archive.table(TableId::runs);
  CampaignStatus status;
  status.archived = true;
  status.next = "palstudy compare " + shell_word(output.string());
  status.runs = static_cast<std::int64_t>(runs.rows());
  status.look = describe_looks(archive);
  for (std::size_t c = 0; c < runs.columns.size(); ++c) {
    if (runs.columns[c].name != "status") continue;
    const auto& column = std::get<TextColumn>(runs.values[c]);
    for (const auto code : column.codes) {
      ++(column.names[static_cast<std::size_t>(code)] == "done" ? status.done : status.failed);
    }
  }
  return status;
}

}  // namespace palstudy
