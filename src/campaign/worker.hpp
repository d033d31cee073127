// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "campaign/campaign.hpp"
#include "core/stop_signals.hpp"
#include "inputs/inputs.hpp"
#include "parallel/agree.hpp"
#include "parallel/mpi.hpp"
#include "shard/input_sums.hpp"
#include "sim/state/exchange.hpp"

namespace palstudy {

/// What the loop over runs is given; the same on every rank.
struct RunLoopInputs {
  const Study& study;
  const std::vector<std::size_t>& todo;  ///< indices into study.runs, in the order in which they are taken
  std::vector<std::size_t> likely_us;    ///< microseconds that each of them will probably take, at least 1
  std::filesystem::path parts;
  std::string start;       ///< first part of the names of the shards
  const InputSums& files;  ///< of the study, as shards and checkpoints name them
  const StopSignals& signals;
  std::optional<double> time_limit_s;  ///< from here on
  int team = 1;                        ///< ranks that simulate one run together
};

/// What came of it, on every rank alike.
struct LoopResult {
  std::int64_t done = 0, failed = 0;
  bool stopped = false;  ///< runs are left, because of a signal or the time limit; those at hand have a checkpoint
  double elapsed_s = 0;
  ExchangeCounts exchanged;  ///< by this rank with its team
  /// What came of one loop after another.
  LoopResult& operator+=(const LoopResult& next);
};

/// How long before its time limit a campaign begins to stop, so that the checkpoints that are due then are written when
/// it comes: twice `saving_s`, what the longest checkpoint so far took; at least a second or 2 % of the limit,
/// whichever is less; at most half of the limit.
[[nodiscard]] double stops_ahead_s(double limit_s, double saving_s);

/// Collective. Every team takes runs from the shared counter, simulates them and appends them to a shard of its own
/// until none is left, or until all are to stop: then runs at hand are left at a boundary, with a checkpoint from which
/// the next campaign goes on. A run that throws an error that is no fault is recorded as failed and the others go on;
/// any other error stops all ranks and is thrown by all. No collective call is made between the first and the last run.
[[nodiscard]] LoopResult run_all(const RunLoopInputs& loop, Inputs& inputs, Mpi& mpi);

/// Collective: prints, on rank 0 and to standard output, the measured messages of every rank to its team, a line a
/// rank. A boundary is one gather of all partitions' summaries.
void explain_comm(Mpi& mpi, const ExchangeCounts& counts);

}  // namespace palstudy
