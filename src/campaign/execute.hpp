// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "inputs/inputs.hpp"
#include "record/record.hpp"
#include "sim/result.hpp"
#include "sim/state/checkpoints.hpp"
#include "sim/state/exchange.hpp"
#include "study/study.hpp"

namespace palstudy {

/// What the simulation of a run leaves behind; its record can be made later, beside the simulation of the next one.
struct SimulatedRun {
  RunLabel label{};
  std::optional<RunResult> result{};  ///< on rank 0, unless it was stopped
  bool stopped = false;               ///< its state is kept, as far as that went well
  const Workload* workload;           ///< these belong to the inputs, which must outlive it
  const Slowdowns* truth;
  const Topology* topology;
  Partitioning partitioning;
  OutputTables tables;

  /// The result's tables and their digest. Asks for a result.
  [[nodiscard]] RunRecord record() const;
};

/// Simulates one planned run with the ranks of `exchange`, going on from its checkpoint, if there is one, and making
/// others.
[[nodiscard]] SimulatedRun simulate_run(const Study& study, const RunPlan& run, Inputs& inputs, Exchange& exchange,
                                        Checkpoints& checkpoints);

/// Simulates a run with these inputs in place of its own, with one rank.
[[nodiscard]] RunResult simulate_loaded(const RunPlan& run, const Inputs::Loaded& loaded);

/// What a run's record bears, its times left out (also for a record of failure).
[[nodiscard]] RunLabel label_of(const Study& study, const RunPlan& run);

/// Simulates one planned run with the ranks of `exchange` and makes its record; on rank 0, nothing elsewhere.
[[nodiscard]] std::optional<RunRecord> execute(const Study& study, const RunPlan& run, Inputs& inputs,
                                               Exchange& exchange);

}  // namespace palstudy
