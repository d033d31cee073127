// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "study/campaign.hpp"

namespace palstudy {

/// Whether `FILE.h5.parts/` holds a shard.
[[nodiscard]] bool has_shards(const std::filesystem::path& parts);

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

/// Whether `--resume` finds nothing to do: an archive without shards that holds every run of this study.
/// Errors (usage): an archive of other runs, of other axes or of other inputs (`inputs`: their SHA-256).
[[nodiscard]] bool already_archived(const Study& study, const CampaignOptions& options,
                                    const std::map<std::string, std::string>& inputs);

/// The runs that the shards hold, from a campaign before. Errors (usage): shards of another study, or of axes of other
/// types.
struct Ledger {
  std::set<std::int64_t> done, failed;
};
[[nodiscard]] Ledger read_ledger(const Study& study, const std::filesystem::path& parts);

/// Indices into `study.runs` still to do, most expensive first, ties by number.
[[nodiscard]] std::vector<std::size_t> runs_to_do(const Study& study, const CampaignOptions& options,
                                                  const Ledger& ledger);

}  // namespace palstudy
