// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "core/rounds.hpp"
#include "policy/backfill_policy.hpp"
#include "policy/order_policy.hpp"
#include "policy/placement_policy.hpp"
#include "policy/power/power_rule.hpp"
#include "policy/queue_rules.hpp"
#include "policy/routing_policy.hpp"
#include "policy/start_rules.hpp"
#include "sim/state/faulty_places.hpp"
#include "sim/state/tenant_rules.hpp"
#include "topology/partitioning.hpp"
#include "topology/topology.hpp"
#include "variability/binning/bins.hpp"
#include "variability/slowdowns.hpp"
#include "workload/attempt_model.hpp"
#include "workload/elastic/elastic_jobs.hpp"
#include "workload/job.hpp"
#include "workload/job_model.hpp"
#include "workload/job_table.hpp"
#include "workload/predict/predictor.hpp"

namespace palstudy {

enum class Completion { exact, round };
enum class Start { round, event };
enum class StickyVictims { give_back, stay_stopped };
enum class Backfill { none, greedy };  ///< whether jobs behind one that does not fit are tried
/// What the estimates of users are multiplied by: nothing, what the policies believe of a class on average, or what
/// they believe of the GPUs that a job has.
enum class EstimateInflation { none, class_mean, placement };

/// `[engine]` and the engine's part of `[policy]` of the study.
struct EngineOptions {
  double round_s = 360;
  Completion completion = Completion::exact;
  Start start = Start::round;
  double migration_s = 0;
  StickyVictims sticky_victims = StickyVictims::give_back;
  double starvation_s = std::numeric_limits<double>::infinity();
  Backfill backfill = Backfill::none;
  EstimateInflation inflation = EstimateInflation::none;
  bool reserves_bins = false;   ///< `policy.reservation = "bin"`
  bool kills_overruns = false;  ///< a job ends when it outlives its expected end: `policy.overrun = "kill"`
  LimitChecks limit_checks{};   ///< by the backfill: when that is seen
  /// For tests: look at every boundary, also where nothing can change. The result must not know.
  bool visit_every_boundary = false;

  [[nodiscard]] Rounds rounds() const { return Rounds(round_s); }
};

/// `[measure]`: jobs first..last by the trace's id, or those that arrive in a window.
struct MeasureWindow {
  bool by_window = false;
  std::int64_t first = 0, last = 159;  ///< inclusive, trace ids
  double warmup_s = 0, window_s = 0;   ///< jobs that arrive in [warmup_s, warmup_s + window_s)
  bool initial = true;  ///< of a window: also those that a generator makes up as running at time 0, whose ids are < 0
  double end_s = std::numeric_limits<double>::infinity();  ///< give up at the first boundary at or after it

