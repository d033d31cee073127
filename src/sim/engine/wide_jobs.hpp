// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "policy/order_policy.hpp"
#include "policy/summaries.hpp"
#include "sim/engine/job_states.hpp"
#include "sim/observers/recorder.hpp"
#include "sim/state/progress.hpp"
#include "sim/state/rate_model.hpp"

namespace palstudy {

/// The GPUs that a wide job gets of each partition.
struct WideAllocation {
  JobId job;
  std::vector<std::pair<PartitionId, std::uint32_t>> parts;
};

/// The jobs wider than any partition. Every rank keeps all of this and decides the same from the summaries; the GPUs of
/// a part are known to the rank of its partition alone.
///
/// They are placed before any partition places its own jobs, on GPUs that are free then, in the order of the order
/// policy, and keep their GPUs until they finish. The first one that does not fit holds up the others unless the study
/// backfills; once it has waited `routing.drain_rounds` it reserves partitions, lowest id first, which then start
/// nothing new until it fits.
class WideJobs {
 public:
  WideJobs(const World& world, const OrderPolicy& order, JobStates& states, RunRows& rows);

  void instant(double now_s) { recorder_.instant(now_s); }
  void admit(JobId job, double now_s);
  /// The jobs that fit now; reserves partitions for one that does not. `summaries`: what is free.
  [[nodiscard]] std::vector<WideAllocation> plan(double now_s, const Summaries& summaries);
  /// A job begins on GPUs on which it has these factors.
  void launch(double now_s, WideAllocation allocation, const SlowdownAndPenalty& factors);
  /// Jobs that have finished at or before `now_s`, in (finish, id) order, with how long they held their GPUs.
  [[nodiscard]] std::vector<std::pair<JobId, double>> complete(double now_s);
  /// Ends the record of the run; the jobs that still run, with how long they held their GPUs, go to `open`.
  PartitionRecord close(double end_s, double horizon_s, std::vector<std::pair<JobId, double>>& open);
  void state(double now_s);

  [[nodiscard]] bool reserved(PartitionId p) const { return reserved_[p.index()] != 0; }
  [[nodiscard]] bool waiting() const { return !waiting_.empty(); }
  [[nodiscard]] std::uint64_t queued_gpus() const { return queued_gpus_; }
  [[nodiscard]] std::int64_t finished() const { return recorder_.finished(); }
  [[nodiscard]] double next_finish_s() const;
  /// All of it but the rows of the jobs, to or from a checkpoint.
  void serialize(Fields& f);

 private:
  struct Running {
    JobId job;
    double launched_s, finish_s;
    double slowdown, penalty;
    Segment segment;
    std::vector<std::pair<PartitionId, std::uint32_t>> parts;
  };
  void reserve(JobId job, std::vector<std::uint32_t>& free);
  void end_interval(double end_s, const Running& run);

  const World& world_;
  const OrderPolicy& order_;
  JobTable& table_;
  ExpectedSlowdowns expected_slowdown_;  // of the cluster
  Recorder recorder_;
  Progress progress_;
  std::vector<JobId> waiting_;  // ascending
  std::vector<Running> running_;
  std::vector<std::uint32_t> held_;  // by partition: GPUs that running wide jobs hold
  std::vector<std::uint8_t> reserved_;
  std::uint64_t queued_gpus_ = 0;
};

/// Sizes of the tensor groups of the jobs wider than any partition, ascending, without 1.
[[nodiscard]] std::vector<std::uint32_t> wide_group_sizes(const World& world);

/// Where `gpus` GPUs come from: the partitions with the most free ones, so that few take part; ties: lowest. Takes them
/// from `free`. Empty if there are too few.
[[nodiscard]] std::vector<std::pair<PartitionId, std::uint32_t>> allot(std::uint32_t gpus,
                                                                       std::vector<std::uint32_t>& free);

}  // namespace palstudy
