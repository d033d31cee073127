// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "cluster/free_gpus.hpp"
#include "cluster/node_set.hpp"
#include "core/ids.hpp"
#include "core/numbers.hpp"
#include "core/registry.hpp"
#include "core/rounds.hpp"
#include "policy/limit_checks.hpp"
#include "policy/placement_policy.hpp"
#include "topology/gpu_set.hpp"

namespace palstudy {

/// A job that waits, as a backfill sees it.
struct WaitingJob {
  JobId job;
  std::uint32_t gpus = 0;
  double length_s = 0;      ///< for how long it is expected to run
  std::uint32_t queue = 0;  ///< place in `BackfillTurn::queues`
  NodeDemand demand = {};   ///< of the placement, for a policy that plans nodes
};

/// A job that runs, for a policy that plans nodes.
struct RunningJob {
  JobId job;
  double start_s = 0, length_s = 0;  ///< when it started, and for how long it is expected to run since
  bool over = false;                 ///< it has ended, or should have
  const GpuSet* gpus = nullptr;
};

/// GPUs that a running job is expected to give back.
struct Release {
  double time_s = 0;
  std::uint32_t gpus = 0;
};

/// GPUs that are kept for a job from `start_s` on.
struct Reservation {
  JobId job;
  std::uint32_t gpus = 0;
  double start_s = 0, length_s = 0;
  void serialize(auto& archive, unsigned /*version*/) { (archive & job & gpus & start_s & length_s); }
};

/// When a waiting job can expect to start.
struct Promise {
  JobId job;
  double start_s = 0;
  double end_s = infinity;       ///< of the promise; infinite where only the start is planned
  const GpuSet* gpus = nullptr;  ///< null where none are planned
};

/// What a start on the GPUs that the placement policy chose comes to.
struct StartedJob {
  bool placed = false;
  double end_s = 0;            ///< expected
  std::uint32_t reserved = 0;  ///< GPUs that it takes of those that are kept for the job with the reservation
};

/// One partition at an instant at which a backfill decides: what is planned, and what it decides with.
class BackfillTurn {
 public:
  virtual ~BackfillTurn() = default;

  double now_s = 0;
  Rounds rounds{0};  ///< jobs start at their boundaries; of no length: at any time
  std::uint32_t free = 0;
  bool ended = false;         ///< a job has ended since the last turn
  bool inconsistent = false;  ///< reservations may overlap: a job runs longer than expected, or nodes have gone or come
  bool lengths_known = true;  ///< a job's length and what it takes of reserved GPUs do not depend on which GPUs it gets
  std::span<const WaitingJob> waiting;    ///< in the order in which they are served
  std::vector<Release> releases;          ///< of the running jobs, in any order; a start adds its own
  std::vector<Reservation> reservations;  ///< kept from turn to turn; those of jobs that wait no longer are removed

  // For a policy that plans nodes.
  FreeGpus* gpus = nullptr;         ///< what is free; what a policy changes it changes back
  std::vector<RunningJob> running;  ///< in any order, after `list_running`; a start adds its own
  std::span<const NodeSet> queues;  ///< the nodes that the jobs of a queue may use; empty: all nodes, for all jobs
  bool main_pass = true, backfill_pass = true;  ///< which passes are due now

  /// Starts a waiting job, if it can be placed.
  virtual StartedJob start(const WaitingJob& job) = 0;
  /// Takes the last start back.
  virtual void undo() = 0;
  /// Whether a waiting job's array runs as many tasks as it may, by the starts of this turn: it is not looked at.
  [[nodiscard]] virtual bool array_full(const WaitingJob& job) const { return (void)job, false; }
  /// The first promise to a job counts.
  virtual void promise(const Promise& promise) = 0;
  /// GPUs are kept for a waiting job from `start_s` on: `StartedJob::reserved` refers to these from now on. The number
  /// of GPUs free at that time, of those that are kept, with all releases up to it.
  virtual std::uint32_t keep(const WaitingJob& job, double start_s) = 0;
  /// Adds the jobs to `running` that ran before the turn; once a turn. For a policy that plans nodes.
  virtual void list_running() {}
  /// The GPUs that a waiting job would get of `*gpus` as it is; null: it could not be placed. For a policy that plans
  /// nodes.
  virtual const GpuSet* would_get(const WaitingJob& job) { return (void)job, nullptr; }
};

/// What becomes of the jobs behind one that does not fit. Keeps no state: reservations are handed in and out.
class BackfillPolicy {
 public:
  virtual ~BackfillPolicy() = default;

  /// Whether jobs behind one that does not fit are tried.
  [[nodiscard]] virtual bool tries_others() const { return true; }
  /// Whether it plans by how long jobs are expected to run; if not, `decide` is never called.
  [[nodiscard]] virtual bool reserves() const { return true; }
  /// Whether it plans which nodes jobs get.
  [[nodiscard]] virtual bool plans_nodes() const { return false; }
  /// When limits of jobs are looked at.
  [[nodiscard]] virtual LimitChecks limit_checks() const { return {}; }
  /// For how long a job that lost its GPUs is not looked at.
  [[nodiscard]] virtual double requeue_delay_s() const { return 0; }
  virtual void decide(BackfillTurn& turn) const { (void)turn; }
  /// When it could decide otherwise although no job arrives or ends and none outlives its expected end. For an instant
  /// after `decide`.
  [[nodiscard]] virtual double next_change_s(double now_s, std::span<const Reservation> reservations) const {
    return (void)now_s, (void)reservations, infinity;
  }
};

using MakeBackfill = std::function<std::unique_ptr<BackfillPolicy>(const ParamValues&)>;
using BackfillRegistry = Registry<MakeBackfill>;

/// Every backfill of the program.
[[nodiscard]] const BackfillRegistry& backfills();

}  // namespace palstudy
