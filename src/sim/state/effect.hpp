// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/registry.hpp"
#include "sim/state/partition_record.hpp"
#include "sim/state/partition_state.hpp"
#include "sim/state/with_state.hpp"

namespace palstudy {

/// Why an interval in which a job holds the same GPUs at one rate ends.
enum class EndReason : std::uint8_t {
  finished,
  failed,        ///< and the job is over
  failed_again,  ///< and the job waits again
  killed,        ///< it has outlived its expected end, and the job is over
  stopped,       ///< by the scheduler, or because a node goes down
  reclaimed,     ///< by the scheduler, without notice
  moved,         ///< to other GPUs
  rate,          ///< the rate changes
  closed,        ///< the run ends
};

/// Such an interval when it ends.
struct EndedInterval {
  std::uint32_t slot;
  JobId job;
  EndReason reason;
  double begin_s, end_s;
  double work_before;   ///< iterations done before it
  double work;          ///< iterations done when it ends; an effect may undo some of them
  double kept_until_s;  ///< work done later in the interval is undone; `end_s` unless an effect says otherwise

  /// `record(from_s, to_s, iterations)` for the interval; for each of two where work was undone, since undone work is
  /// no work, and a run that ends in between counts what it should.
  template <class Record>
  void split(Record record) const {
    if (!(kept_until_s > begin_s && kept_until_s < end_s)) return record(begin_s, end_s, work - work_before);
    record(begin_s, kept_until_s, work - work_before);
    record(kept_until_s, end_s, 0.0);
  }
};

/// Whether a node has power. A node that is not on holds no GPUs of jobs.
enum class NodeState : std::uint8_t { on, stopping, off, booting };

/// A time that a node has spent in one state.
struct NodeInterval {
  NodeId node;  ///< of the partition
  double from_s, to_s;
  NodeState state;
  void serialize(auto& archive, unsigned /*version*/) { (archive & node & from_s & to_s & state); }
};

/// What an effect wants to change of running jobs and of the partition.
struct Changes {
  std::vector<JobId> rates;  ///< running jobs whose rate may have changed
  /// Nodes that can be used no longer: their jobs stop, their GPUs are gone until the node is `up`, once for each such
  /// change.
  std::vector<NodeId> down;
  std::vector<NodeId> draining;    ///< nodes that take no more jobs until they are `up`; those that they have run on
  std::vector<NodeId> up;          ///< nodes that can be used again
  std::vector<NodeInterval> left;  ///< states left in which a node was not on

  [[nodiscard]] bool of_nodes() const { return !down.empty() || !draining.empty() || !up.empty(); }
  void clear() { rates.clear(), down.clear(), draining.clear(), up.clear(), left.clear(); }
};

/// Physics that the jobs of one partition feel beside slowdown and locality penalty. Effects are called in a fixed
/// order, each seeing the values that those before it have made. (More than 25 functions: one for each thing that may
/// happen to a job or a node.) Its state is loaded after the running set.
class Effect : public Stateful {
 public:
  /// A job arrives. False: it is over already.
  virtual bool admits(JobId job, double now_s) { return (void)job, (void)now_s, true; }
  /// A job comes from the queue of another partition, which may belong to another rank.
  virtual void moved_in(JobId job, double arrival_s) { (void)job, (void)arrival_s; }
  /// A job whose attempt has failed waits again.
  virtual void waits_again(JobId job, double now_s) { (void)job, (void)now_s; }
  /// A job is over.
  virtual void job_ended(JobId job, double time_s, EndReason reason) { (void)job, (void)time_s, (void)reason; }

