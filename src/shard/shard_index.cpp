// SPDX-License-Identifier: MIT
#include "shard/shard_index.hpp"

#include <algorithm>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "core/error.hpp"
#include "shard/run_frame.hpp"

namespace palstudy {
namespace {

/// Far under the 1,024 that systems allow a process.
constexpr std::size_t most_open = 256;

}  // namespace

ShardIndex index_shards(const std::filesystem::path& parts) {
  ShardIndex index;
  std::unordered_map<std::string, std::size_t> place_of;  // looked up only
  const auto keep = [&](ShardRun run) {
    const auto [place, fresh] = place_of.try_emplace(run.id, index.runs.size());
    if (fresh) {
      index.runs.push_back(std::move(run));
    } else if (index.runs[place->second].status == RunStatus::failed) {
      index.runs[place->second] = std::move(run);
    }
  };
  for (const auto& path : shard_files(parts)) {
    bool first = true;
    const auto read = read_frames(run_frames(), path, [&](const std::string& id, auto payload, std::uint64_t place) {
      RunHead head;
      std::string problem = decode_head(payload, std::exchange(first, false), head);
      if (problem.empty()) keep({head.record.run, id, head.record.status, index.files.size(), place, payload.size()});
      return problem;
    });
    if (!read) continue;
    index.files.push_back(path);
    if (!read->wrong.empty())
      index.problems.push_back(path.string() + " " + read->wrong + "; its other frames are kept.");
  }
  std::ranges::stable_sort(index.runs, [](const ShardRun& a, const ShardRun& b) { return a.run < b.run; });
  return index;
}

void ShardHeads::read_new(const SeeHead& see) {
  for (const auto& file : shard_files(parts_)) {
    const auto seen = sizes_.try_emplace(file, ShardSize{0, 0}).first;
    std::error_code gone;
    if (seen->second.size > 0 && std::filesystem::file_size(file, gone) == seen->second.size && !gone) continue;
    if (seen->second.size == 0) require_version(run_frames(), file);
    RunHead head;
    const auto see_frame = [&](const std::string& id, std::span<const std::byte> payload, std::uint64_t place) {
      head.record.id = id;
      std::string problem = decode_head(payload, seen->second.end == 0, head);
      if (!problem.empty()) return problem;
      see(head);
      head.record.runs = {};
      seen->second.end = place + payload.size();
      return problem;
    };
    const auto read = read_frames(run_frames(), file, see_frame, seen->second.end);
    if (read) seen->second = {read->size, read->end};
  }
}

bool ShardHeads::lost() const {
  return std::ranges::any_of(sizes_, [](const auto& file) {
    std::error_code gone;
    const auto size = std::filesystem::file_size(file.first, gone);
    return gone || size < file.second.size;
  });
}

const FileBytes& ShardRecords::file(std::size_t i) {
  const auto found = std::ranges::find_if(open_, [i](const auto& open) { return open.first == i; });
  if (found != open_.end()) return found->second;
  auto file = FileBytes::open(index_.files[i]);
  if (!file) {
    throw data_error("the shard has gone while it was merged", index_.files[i].string(),
                     "leave this folder to palstudy alone, and resume");
  }
  if (open_.size() == most_open) open_.pop_front();
  return open_.emplace_back(i, std::move(*file)).second;
}

const RunRecord& ShardRecords::record(std::size_t i) {
  const ShardRun& run = index_.runs.at(i);
  payload_.resize(static_cast<std::size_t>(run.length));
  file(run.file).read(run.place, payload_);
  record_ = {};
  record_.id = run.id;
  if (const std::string wrong = decode_payload(payload_, record_); !wrong.empty()) {
    throw data_error("holds a frame that cannot be: " + wrong, index_.files[run.file].string(),
                     "remove this shard and resume: its runs are computed again");
  }
  return record_;
}

}  // namespace palstudy