  /// Whether the job runs at time 0 already and is not measured for that.
  [[nodiscard]] bool leaves_out_initial(const Job& job) const { return by_window && !initial && job.id < 0; }
  [[nodiscard]] bool takes(const Job& job) const {
    if (!by_window) return job.id >= first && job.id <= last;
    return job.submit_s >= warmup_s && job.submit_s < warmup_s + window_s && !leaves_out_initial(job);
  }
};

/// `[routing]` beside its policy; nothing of it matters to one partition.
struct RoutingOptions {
  std::uint32_t rebalance_rounds = 1;  ///< waiting jobs are levelled at every such boundary
  std::uint32_t max_moves = 8;         ///< never-started jobs that one levelling moves at most; 0: none
  std::uint32_t drain_rounds = 12;     ///< how long a wide job waits before it reserves partitions
};

struct RecordOptions {
  bool events = false;
  bool rounds = false;
};

/// How attempts fail: `[failures]`.
struct FailureWorld {
  AttemptModel model;
  FaultyPlaces places;
};

/// `[interference]`: factors on the iteration time of a job of several GPUs that shares a node with another such job
/// (Jeon et al., ATC'19: ResNet-50 on two nodes, alone and with neighbours). 1 changes nothing.
struct InterferenceRules {
  double intra = 1;  ///< the node: PCIe and memory
  double inter = 1;  ///< the network card as well: both jobs are on several nodes
  [[nodiscard]] bool on() const { return intra != 1 || inter != 1; }
};

/// A time in which a node takes no job: its jobs stop when it begins; or the node drains, and they run on.
struct Outage {
  NodeId node;  ///< of the cluster
  double from_s = 0, to_s = 0;
  bool drains = false;
};

/// Nodes that are powered off: `[power]`.
struct PowerWorld {
  PowerOptions options;
  std::vector<double> off_first;  ///< by node of the cluster: of idle nodes that with the largest value goes off first
};

struct EnergyModel;
class Effect;
struct PartitionState;
/// Makes an effect for one partition, whose state outlives it.
using MakeEffect = std::function<std::unique_ptr<Effect>(PartitionState&)>;
class Observer;
using MakeObserver = std::function<std::unique_ptr<Observer>(const PartitionState&)>;
class Scheduler;
struct SchedulerContext;

/// What the effects of a run do together.
struct EffectTraits {
  int stalling = 0;         ///< how many set Rate::stall
  bool idle_nodes = false;  ///< one changes nodes without jobs between boundaries
  bool jobs = false;        ///< one changes anything else then
  [[nodiscard]] bool act_between_boundaries() const { return idle_nodes || jobs; }
};

/// What one run is made of; everything must outlive it. The policies belong to the run. (More than 15 members: an input
/// each.)
struct World {
  const Topology& topology;
  const Slowdowns& truth;      ///< sets the rates, unbinned
  const Bins& believed;        ///< what the policies see
  const Workload& workload;    ///< classes already those of `truth` (Job::cls indexes its class names)
  Penalties penalty;           ///< physics: `network.penalty`
  Penalties believed_penalty;  ///< `policy.locality`
  EngineOptions engine;
  MeasureWindow measure;
  RecordOptions record;
  Partitioning partitioning{topology, 1};
  RoutingOptions routing{};
  std::span<const JobModel> job_models{};  ///< by model of the workload; none: all plain
  const TenantRules* tenants = nullptr;    ///< by tenant of the workload; null: tenants do not matter
  const FailureWorld* failures = nullptr;  ///< none: no attempt fails
  InterferenceRules interference{};        ///< neighbours on a node; by default they do not matter
  std::span<const MakeEffect> effects{};   ///< more effects, felt after those that are registered
  std::span<const Outage> outages{};       ///< of nodes
  const ElasticJobs* elastic = nullptr;    ///< none: all jobs are rigid
  /// Makes a predictor for the jobs of one partition; none: orders that ask for predictions get the true times.
  std::function<std::unique_ptr<Predictor>()> predictor{};
  const EnergyModel* energy = nullptr;        ///< none: energy is not accounted
  const PowerWorld* power = nullptr;          ///< none: all nodes stay on
  std::span<const MakeObserver> observers{};  ///< more observers
  const QueueRules* queues = nullptr;         ///< none: every job may use all nodes
  const ShareTree* shares = nullptr;          ///< accounts and users; none: each tenant shares alike
  const StartRules* starts = nullptr;         ///< none: no job waits for others
};

/// The policies of a run. A placement policy serves all partitions of a rank, one after the other, so it keeps nothing
/// that would change an answer.
struct Policies {
  const OrderPolicy& order;
  PlacementPolicy& placement;
  const RoutingPolicy* routing = nullptr;  ///< may be missing where there is one partition
  /// Makes the scheduler of a partition; none: `list`, an order and a placement.
  std::function<std::unique_ptr<Scheduler>(const SchedulerContext&)> scheduler{};
  const BackfillPolicy* backfill = nullptr;  ///< one with reservations; none: by `EngineOptions::backfill`
  bool by_order = true;                      ///< `MakeScheduler::by_order` of the scheduler
};

}  // namespace palstudy
