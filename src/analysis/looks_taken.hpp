// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "analysis/run_claims.hpp"
#include "archive/reader.hpp"
#include "core/value.hpp"
#include "stats/interval.hpp"

namespace palstudy {

/// What a look of `[stop]` can find.
enum class LookResult {
  none,         ///< no look was taken
  no_claim,     ///< a run makes no claim
  no_ratio,     ///< a run cannot be compared
  no_interval,  ///< a comparison has no interval
  interval      ///< a comparison has one
};
[[nodiscard]] const char* name_of(LookResult what);

/// What a look found: the first run that is in the way, or the first comparison that is too wide, or the widest of all.
struct LookFinding {
  LookResult what = LookResult::none;
  std::string policy = {}, baseline = {};  ///< of the comparison
  std::size_t run = 0;                     ///< that makes no claim or cannot be compared
  NoClaim no_claim = NoClaim::none;
  std::size_t more = 0;         ///< runs that make no claim either
  NoInterval no_interval = {};  ///< why there is none
  double half_width = 0;        ///< of the interval of the ratio: 0.01 is 1 %
  friend bool operator==(const LookFinding&, const LookFinding&) = default;
};

/// The looks of `[stop]` that a study took.
struct LooksTaken {
  std::vector<std::size_t> seeds;  ///< at each of them
  std::size_t most_seeds = 0;      ///< at the last that there could be
  std::string metric;
  double relative_half_width = 0;  ///< that is wanted
  bool narrow = false;             ///< they ended because every comparison was narrow enough, else with the last look
  LookFinding why;                 ///< of the last that was taken
  friend bool operator==(const LooksTaken&, const LooksTaken&) = default;
};

/// As an archive keeps them.
[[nodiscard]] Value values_of(const LooksTaken& looks);
/// The inverse. Errors (data, at `where`): it is something else.
[[nodiscard]] LooksTaken looks_of(const Value& values, const std::string& where);

/// Those of an archive; none without `[stop]`, and before schema 1.9.
[[nodiscard]] std::optional<LooksTaken> archived_looks(const ArchiveReader& archive);

}  // namespace palstudy
