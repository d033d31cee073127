// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "shard/input_sums.hpp"
#include "study/study.hpp"

namespace palstudy {

/// A key in which two resolved studies differ, with its values; no value where the key is not given.
struct KeyDifference {
  std::string key;
  std::optional<std::string> before, now;
};
/// The first key, in sorted order, in which two resolved studies differ so that their runs do. Names, what is compared,
/// when to stop and how often a run is saved make none; nor, if `may_grow`, do values at the end of an axis that only
/// one of them has.
[[nodiscard]] std::optional<KeyDifference> differing_key(const std::string& before, const std::string& now,
                                                         bool may_grow);
/// The same as a sentence, where axes may grow: "engine.round_s was 360 and is 300". "" if there is none.
[[nodiscard]] std::string first_difference(const std::string& before, const std::string& now);

/// Refuses to go on with the shards or checkpoints of a campaign whose study or inputs (`inputs`: now) were others, as
/// its description and the checkpoints themselves say; the shards are asked where their runs are read
/// (CompletedRunsReader). Without the description the ids of the runs still show whether they belong to this study.
/// `restarts`: checkpoints do not count, because the campaign starts again (--force).
/// Errors (usage): the first difference, with the value before and now.
void check_same_campaign(const Study& study, const InputSums& inputs, const std::filesystem::path& parts,
                         bool restarts);

}  // namespace palstudy
