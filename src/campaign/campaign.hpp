// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "parallel/mpi.hpp"
#include "study/study.hpp"

namespace palstudy {

/// `--slice I/N`: the runs whose number modulo N is I - 1.
struct Slice {
  std::int64_t index = 1, count = 1;
  [[nodiscard]] bool has(std::int64_t run) const { return run % count == index - 1; }
};
/// Errors (usage): not I/N with 1 <= I <= N.
[[nodiscard]] Slice parse_slice(const std::string& text);

/// The options of `palstudy run`.
struct CampaignOptions {
  std::filesystem::path output;
  bool resume = false, force = false, retry_failed = false;
  std::optional<Slice> slice;
  std::optional<double> time_limit_s;
  int team = 1;               ///< ranks that simulate one run together
  bool explain_comm = false;  ///< print the messages between the ranks of a team
  std::string command_line;
  std::optional<double> available_mib;  ///< memory of this host, for tests; else what the system says
};

/// Collective. Runs a study over the ranks of `mpi` and merges the shards into the archive; returns the exit code.
/// All ranks throw the same AgreedError; nothing is written before the inputs of all runs have been checked.
/// Errors: usage (an existing output, shards of another campaign), data (inputs, a full disk; some runs failed),
/// stopped (a signal or the time limit; can be resumed).
int run_campaign(const Study& study, const CampaignOptions& options, Mpi& mpi);

/// What the archive holds that `merge` wrote; the failed runs are among all.
struct Merged {
  std::int64_t runs = 0, failed = 0;
};
/// Collective. Shards to archive, `palstudy merge`: rank 0 does it, and the others pack chunks for it. Of a study with
/// a stopping rule it takes the look that is due, and if that does not end the study, writes the plan of the next one
/// for the slices. All ranks get the same; whether failed runs are an error is for
/// `require_no_failed`. Errors: data (no shards), stopped (runs are missing; the next look wants more seeds).
[[nodiscard]] Merged merge_campaign(const std::filesystem::path& output, bool force, const std::string& command_line,
                                    Mpi& mpi);

/// What `run` and `merge` end with where runs failed. Errors (data, agreed): `failed` is not 0.
void require_no_failed(const std::filesystem::path& output, std::int64_t failed, std::int64_t runs);

}  // namespace palstudy
