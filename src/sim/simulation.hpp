// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <memory>

#include "policy/order_policy.hpp"
#include "policy/placement_policy.hpp"
#include "sim/result.hpp"
#include "topology/topology.hpp"
#include "variability/bins.hpp"
#include "variability/slowdowns.hpp"
#include "workload/job.hpp"

namespace palstudy {

enum class Completion { exact, round };
enum class Start { round, event };
enum class StickyVictims { give_back, stay_stopped };
enum class Backfill { none, greedy };

/// `[engine]` and `policy.backfill` of the study.
struct EngineOptions {
  double round_s = 360;
  Completion completion = Completion::exact;
  Start start = Start::round;
  double migration_s = 0;
  StickyVictims sticky_victims = StickyVictims::give_back;
  double starvation_s = std::numeric_limits<double>::infinity();
  Backfill backfill = Backfill::none;
  /// For tests: look at every boundary, also where nothing can change. The result must not know.
  bool visit_every_boundary = false;
};

/// `[measure]`: jobs first..last by the trace's id, or those that arrive in a window.
struct MeasureOptions {
  bool by_window = false;
  std::int64_t first = 0, last = 159;                      ///< inclusive, trace ids
  double warmup_s = 0, window_s = 0;                       ///< jobs that arrive in [warmup_s, warmup_s + window_s)
  double end_s = std::numeric_limits<double>::infinity();  ///< give up at the first boundary at or after it
};

struct RecordOptions {
  bool events = false;
  bool rounds = false;
};

/// What one run is made of; everything must outlive it. The policies belong to the run.
struct World {
  const Topology& topology;
  const Slowdowns& truth;            ///< sets the rates, unbinned
  const Bins& believed;              ///< what the policies see
  const Workload& workload;          ///< classes already those of `truth` (Job::cls indexes its class names)
  LocalityPenalty penalty;           ///< physics: `network.penalty`
  LocalityPenalty believed_penalty;  ///< `policy.locality`
  EngineOptions engine;
  MeasureOptions measure;
  RecordOptions record;
};

/// Simulates one run from time 0 until the boundary at which the last measured job finishes (launches of that boundary
/// included) or `measure.end_s`. Knows no MPI, no HDF5, no file.
/// Errors (data): a job wider than the cluster, a measured set without jobs.
[[nodiscard]] RunResult simulate(const World& world, const OrderPolicy& order, PlacementPolicy& placement);

}  // namespace palstudy
