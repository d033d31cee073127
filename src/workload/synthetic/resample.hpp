// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "workload/job.hpp"

namespace palstudy {

/// What of a trace is drawn with replacement; `none`: nothing.
enum class Resampling { none, days, weeks, users };

/// The one of that name, as `workload.resample` has it. Errors (fault): none of that name.
[[nodiscard]] Resampling resampling_named(const std::string& name);

[[nodiscard]] std::string_view name_of(Resampling how);

/// What a trace has to draw from.
struct TraceBlocks {
  Resampling how = Resampling::none;
  std::size_t blocks = 0;     ///< days, whole weeks or users
  std::size_t groups = 1;     ///< a block takes the place of one of its own group; 7 where weekdays are kept
  std::size_t tail_days = 0;  ///< behind the last whole week: they stay as they are
  std::size_t empty = 0;      ///< days or weeks in which no job is submitted: they are drawn, and are no evidence

  /// "8 days", "1 whole week", "12 users", "91 days, 55 of them without jobs".
  [[nodiscard]] std::string text() const;
  /// Blocks with jobs.
  [[nodiscard]] std::size_t used() const { return blocks - empty; }
  /// Blocks with jobs that vary freely.
  [[nodiscard]] double degrees() const { return static_cast<double>(used()) - static_cast<double>(groups); }
  /// Variance of an estimate over variance of its resamples. Draws from n blocks spread about the mean of these n, by
  /// (n - 1) / n of the variance of the blocks (Efron and Tibshirani, An Introduction to the Bootstrap, 1993, section
  /// 5.3); with groups n is the blocks of each. Days that stay would have spread as well.
  [[nodiscard]] double widening() const;
};

/// A trace of fewer days than this has too few of each weekday to draw from: days are then drawn from all days.
inline constexpr std::size_t days_that_keep_weekdays = 28;

/// Days begin at midnight of the day in which the first job is submitted, times of the trace being since a midnight.
/// Users are those that a job names.
[[nodiscard]] TraceBlocks trace_blocks(const Workload& workload, Resampling how);

/// Another trace of the same length, by drawing blocks of this one with replacement.
/// Days and weeks: the block bootstrap with blocks that do not overlap (Carlstein, Annals of Statistics 14(3), 1986;
/// with overlapping ones Kuensch, Annals of Statistics 17(3), 1989, and, of random length, Politis and Romano, JASA
/// 89(428), 1994). Position p gets the block that the stream (seed, resampled, p) draws, among the days of its
/// own weekday if there are 28 days or more. Jobs keep their time within the block. Days behind the last whole week
/// stay as they are. Users: the cluster bootstrap (Davison and Hinkley, Bootstrap Methods and their Application, 1997,
/// section 3.8): all jobs of a drawn user come at their own times. Jobs that are drawn twice come twice. New ids count
/// from 0 in the order of arrival. `none` changes nothing.
void resample(Workload& workload, Resampling how, std::uint64_t seed);

}  // namespace palstudy
