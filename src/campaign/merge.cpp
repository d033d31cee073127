// SPDX-License-Identifier: MIT
#include "campaign/merge.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <array>
#include <iterator>
#include <set>

#include "archive/file_checks.hpp"
#include "archive/reader.hpp"
#include "campaign/batch_job_file.hpp"
#include "campaign/campaign.hpp"
#include "campaign/campaign_info.hpp"
#include "campaign/completed_runs.hpp"
#include "campaign/merged_records.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/progress_report.hpp"
#include "core/text.hpp"
#include "core/wrapped_text.hpp"
#include "inputs/cluster_inputs.hpp"
#include "inputs/inputs.hpp"
#include "inputs/measured_jobs.hpp"
#include "parallel/agree.hpp"
#include "record/tables.hpp"
#include "shard/campaign_lock.hpp"
#include "shard/input_sums.hpp"
#include "shard/parts_folder.hpp"
#include "shard/run_frame.hpp"
#include "shard/shard_index.hpp"
#include "words/looks_text.hpp"

namespace palstudy {
namespace {

void check_complete(const Study& study, const std::set<std::int64_t>& held, const std::filesystem::path& parts) {
  for (const RunPlan& run : study.runs) {
    if (held.contains(run.number)) continue;
    throw Error(ErrorCode::stopped,
                fmt::format("no shard holds run {}; {} of {} runs are there", run.number, grouped(held.size()),
                            grouped(study.runs.size())),
                parts.string(), "palstudy run --resume, with all slices, makes the others");
  }
}

/// Takes the looks that can be taken. Where seeds are to be added, it leaves the plan of the next look for the
/// slices. Errors (stopped): more seeds are wanted, or runs of the planned look are missing.
LookState next_state(const Study& study, const std::filesystem::path& parts,
                     const std::optional<ExistingArchive>& existing) {
  const LookState state = look_at(study, outcomes_of(study, parts, existing));
  if (state.ends) return state;
  const std::string name = name_of_look(study, state.look);
  if (state.look <= planned_look(study, parts)) {
    throw Error(ErrorCode::stopped,
                fmt::format("{} of {} runs of {} are there", state.ended, runs_at(study, state.look), name),
                parts.string(), "palstudy run --resume, with all slices, makes the others");
  }
  write_plan(study, state.look, parts);
  throw Error(ErrorCode::stopped,
              fmt::format("{}\n  goes on with {}: palstudy run --resume with all slices, then palstudy merge",
                          finding_text(state.why), name));
}

}  // namespace

std::string merge_command(const std::filesystem::path& parts) {
  return replaces_archive(parts) ? "palstudy merge --force" : "palstudy merge";
}

void write_from_shards(const Study& whole, const std::optional<LookState>& look, Inputs& inputs, Provenance provenance,
                       const ArchiveWriting& writing) {
  const auto& [parts, existing, output, signals] = writing;
  std::optional<Study> part;
  if (look) {
    part = part_of(whole, look->look);
    provenance.resolved_study = part->resolved;
    const LooksTaken looks = looks_taken(whole, *look);
    provenance.looks = values_of(looks);
    log_wrapped(looks_text(looks));
  }
  const Study& study = part ? *part : whole;
  MergedRecords records(study, index_shards(parts), existing);
  for (const auto& problem : records.problems()) spdlog::warn("{}", problem);  // may be why a run is missing
  check_complete(study, records.numbers(), parts);
  provenance.end_utc = utc_now();
  provenance.resampled = inputs.trace_blocks();
  provenance.measured_sets = values_of(sets_of(inputs.measured(), study.runs.size()));
  provenance.jobs = read_batch_jobs(parts);
  if (existing) provenance.jobs = with_earlier_batch_jobs(*existing, provenance.jobs);
  const auto clusters = archived_clusters(study, inputs);  // draws them, if need be; then the measurements are there
  const ProgressReport step(fmt::format("writing {}", output.string()));
  InterruptibleSource until(records, signals, output, merge_command(parts));
  write_archive(output, until, clusters, provenance, inputs.measurements());
}

namespace {

/// True for the files that a campaign makes; no links, no folders.
bool is_campaign_file(const std::filesystem::directory_entry& entry) {
  static const std::array<std::string, 5> names = {"campaign.json", "study.toml", "next-look.json", "*.job.json",
                                                   "*.ckpt"};
  return is_file_named(entry, names) || is_shard_of(run_frames(), entry);
}

/// The folder of a slice holds its lock and nothing else.
void remove_slice(const std::filesystem::directory_entry& entry) {
  std::error_code ignored;
  if (entry.is_symlink(ignored) || !entry.path().filename().string().starts_with("slice-")) return;
  for (const auto& inner : std::filesystem::directory_iterator(entry.path(), ignored)) {
    if (CampaignLock::is_file_of(inner.path())) std::filesystem::remove(inner.path(), ignored);
  }
  std::filesystem::remove(entry.path(), ignored);  // only if that leaves it empty
}

}  // namespace

void remove_shards(const std::filesystem::path& parts) {
  std::error_code ignored;  // left-over shards beside an archive are a legal state
  // The file that marks the archive as an old one goes first: from then on the archive beside left-over shards is the
  // new one.
  std::filesystem::remove(parts / "campaign.json", ignored);
  const std::string left = clear_parts(parts, [&](const std::filesystem::directory_entry& entry) {
    if (is_campaign_file(entry)) std::filesystem::remove(entry.path(), ignored);
    if (entry.is_directory(ignored)) remove_slice(entry);
  });
  if (!left.empty()) spdlog::warn("{}", left);
}

void tell_first_failed(const std::filesystem::path& archive) {
  const TableData runs = ArchiveReader(archive).table(TableId::provenance_runs);
  const TextColumn& reasons = texts_of(runs, "reason");
  for (std::size_t row = 0; row < runs.rows(); ++row) {
    if (reasons.at(row).empty()) continue;
    return spdlog::warn("run {}: {}", integers_of(runs, "run")[row], reasons.at(row));
  }
}

namespace {

Error no_shards(const std::filesystem::path& parts) {
  return data_error("there are no shards to merge", parts.string(),
                    "palstudy run makes them; palstudy status shows whether the archive already holds them");
}

Merged merge_shards(const StopSignals& signals, const std::filesystem::path& output, bool force,
                    const std::string& command_line) {
  const auto parts = parts_dir(output);
  require_folder(parts);
  if (shard_files(parts).empty()) throw no_shards(parts);
  auto lock = CampaignLock::begin(parts);
  if (shard_files(parts).empty()) {  // the previous holder of the lock has merged them
    lock.remove_file();
    throw no_shards(parts);
  }
  SavedCampaign saved = load_campaign(parts);
  CompletedRunsReader shards(saved.study, parts);
  shards.require(saved.provenance.input_sha256);
  (void)shards.read(std::nullopt);  // refuses shards of another study
  Inputs inputs(saved.study);
  inputs.check();
  if (const auto what = changed_input(saved.provenance.input_sha256, inputs.sha256()); !what.empty()) {
    throw data_error("inputs of the study have changed since the shards were written: " + what,
                     saved.study.file.string(), "restore them, or run the study again");
  }
  std::optional<ExistingArchive> existing;
  if (force) {
    require_new_hdf5(output, true, archive_schema_name);
  } else {
    if (std::filesystem::exists(output) && replaces_archive(parts))
      throw usage_error("exists already", output.string(), "--force replaces it");
    existing = find_existing_archive(saved.study, output, saved.provenance.input_sha256);
  }
  saved.provenance.command_line += saved.provenance.command_line.empty() ? "" : "\n";
  saved.provenance.command_line += command_line;
  const ArchiveWriting writing{parts, existing, output, signals};
  std::optional<LookState> look;
  if (saved.study.stop) look = next_state(saved.study, parts, existing);
  write_from_shards(saved.study, look, inputs, saved.provenance, writing);
  const auto runs = static_cast<std::int64_t>(runs_at(saved.study, look ? look->look : 0));
  const std::set<std::int64_t> failed = shards.read(existing).failed;
  if (!failed.empty()) tell_first_failed(output);
  remove_shards(parts);
  lock.remove_file();
  spdlog::info("{} holds all of the study, {}", output.string(), counted(static_cast<std::size_t>(runs), "run"));
  return {runs, std::distance(failed.begin(), failed.lower_bound(runs))};
}

}  // namespace

Merged merge_campaign(const std::filesystem::path& output, bool force, const std::string& command_line, Mpi& mpi) {
  Merged merged;
  const StopSignals signals;  // on every rank, so that no rank ends before rank 0
  on_rank_0(mpi, [&] { merged = merge_shards(signals, output, force, command_line); });
  return {mpi.max(merged.runs), mpi.max(merged.failed)};
}

}  // namespace palstudy
