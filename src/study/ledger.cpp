// SPDX-License-Identifier: MIT
#include "study/ledger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "archive/shard.hpp"
#include "core/error.hpp"

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

}  // namespace

bool has_shards(const std::filesystem::path& parts) {
  if (!std::filesystem::is_directory(parts)) return false;
  for (const auto& entry : std::filesystem::directory_iterator(parts)) {
    if (entry.path().extension() == ".shard") return true;
  }
  return false;
}

void check_output(const Study& study, const CampaignOptions& options) {
  const auto parts = parts_dir(options.output);
  const bool shards = has_own_shards(study, options, parts);
  if (shards && !options.resume) {
    throw usage_error("there are shards of an unfinished campaign", parts.string(),
                      "--resume goes on with it; to start afresh, remove the folder");
  }
  if (std::filesystem::is_directory(options.output)) {
    throw usage_error("is a directory", options.output.string(), "give the name of a file to -o");
  }
  // An archive beside its shards is a campaign that was killed while it cleaned up, or one with failed runs.
  if (std::filesystem::exists(options.output) && !options.force && !(shards && options.resume)) {
    throw usage_error("exists already", options.output.string(), "--force replaces it");
  }
}

Ledger read_ledger(const Study& study, const std::filesystem::path& parts) {
  Ledger ledger;
  if (!has_shards(parts)) return ledger;
  std::map<std::string, std::int64_t> numbers;
  for (const RunPlan& run : study.runs) numbers[run.id] = run.number;
  std::vector<std::string> problems;  // torn tails are what a kill leaves; the merge tells of them
  for (const RunRecord& record : read_shards(parts, problems)) {
    const auto known = numbers.find(record.id);
    if (known == numbers.end() || known->second != record.run) {
      throw usage_error(
          fmt::format("the shards hold run {} ({}), which this study has not at that place", record.run, record.id),
          parts.string(), "they are of another study: give another -o, or remove the folder");
    }
    (record.status == RunStatus::done ? ledger.done : ledger.failed).insert(record.run);
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
