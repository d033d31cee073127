// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/ids.hpp"

namespace palstudy {

/// The state of one partition between two instants, as bytes of this binary.
struct SavedPartition {
  PartitionId id;
  double cost_s = 0;  ///< seconds of wall time that it has cost so far; 0 where that is not counted
  std::string bytes;
  void serialize(auto& archive, unsigned /*version*/) { (archive & id & cost_s & bytes); }
};

/// The state of a run between two instants: what every rank keeps alike, and each partition by itself, so that any
/// number of ranks can go on from it. Without what follows from the study: cluster, bins, jobs, the index of free GPUs.
struct RunState {
  double time_s = 0;           ///< the next instant
  std::uint64_t instants = 0;  ///< gone through
  std::string shared;
  std::vector<SavedPartition> partitions;
};

/// What a rank requests at an instant; all ranks of a team do the strongest request.
enum class CheckpointRequest : std::int64_t { none, save, stop };

/// How far a run is at the end of an instant, on one rank: of its partitions, and of what all know.
struct StepReport {
  double time_s = 0;
  std::uint64_t arrived = 0;                               ///< jobs
  std::uint64_t events = 0, event_gpus = 0, failures = 0;  ///< rows written down so far, where these are kept
  std::int64_t measured_left = 0;                          ///< measured jobs that have not finished
};

/// Keeps the state of a run outside it, and says when. The engine saves at the end of the instant at which the ranks
/// of the team have agreed on a request; saving reads the state and changes nothing of it.
class Checkpoints {
 public:
  virtual ~Checkpoints() = default;

  /// Called at the end of every instant; reads the run and changes nothing of it.
  virtual void instant_ended(const StepReport& report) { (void)report; }
  /// Called on every rank at every instant, so it has to be cheap. A request that stays is carried out at every
  /// instant.
  [[nodiscard]] virtual CheckpointRequest request() = 0;
  /// On the first rank: the whole state. What goes wrong with it is no reason to end the run, so nothing is thrown.
  virtual void save(const RunState& state) = 0;

  /// On the first rank, before a run begins: if there is something to go on from, what its partitions have cost.
  /// Throws nothing.
  [[nodiscard]] virtual std::optional<std::vector<double>> saved_costs() = 0;
  /// On every rank, if there is something: the shared state and the partitions named, by ascending id. Errors: any;
  /// the run then begins again.
  [[nodiscard]] virtual RunState read(const std::vector<PartitionId>& partitions) = 0;
  /// On a rank on which reading or restoring failed.
  virtual void unusable(const std::string& why) = 0;
};

}  // namespace palstudy