  /// A job gets GPUs, or leaves them: when it starts, moves, stops or ends.
  virtual void on_take(JobId job, const GpuSet& gpus) { (void)job, (void)gpus; }
  virtual void on_give(JobId job, const GpuSet& gpus) { (void)job, (void)gpus; }
  /// A part of a job on several partitions gets GPUs of this one, or leaves them.
  virtual void part_taken(JobId job, const GpuSet& part) { (void)job, (void)part; }
  virtual void part_given(JobId job, const GpuSet& part) { (void)job, (void)part; }
  /// How much such a part feels here: of all parts of a job the largest number counts, which the effect that is made
  /// for jobs on several partitions is told.
  [[nodiscard]] virtual double part_feels(JobId job, const GpuSet& part) const { return (void)job, (void)part, 0.0; }
  virtual void feels(JobId job, double most) { (void)job, (void)most; }
  /// Seconds from a launch or move until work begins, beside `engine.migration_s`.
  [[nodiscard]] virtual double delay_s(JobId job, const GpuSet& gpus) const { return (void)job, (void)gpus, 0.0; }
  /// Changes the rate of a job on these GPUs.
  virtual void adjust(JobId job, const GpuSet& gpus, Rate& rate) const { (void)job, (void)gpus, (void)rate; }
  /// Iterations after which a running job is over, of `work` without this effect.
  [[nodiscard]] virtual double work_limit(JobId job, double work) const { return (void)job, work; }
  /// When the job in a slot leaves its GPUs; `finish_s` without this effect. Its segment has begun.
  [[nodiscard]] virtual double end_s(std::uint32_t slot, double finish_s) { return (void)slot, finish_s; }
  /// The reason for which it leaves them then.
  [[nodiscard]] virtual EndReason end_reason(JobId job) const { return (void)job, EndReason::finished; }
  /// The job in a slot has begun to run on other GPUs.
  virtual void began(std::uint32_t slot) { (void)slot; }
  /// An interval ends: before it is recorded, and afterwards.
  virtual void ends(EndedInterval& interval) { (void)interval; }
  virtual void ended(const EndedInterval& interval) { (void)interval; }

  /// When the effect next changes anything by its own clock.
  [[nodiscard]] virtual double next_event_s() const { return std::numeric_limits<double>::infinity(); }
  /// When it next may give GPUs to jobs that wait while none runs; infinite: never. Of an effect that has a clock for
  /// something else, which would tick for ever.
  [[nodiscard]] virtual double next_room_s() const { return next_event_s(); }
  /// At every instant, before the scheduler decides: what has changed since.
  virtual void advance(double now_s, Changes& changes) { (void)now_s, (void)changes; }
  /// At every instant, after the scheduler's decisions: rates that follow from them.
  virtual void settle(double now_s, Changes& changes) { (void)now_s, (void)changes; }

  /// The run ends: node states up to then, and on to the horizon where energy is accounted further.
  virtual void end_states(double end_s, Changes& changes) { (void)end_s, (void)changes; }
  /// Rows recorded so far, and all of them when the run ends.
  [[nodiscard]] virtual std::size_t rows() const { return 0; }
  virtual void close(PartitionRecord& record) { (void)record; }
  /// Errors (fault): a state that must not be. For debug builds, after every boundary.
  virtual void check(double now_s) const { (void)now_s; }
};

class Attempts;

/// What an effect changes by its own clock between the boundaries of rounds.
enum class BetweenBoundaries : std::uint8_t { not_at_all, idle_nodes, anything };

/// How an effect comes into a run.
struct EffectMaker {
  /// `attempts`: of all jobs, shared by the partitions of a rank.
  using Make = std::unique_ptr<Effect> (*)(PartitionState& state, Attempts& attempts);

  int place;  ///< effects are called by ascending place, then name
  bool (*used)(const World& world);
  Make make;  ///< for the jobs of one partition
  /// For the jobs on several partitions, each of which every rank has whole: `state` is that of the cluster with these
  /// jobs alone. None: they do not feel it.
  Make make_wide = nullptr;
  bool stalls = false;  ///< it sets Rate::stall
  BetweenBoundaries acts = BetweenBoundaries::not_at_all;
};
using EffectRegistry = Registry<EffectMaker>;

/// Every effect of the program.
[[nodiscard]] const EffectRegistry& effects();

/// Of the effects that the run has; those of `World::effects` may do anything.
[[nodiscard]] inline EffectTraits traits_of_effects(const World& world) {
  EffectTraits traits{static_cast<int>(world.effects.size()), false, !world.effects.empty()};
  for (const auto& name : effects().names()) {
    const EffectMaker& effect = effects().at(name).make;
    if (!effect.used(world)) continue;
    traits.stalling += effect.stalls ? 1 : 0;
    traits.idle_nodes |= effect.acts == BetweenBoundaries::idle_nodes;
    traits.jobs |= effect.acts == BetweenBoundaries::anything;
  }
  return traits;
}

}  // namespace palstudy
