// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "campaign/campaign.hpp"
#include "campaign/existing_archive.hpp"
#include "shard/input_sums.hpp"
#include "shard/shard_index.hpp"
#include "study/run_id.hpp"

namespace palstudy {

/// The checkpoints of runs of this study that are in the slice, by run.
struct FoundCheckpoint {
  const RunPlan* run;
  std::filesystem::path file;
};
[[nodiscard]] std::vector<FoundCheckpoint> own_checkpoints(const Study& study, const std::optional<Slice>& slice,
                                                           const std::filesystem::path& parts);

/// Refuses what must not be overwritten, before anything is written.
/// Errors (usage): an existing output without --force, shards without --resume, checkpoints with neither.
void check_output(const Study& study, const CampaignOptions& options);

/// The axes as /runs has them, by key: the axis "seed" is a fixed column and is left out.
using AxisTypes = std::map<std::string, ColumnType>;
[[nodiscard]] AxisTypes axis_types(const Study& study);
[[nodiscard]] AxisTypes axis_types(const TableData& runs);

/// The runs that have ended, by the numbers that this study gives them.
struct CompletedRuns {
  std::set<std::int64_t> done, failed;
};
/// What the shards hold, from a campaign before, and the archive beside them, if there is one to go on with. Runs are
/// known by their ids. Errors (usage): shards of another study, or of axes of other types.
[[nodiscard]] CompletedRuns read_completed_runs(const Study& study, const std::filesystem::path& parts,
                                                const std::optional<ExistingArchive>& existing);
/// Reads the completed runs repeatedly while the campaign goes on; only new parts of the shards are read again.
class CompletedRunsReader {
 public:
  CompletedRunsReader(const Study& study, const std::filesystem::path& parts);
  /// From here on runs that were made from other inputs than these are refused.
  void require(InputSums inputs) { inputs_ = std::move(inputs); }
  /// Errors (usage): as of `read_completed_runs`, and runs of other inputs.
  [[nodiscard]] CompletedRuns read(const std::optional<ExistingArchive>& existing);

 private:
  void see(const RunHead& head);

  std::filesystem::path parts_;
  InputSums inputs_;
  AxisTypes types_;
  RunNumbers numbers_;
  ShardHeads heads_;
  CompletedRuns shards_;
};

/// Indices into `study.runs` still to do, by number.
[[nodiscard]] std::vector<std::size_t> runs_to_do(const Study& study, const CampaignOptions& options,
                                                  const CompletedRuns& completed);

}  // namespace palstudy
