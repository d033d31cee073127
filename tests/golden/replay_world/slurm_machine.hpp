// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "cluster/free_gpus.hpp"
#include "policy/backfill_policy.hpp"
#include "policy/placement_policy.hpp"
#include "slurm_recording.hpp"
#include "variability/binning/bins.hpp"
#include "variability/slowdowns.hpp"

namespace palstudy::replay {

/// What a pass decided about a job, by place in `SlurmRecording::attempts`.
struct SlurmDecision {
  std::size_t attempt = 0;
  bool starts = false;
  std::int64_t start_s = 0, end_s = 0;  ///< of a plan
  NodeSet nodes;
};

/// The nodes of a recording, on which the program's backfill `slurm` and placement `slurm` decide.
class SlurmMachine : private BackfillTurn {
 public:
  explicit SlurmMachine(const SlurmRecording& recording);

  void take(std::size_t attempt, const GpuSet& gpus, Millis start);
  void give_back(std::size_t attempt);
  /// The job has ended, and holds its GPUs a little longer.
  void complete(std::size_t attempt);
  void change_nodes(const SlurmOutage& outage);
  [[nodiscard]] bool holds(std::size_t attempt) const;
  [[nodiscard]] const BackfillPolicy& backfill() const { return *backfill_; }
  /// A pass over jobs that wait, in their order. Jobs that start hold their GPUs then.
  std::vector<SlurmDecision> pass(bool backfill, Millis now, const std::vector<std::size_t>& in_order);

 private:
  struct Held {
    std::size_t attempt;
    GpuSet gpus;
    Millis start;
    bool over = false;
  };

  StartedJob start(const WaitingJob& job) override;
  void undo() override;
  void promise(const Promise& promise) override;
  [[nodiscard]] bool array_full(const WaitingJob& job) const override;
  std::uint32_t keep(const WaitingJob& job, double start_s) override;
  const GpuSet* would_get(const WaitingJob& job) override;
  [[nodiscard]] NodeSet nodes_of(const GpuSet& gpus) const;
  std::deque<Held>::iterator find(std::size_t attempt);

  const SlurmRecording& recording_;
  const Slowdowns alike_;
  const Bins bins_;
  const std::unique_ptr<PlacementPolicy> placement_;
  const std::unique_ptr<BackfillPolicy> backfill_;
  FreeGpus free_;
  std::deque<Held> held_;  // pointers to its GPUs stay
  std::vector<NodeSet> queue_nodes_;
  NodeSet gone_;
  std::vector<WaitingJob> jobs_;
  GpuSet chosen_;
  Millis now_ = 0;
  std::vector<SlurmDecision> decisions_;
};

}  // namespace palstudy::replay
