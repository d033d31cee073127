// SPDX-License-Identifier: MIT
#include "study/ledger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "archive/archive.hpp"
#include "archive/checkpoint_file.hpp"
#include "archive/layout.hpp"
#include "archive/shard.hpp"
#include "archive/shard_index.hpp"
#include "core/error.hpp"
#include "study/looks.hpp"
#include "study/same_campaign.hpp"

namespace palstudy {
namespace {

bool in_slice(const CampaignOptions& options, std::int64_t run) { return !options.slice || options.slice->has(run); }

// The elements of an array job share a folder: a slice minds only its own runs.
bool has_own_shards(const Study& study, const CampaignOptions& options, const std::filesystem::path& parts) {
  if (!has_shards(parts) || !options.slice) return has_shards(parts);
  const Ledger ledger = read_ledger(study, parts);
  const auto own = [&](std::int64_t run) { return in_slice(options, run); };
  return std::any_of(ledger.done.begin(), ledger.done.end(), own) ||
         std::any_of(ledger.failed.begin(), ledger.failed.end(), own);
}

// The axes as /runs has them: the axis "seed" is a fixed column.
using AxisTypes = std::map<std::string, ColumnType>;
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

/// Of a study with a stopping rule, what its seeds end at if the archive holds as much.
Study part_of_archive(const Study& study, const ArchiveReader& archive) {
  if (!study.stop) return study;
  const LookState state = look_at(study, outcomes_of(study, archive.table(TableId::runs)));
  return state.ends ? part_of(study, state.look) : study;
}

std::string refused_archive(const Study& study, const ArchiveReader& archive,
                            const std::map<std::string, std::string>& inputs) {
  const TableData runs = archive.table(TableId::runs);
  if (axis_types(runs) != axis_types(study)) return "is of a study with other axes";
  const auto& numbers = integers_of(runs, "run");
  const auto& ids = texts_of(runs, "id");
  const auto& statuses = texts_of(runs, "status");
  std::map<std::int64_t, std::size_t> rows;
  for (std::size_t row = 0; row < numbers.size(); ++row) rows.emplace(numbers[row], row);
  std::size_t there = 0;
  for (const RunPlan& run : study.runs) {
    const auto row = rows.find(run.number);
    if (row == rows.end()) continue;
    if (ids.at(row->second) != run.id) {
      const std::string what = first_difference(archive.resolved_study(), study.resolved);
      return fmt::format("is of another study, with another run {}{}{}", run.number, what.empty() ? "" : ": ", what);
    }
    if (statuses.at(row->second) != "done")
      return fmt::format("run {} of it failed, and the shards are gone", run.number);
    ++there;
  }
  if (there < study.runs.size() || numbers.size() > there) {
    return fmt::format("is finished, with {} runs, and the study has {}", numbers.size(), study.runs.size());
  }
  std::string sums;
  for (const auto& [path, sum] : inputs) sums += (sums.empty() ? "" : "\n") + sum + "  " + path;
  return archive.attribute("input_sha256") == sums ? "" : "is of other inputs: a file that the study names has changed";
}

}  // namespace

bool has_shards(const std::filesystem::path& parts) {
  if (!std::filesystem::is_directory(parts)) return false;
  for (const auto& entry : std::filesystem::directory_iterator(parts)) {
    if (entry.path().extension() == ".shard") return true;
  }
  return false;
}

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
  const auto shards = [&] { return has_own_shards(study, options, parts); };  // reads them all, if in slices
  if (!options.resume && shards()) {
    throw usage_error("there are shards of an unfinished campaign", parts.string(),
                      "--resume goes on with it; to start afresh, remove the folder");
  }
  if (!options.resume && !options.force && !own_checkpoints(study, options.slice, parts).empty()) {
    throw usage_error("there are checkpoints of an unfinished campaign", parts.string(),
                      "--resume goes on from them; --force starts afresh");
  }
  if (std::filesystem::is_directory(options.output)) {
    throw usage_error("is a directory", options.output.string(), "give the name of a file to -o");
  }
  // An archive beside its shards is a campaign that was killed while it cleaned up, or one with failed runs.
  // One without any shards is looked at by already_archived.
  const auto goes_on = [&] { return options.resume && (!has_shards(parts) || shards()); };
  if (std::filesystem::exists(options.output) && !options.force && !goes_on()) {
    throw usage_error("exists already", options.output.string(), "--force replaces it");
  }
}

bool already_archived(const Study& study, const CampaignOptions& options,
                      const std::map<std::string, std::string>& inputs) {
  if (!options.resume || has_shards(parts_dir(options.output))) return false;
  if (!std::filesystem::is_regular_file(options.output)) return false;
  std::string refused;
  try {
    const ArchiveReader archive(options.output);
    refused = refused_archive(part_of_archive(study, archive), archive, inputs);
  } catch (const Error& error) {
    throw usage_error(std::string("exists already and is no archive to go on with: ") + error.what(),
                      options.output.string(), "give another -o");
  }
  if (refused.empty()) return true;
  throw usage_error(refused, options.output.string(), "give another -o; --force without --resume replaces this one");
}

Ledger read_ledger(const Study& study, const std::filesystem::path& parts) {
  Ledger ledger;
  if (!has_shards(parts)) return ledger;
  std::map<std::string, std::int64_t> numbers;
  for (const RunPlan& run : study.runs) numbers[run.id] = run.number;
  const AxisTypes types = axis_types(study);
  const auto check = [&](const RunRecord& head) {
    const auto known = numbers.find(head.id);
    if (known == numbers.end() || known->second != head.run) {
      throw usage_error(
          fmt::format("the shards hold run {} ({}), which this study has not at that place", head.run, head.id),
          parts.string(), "they are of another study: give another -o, or remove the folder");
    }
    if (!head.runs.columns.empty() && axis_types(head.runs) != types) {
      throw usage_error("the shards are of a study with other axes, or with other types of values on them",
                        parts.string(), "restore the axes, give another -o, or remove the folder");
    }
  };
  // Torn tails are what a kill leaves; the merge tells of them.
  for (const ShardRun& run : index_shards(parts, check).runs) {
    (run.status == RunStatus::done ? ledger.done : ledger.failed).insert(run.run);
  }
  return ledger;
}

std::vector<std::size_t> runs_to_do(const Study& study, const CampaignOptions& options, const Ledger& ledger) {
  std::vector<std::size_t> todo;
  for (std::size_t i = 0; i < study.runs.size(); ++i) {
    const std::int64_t run = study.runs[i].number;
    const bool ended = ledger.done.contains(run) || (ledger.failed.contains(run) && !options.retry_failed);
    if (in_slice(options, run) && !ended) todo.push_back(i);
  }
  std::sort(todo.begin(), todo.end(), [&](std::size_t a, std::size_t b) {
    const RunPlan &left = study.runs[a], &right = study.runs[b];
    return left.cost != right.cost ? left.cost > right.cost : left.number < right.number;
  });
  return todo;
}

}  // namespace palstudy
