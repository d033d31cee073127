// SPDX-License-Identifier: MIT
#include "campaign/completed_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "archive/file_checks.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "inputs/shared_inputs.hpp"
#include "record/tables.hpp"
#include "shard/checkpoint_file.hpp"
#include "shard/parts_folder.hpp"
#include "shard/run_frame.hpp"
#include "study/bundle_manifest.hpp"

namespace palstudy {
namespace {

bool in_slice(const CampaignOptions& options, std::int64_t run) { return !options.slice || options.slice->has(run); }

// The elements of an array job share a folder: a slice minds only its own runs.
bool has_own_shards(const Study& study, const CampaignOptions& options, const std::filesystem::path& parts) {
  if (const bool none = shard_files(parts).empty(); none || !options.slice) return !none;
  const CompletedRuns completed = read_completed_runs(study, parts, std::nullopt);
  const auto own = [&](std::int64_t run) { return in_slice(options, run); };
  return std::ranges::any_of(completed.done, own) || std::ranges::any_of(completed.failed, own);
}

}  // namespace

std::vector<FoundCheckpoint> own_checkpoints(const Study& study, const std::optional<Slice>& slice,
                                             const std::filesystem::path& parts) {
  std::vector<FoundCheckpoint> found;
  const auto files = checkpoint_files(parts);
  if (files.empty()) return found;
  std::map<std::string, std::filesystem::path> by_id;
  for (const auto& file : files) by_id.emplace(file.stem().string(), file);
  for (const RunPlan& run : study.runs) {
    const auto file = by_id.find(run.id);
    if (file != by_id.end() && (!slice || slice->has(run.number))) found.push_back({&run, file->second});
  }
  return found;
}

void check_output(const Study& study, const CampaignOptions& options) {
  const auto parts = parts_dir(options.output);
  require_folder(parts);
  if (std::filesystem::exists(parts / "measure.json")) {
    throw usage_error("is the unfinished profile of palstudy measure", parts.string(), "give another -o");
  }
  if (!options.resume && has_own_shards(study, options, parts)) {
    throw usage_error("there are shards of an unfinished campaign", parts.string(),
                      "--resume goes on with it; to start again, remove the folder");
  }
  if (!options.resume && !options.force && !own_checkpoints(study, options.slice, parts).empty()) {
    throw usage_error("there are checkpoints of an unfinished campaign", parts.string(),
                      "--resume goes on from them; --force starts again");
  }
  // With --resume find_existing_archive looks at what is there.
  if (options.resume) return require_new_output(options.output, true);
  std::vector<std::filesystem::path> read = {study.file};
  if (!study.bundled.sha256.empty()) read.push_back(study.file.parent_path() / bundled_archive_name);
  if (std::filesystem::exists(options.output)) {  // looking for the inputs lists folders, which a campaign does once
    for (const auto& input : input_paths(study)) read.push_back(input);
  }
  require_new_hdf5(options.output, options.force, archive_schema_name, read);
}

AxisTypes axis_types(const Study& study) {
  AxisTypes types;
  for (const Axis& axis : study.axes) {
    if (axis.key != "seed") types.emplace(axis.key, axis.type);
  }
  return types;
}

AxisTypes axis_types(const TableData& runs) {
  AxisTypes types;
  for (const Column& column : runs.columns) {
    if (find_column(TableId::runs, column.name) == nullptr) types.emplace(column.name, column.type);
  }
  return types;
}

CompletedRunsReader::CompletedRunsReader(const Study& study, const std::filesystem::path& parts)
    : parts_(parts), types_(axis_types(study)), numbers_(study), heads_(parts) {}

void CompletedRunsReader::see(const RunHead& head) {
  const RunRecord& record = head.record;
  const auto number = numbers_.find(record.id, record.run);
  if (!number) {
    throw usage_error(fmt::format("the shards hold run {} ({}), which this study has not", record.run, record.id),
                      parts_.string(), "they are of another study: give another -o, or remove the folder");
  }
  if (const auto what = changed_input(head.inputs, inputs_); !what.empty()) {
    throw usage_error(fmt::format("the shards hold run {} of other inputs: {}", record.run, what), parts_.string(),
                      "restore it, give another -o, or remove the folder");
  }
  if (!record.runs.columns.empty() && axis_types(record.runs) != types_) {
    throw usage_error("the shards are of a study with other axes, or with other types of values on them",
                      parts_.string(), "restore the axes, give another -o, or remove the folder");
  }
  std::set<std::int64_t>& runs = record.status == RunStatus::done ? shards_.done : shards_.failed;
  runs.insert(runs.end(), *number);  // they often come in order
}

CompletedRuns CompletedRunsReader::read(const std::optional<ExistingArchive>& existing) {
  if (heads_.lost()) {
    heads_ = ShardHeads(parts_);
    shards_ = {};
  }
  // A killed process leaves incomplete frames; the merge reports them.
  heads_.read_new([this](const RunHead& head) { see(head); });
  CompletedRuns completed = shards_;
  if (existing) {
    completed.done.insert(existing->done.begin(), existing->done.end());
    completed.failed.insert(existing->failed.begin(), existing->failed.end());
  }
  std::erase_if(completed.failed, [&](std::int64_t run) { return completed.done.contains(run); });
  return completed;
}

CompletedRuns read_completed_runs(const Study& study, const std::filesystem::path& parts,
                                  const std::optional<ExistingArchive>& existing) {
  return CompletedRunsReader(study, parts).read(existing);
}

std::vector<std::size_t> runs_to_do(const Study& study, const CampaignOptions& options,
                                    const CompletedRuns& completed) {
  std::vector<std::size_t> todo;
  for (std::size_t i = 0; i < study.runs.size(); ++i) {
    const std::int64_t run = study.runs[i].number;
    const bool ended = completed.done.contains(run) || (completed.failed.contains(run) && !options.retry_failed);
    if (in_slice(options, run) && !ended) todo.push_back(i);
  }
  return todo;
}

}  // namespace palstudy
