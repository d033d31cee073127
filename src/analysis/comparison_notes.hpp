// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/run_values.hpp"
#include "archive/reader.hpp"
#include "study/study.hpp"

namespace palstudy {

/// "assumes: order fifo; backfill none; ...": in one line the settings that a gain depends on most, and what each of
/// the baselines, placements or systems, does to running jobs, and what each system is.
[[nodiscard]] std::string assumptions_line(const Study& study, const std::vector<std::string>& baselines);

/// Said of a study of several policies that names none of them as a baseline.
inline constexpr const char* no_baseline =
    "no gain is shown, since no policy of the study is named as a baseline: --baseline NAME, or [compare] baseline";
/// Follows what a study says of how often `[stop]` looked.
inline constexpr const char* after_looks =
    ". Looked at so often, a 95 % interval holds the truth in 91 to 95 % of studies, in 88 to 91 % where ratios are as "
    "skewed as an exponential law (docs/metrics.md)";

struct Comparison;

/// A GPU with a slowdown over this can make most of the gain of a policy that avoids it.
inline constexpr double straggler_slowdown = 2;

/// What the archive's runs warned of: warnings, and the names of uncalibrated job models, "; " between them.
struct RunNotes {
  std::vector<std::string> warnings;
  std::string uncalibrated;
};
[[nodiscard]] RunNotes run_notes(const ArchiveReader& archive);

/// "; the slowest GPU has a slowdown of 1.2 to 1.95": from run to run, where the archive has it.
[[nodiscard]] std::string slowest_gpu(const RunValues& runs);

/// Adds what is to be known of the runs before a gain is quoted: in how many the slowest GPU is over
/// `straggler_slowdown`, how many end after the horizon up to which energy is counted, how many jobs were killed at the
/// end of their estimates.
void add_run_warnings(const ArchiveReader& archive, const RunValues& runs, std::vector<std::string>& to);

/// Of the first metric and of those asked for: which gains are averages of parts with opposite signs, and which leave
/// out pairs that have no ratio.
[[nodiscard]] std::vector<std::string> warnings_of_gains(const Comparison& comparison);

/// What to do about an archive with one placement: compare another axis, one of policies where there is one.
[[nodiscard]] std::string advice_on_one_placement(const RunValues& runs);

}  // namespace palstudy
