// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>

namespace palstudy {

/// How far two archives agree: the same digest; the same schedule (of every run, the event tables, or where either
/// has none the starts and finishes of its jobs); within intervals (the 95 % t-intervals of the mean of the compare
/// metric over the runs of each combination of `policy.` axes overlap; a single run has no interval and must agree to
/// 1e-9); or different.
enum class Agreement { identical, same_schedule, within_intervals, different };
struct Difference {
  Agreement agreement;
  std::string detail;  ///< the first difference, in words
};
/// Runs are matched by id; a run that only one has makes them different. Errors (data): one of them is damaged,
/// whatever digest it states; NotAnArchive.
[[nodiscard]] Difference diff_archives(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace palstudy
