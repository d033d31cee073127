// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "policy/order_policy.hpp"
#include "policy/summaries.hpp"
#include "sim/effects/failures/failure_rules.hpp"
#include "sim/engine/job_states.hpp"
#include "sim/observers/recorder.hpp"
#include "sim/state/delay_causes.hpp"
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
/// policy, and keep their GPUs until they finish or fail; one that is tried again waits again. The first one that does
/// not fit holds up the others unless the study backfills; once it has waited `routing.drain_rounds` it reserves
/// partitions, lowest id first, which then start nothing new until it fits. Where there are tenants, the one that uses
/// the least share of its quota on all partitions is next, and a job borrows only while no job waits in a partition.
class WideJobs {
 public:
  WideJobs(const World& world, const OrderPolicy& order, JobStates& states, RunRows& rows);

  void instant(double now_s) {
    recorder_.instant(now_s);
    turned_away_ = false;
  }
  void admit(JobId job, double now_s);
  /// The jobs that fit now; reserves partitions for one that does not. `summaries`: what is free.
  [[nodiscard]] std::vector<WideAllocation> plan(double now_s, const Summaries& summaries);
  /// A job begins on the GPUs of all parts of an allocation, which are merged in `gpus`.
  void launch(double now_s, WideAllocation allocation, const RatePart& gpus);
  /// Jobs that finish or fail at or before `now_s`, in (time, id) order, with how long they held their GPUs.
  [[nodiscard]] std::vector<std::pair<JobId, double>> complete(double now_s);
  /// Ends the record of the run; the jobs that still run, with how long they held their GPUs, go to `open`.
  PartitionRecord close(double end_s, double horizon_s, std::vector<std::pair<JobId, double>>& open);
  void state(double now_s);

  [[nodiscard]] bool reserved(PartitionId p) const { return reserved_[p.index()] != 0; }
  /// Whether anything may change at the next boundary although no job ends: one waits, or wants no GPUs any more.
  [[nodiscard]] bool may_change() const { return !waiting_.empty() || turned_away_; }
  [[nodiscard]] std::uint64_t queued_gpus() const { return queued_gpus_; }
  /// GPUs that tenants use on all partitions: what the summaries say, and wide jobs.
  [[nodiscard]] std::vector<std::uint64_t> tenant_use(const Summaries& summaries) const;
  [[nodiscard]] std::int64_t finished() const { return recorder_.finished(); }
  [[nodiscard]] double next_finish_s() const;
  [[nodiscard]] std::size_t failed_attempts() const { return failures_ ? failures_->rows().size() : 0; }
  /// Errors (fault): work of a job that is lost or done twice. For debug builds.
  void check(double now_s) const;
  /// All of it but the rows of the jobs, to or from a checkpoint.
  void serialize(Fields& f);

 private:
  struct Running {
    JobId job;
    double launched_s, finish_s;
    double slowdown, penalty;
    std::uint32_t nodes;
    Segment segment;
    std::vector<std::pair<PartitionId, std::uint32_t>> parts;
  };
  void serve_tenants(const View& view, const std::vector<JobId>& ordered, const Summaries& summaries,
                     const std::function<bool(JobId, bool)>& place);
  void reserve(JobId job, std::vector<std::uint32_t>& free);
  /// Iterations done when it ends.
  double end_interval(double end_s, const Running& run, EndReason reason);
  [[nodiscard]] double work_limit(JobId job) const;
  void leave(double now_s, const Running& run, EndReason reason);
  void begin_waiting(JobId job, double now_s);

  const World& world_;
  const OrderPolicy& order_;
  OwnJobs table_;
  ExpectedSlowdowns expected_slowdown_;  // of the cluster
  Recorder recorder_;
  Progress progress_;
  std::optional<FailureRules> failures_;  // none where no attempt fails
  std::optional<DelayCauses> causes_;     // none without tenants
  std::vector<double> node_s_;            // by job: nodes x seconds; empty without tenants
  std::vector<JobId> waiting_;            // ascending
  std::vector<Running> running_;
  std::vector<std::uint32_t> held_;  // by partition: GPUs that running wide jobs hold
  std::vector<std::uint8_t> reserved_;
  std::uint64_t queued_gpus_ = 0;
  bool turned_away_ = false;  // a job at this instant, whose GPUs are counted as wanted until the next
};

/// Sizes of the tensor groups of the jobs wider than any partition, ascending, without 1.
[[nodiscard]] std::vector<std::uint32_t> wide_group_sizes(const World& world);

/// Where `gpus` GPUs come from: the partitions with the most free ones, so that few take part; ties: lowest. Takes them
/// from `free`. Empty if there are too few.
[[nodiscard]] std::vector<std::pair<PartitionId, std::uint32_t>> allot(std::uint32_t gpus,
                                                                       std::vector<std::uint32_t>& free);

}  // namespace palstudy
