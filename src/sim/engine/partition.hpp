// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cluster/free_gpus.hpp"
#include "policy/order_policy.hpp"
#include "policy/placement_policy.hpp"
#include "policy/summaries.hpp"
#include "sim/effects/attempts.hpp"
#include "sim/effects/neighbours.hpp"
#include "sim/observers/recorder.hpp"
#include "sim/scheduler/least_products.hpp"
#include "sim/scheduler/tenant_state.hpp"
#include "sim/state/job_queue.hpp"
#include "sim/state/progress.hpp"
#include "sim/state/rate_model.hpp"
#include "sim/state/running_set.hpp"
#include "sim/state/world.hpp"
#include "workload/job_table.hpp"

namespace palstudy {

/// What the partitions of a rank keep of all jobs, by JobId: a job is in one partition at a time.
struct JobStates {
  explicit JobStates(const World& world)
      : table(world.workload.jobs.size()),
        attempts(world.failures != nullptr ? world.workload.jobs.size() : 0),
        slot_of(world.workload.jobs.size(), RunningSet::no_slot),
        choice_of(world.workload.jobs.size(), 0) {}
  /// Gives the memory back, once there are no partitions.
  void forget() {
    table = JobTable(0);
    attempts = Attempts(0);
    slot_of = {};
    choice_of = {};
  }
  JobTable table;
  Attempts attempts;                     ///< empty where none fails
  std::vector<std::uint32_t> slot_of;    ///< of a running job in its RunningSet
  std::vector<std::uint32_t> choice_of;  ///< in a sticky walk under way: index into Partition's choices + 1, 0 for none
};

/// Where a partition lies, and the wires and bins of its own nodes and GPUs, which count from 0.
struct PartitionSite {
  PartitionId id;
  GpuId first_gpu;
  Topology topology;
  Bins bins;
};

/// The nodes that one scheduler serves, with its queue and its running jobs: what happens at one instant.
///
/// At an instant the simulation calls `complete`, then `admit` for each arrival, then `schedule`. The walk of
/// `schedule` decides on paper (`choices_`, GPUs taken from the index); only `commit` ends and begins segments, and
/// only of jobs whose GPU set changed.
class Partition {
 public:
  Partition(const World& world, PartitionSite site, const OrderPolicy& order, PlacementPolicy& placement,
            JobStates& states, RunRows& rows);
  Partition(const Partition&) = delete;
  Partition& operator=(const Partition&) = delete;

  /// Time moves on to `now_s`: called first at every instant, of all partitions before `complete` of any.
  void instant(double now_s);

  /// Ends the jobs that have finished at or before `now_s`, in (finish, id) order, and frees their GPUs.
  void complete(double now_s);
  void admit(JobId job, double now_s);
  /// Orders, places, stops and launches; a reserved partition starts nothing that does not run.
  void schedule(double now_s, bool reserved = false);
  /// What running jobs have held up to the end of the run, and all that was written down; fractions are of the time up
  /// to `horizon_s`.
  PartitionRecord close(double end_s, double horizon_s);

  /// What the ranks are told of it. Free GPUs are counted by bin if `count_bins`.
  void summarize(Summaries& summaries, bool count_bins);
  /// Gives away, or takes in, a waiting job that has never started.
  void withdraw(JobId job);
  void receive(JobId job, double arrival_s);

  /// A part of the GPUs of a job on several partitions: chosen by the placement policy and taken from the free ones.
  /// There are enough, in whole tensor groups where the job has them.
  const GpuSet& take_part(double now_s, JobId job, std::uint32_t gpus);
  /// What the rate of a job depends on, of GPUs of this partition.
  [[nodiscard]] RatePart rate_part(JobId job, const GpuSet& gpus) const;
  /// Gives a part back that was held for so long; also when the run ends.
  void give_part(JobId job, double length_s);

  /// All of it but the rows of its jobs, to or from a checkpoint (state.cpp); the index of free GPUs is made anew from
  /// what jobs hold. Into a partition that has done nothing yet.
  template <class F>
  void state(F& f);

  /// Before a checkpoint: what the job table and the rows do not know of running jobs, which then lie in their order.
  void write_back();

  /// Errors (fault): a GPU held twice, a job lost, GPU-seconds that are not accounted for. For debug builds.
  void check_invariants(double now_s) const;

  /// The earliest finish of a running job; infinity if none runs.
  [[nodiscard]] double next_finish_s() { return running_.finish.earliest(); }
  /// The first boundary after `now_s` at which a schedule could change with nobody arriving or finishing.
  [[nodiscard]] Boundary next_change(double now_s);

  [[nodiscard]] std::uint32_t queued() const { return queue_.size(); }
  [[nodiscard]] std::uint32_t running() const { return static_cast<std::uint32_t>(running_.size()); }
  [[nodiscard]] std::uint32_t free_gpus() const { return free_.total(); }
  /// GPUs that jobs queued or running here want, parts of jobs on several partitions included.
  [[nodiscard]] std::uint64_t demand_gpus() const { return queue_.demand_gpus() + held_gpus_; }
  [[nodiscard]] const PartitionSite& site() const { return site_; }
  [[nodiscard]] std::int64_t measured_finished() const { return recorder_.finished(); }
  [[nodiscard]] const PartitionRecord& recorded() const { return recorder_.recorded(); }
  /// Whether a part of that wide job is here.
  [[nodiscard]] bool holds(JobId job) const;

 private:
  /// A job that is due. At one time those that wait again come last, as their events do.
  struct Due {
    double finish_s;
    bool again;
    JobId job;
    friend bool operator<(const Due& a, const Due& b) {
      if (a.finish_s != b.finish_s) return a.finish_s < b.finish_s;
      return a.again != b.again ? b.again : a.job < b.job;
    }
  };
  struct Choice {
    JobId job;
    bool weighed = false;                      ///< the following are known
    bool stays = false;                        ///< it holds these already
    std::uint32_t slot = RunningSet::no_slot;  ///< of the job, if it runs; in a walk afresh
    Factors factors;                           ///< if it does not
    GpuSet gpus;
  };
  /// A job that waits or runs, with what a walk afresh asks of it: side by side, since jobs of one moment lie far apart
  /// among all jobs of a run.
  struct Contender {
    JobId job;
    std::uint32_t gpus;
    ClassId cls;
    std::uint32_t slot;        ///< RunningSet::no_slot if it waits
    std::uint32_t choice = 0;  ///< index into `choices_` + 1, 0 for none
  };

  [[nodiscard]] View view(double now_s) const;
  [[nodiscard]] bool idle() const;
  void weigh(Choice& choice, ClassId cls);
  // walk.cpp: who gets which GPUs
  [[nodiscard]] bool may_change_any_time() const;
  void put_in_order(const View& view, bool reserved);
  void find_contenders(bool reserved);
  void take_turns(std::uint32_t gpus);
  void take_turns_by_class();
  [[nodiscard]] bool same_jobs_as_before();
  void walk_sticky(const View& view);
  void walk_afresh(const View& view);
  [[nodiscard]] Request request(const View& view, JobId job) const;
  bool place(const View& view, JobId job);
  bool place(const Request& request);
  bool choose(const Request& request, GpuSet& gpus);
  Choice& next_choice(JobId job);
  bool place_by_stopping(const View& view, std::size_t position);
  void release(std::uint32_t slot);
  void take_back(std::uint32_t slot);
  // improve.cpp: which running jobs move
  [[nodiscard]] bool may_improve() const;
  [[nodiscard]] Held held(JobId job, const GpuSet& gpus) const;
  [[nodiscard]] double alternative(JobId job, const GpuSet& gpus) const;
  void touch(std::uint32_t slot);
  void walk_improve(const View& view);
  [[nodiscard]] bool repays(std::uint32_t slot, double work_s, double product, double now_s) const;
  bool improve(const View& view, std::uint32_t slot, double work_s);
  // walk_tenants.cpp, walk_gangs.cpp: who gets which GPUs where there are tenants
  void walk_tenants(const View& view);
  void serve_tenants(const View& view, bool borrowing);
  void serve_gang(const View& view, JobId job, bool borrowing);
  bool place_or_reclaim(const View& view, JobId job, bool borrowing);
  bool place_on_ladder(const View& view, JobId job);
  bool place_by_reclaiming(const View& view, JobId job);
  bool place_at_rung(const View& view, JobId job);
  void merge_tenants(const View& view);
  // dedicated.cpp: nodes of their own for jobs of several GPUs
  [[nodiscard]] bool dedicates(JobId job) const;
  void seal(JobId job, const GpuSet& gpus);
  void unseal(JobId job, const GpuSet& gpus);
  bool place_dedicated(const View& view, JobId job);
  [[nodiscard]] std::vector<std::vector<JobId>> singles() const;
  [[nodiscard]] std::vector<NodeId> nodes_to_clear(const std::vector<std::vector<JobId>>& on, std::uint32_t gpus) const;
  bool move_away(JobId job, const std::vector<NodeId>& cleared);
  bool place_by_clearing(const View& view, JobId job);
  void expire_parts(double now_s);
  void let_parts_go(JobId job, double now_s);
  [[nodiscard]] Boundary failed(JobId job, Boundary k) const;
  [[nodiscard]] Boundary patient_until(JobId job) const;
  [[nodiscard]] Rung rung(JobId job, Boundary k) const;
  [[nodiscard]] DelayCause cause(JobId job, Boundary k) const;
  void note_delays(double now_s);
  [[nodiscard]] DelayRows close_tenancy(double end_s);
  void check_tenants(double now_s) const;
  // partition.cpp: what that changes
  void commit(double now_s, bool afresh);
  void stop_those_left_without(double now_s, bool afresh);
  void put_choices_in_order(bool afresh);
  bool moved_while_stopped(const Choice& choice);
  void launch(double now_s, Choice& choice, bool moved);
  void move(double now_s, std::uint32_t slot, Choice& choice);
  void begin_segment(double now_s, std::uint32_t slot, double from_s, const Factors& factors);
  void record_stretch(std::uint32_t slot, double begin_s, double end_s, double work);
  std::uint32_t add_running(JobId job, GpuSet& gpus);
  void keep_sums(std::uint32_t slot);
  void write_back(std::uint32_t slot);
  void leaves(double end_s, std::uint32_t slot);
  void end_stretch(double end_s, std::uint32_t slot);
  void stop(double now_s, JobId job);
  void queue_with_tenant(double now_s, JobId job);
  void walk(double now_s, bool reserved);
  // interference.cpp: neighbours on nodes
  void meet(JobId job, const GpuSet& gpus);
  void part_from(JobId job, const GpuSet& gpus);
  void settle_neighbours(double now_s);
  void change_rate(double now_s, std::uint32_t slot, double factor);
  void restore_neighbours();
  void note_place(double end_s, std::uint32_t slot);
  void check_neighbours(double now_s) const;
  // partition_attempts.cpp: attempts that fail
  [[nodiscard]] bool fails() const { return world_.failures != nullptr; }
  [[nodiscard]] bool fails_at_end(JobId job) const { return fails() && attempts_.fails_first[job.index()] != 0; }
  [[nodiscard]] bool tried_again(JobId job) const;
  /// Iterations after which a running job is over.
  [[nodiscard]] double work_until(std::uint32_t slot) const {
    return fails() ? attempts_.work_until[running_.job[slot].index()] : running_.pace[slot].iterations;
  }
  bool validate(double now_s, JobId job, bool told);
  bool turned_away(double now_s, JobId job);
  void begin_attempt(JobId job, const GpuSet& gpus);
  void limit_to_attempt(std::uint32_t slot);
  [[nodiscard]] bool reclaimed() const;
  double undo_since_checkpoint(double end_s, std::uint32_t slot);
  void end_failed_stretch(double end_s, std::uint32_t slot);
  void end_reclaimed_stretch(double end_s, std::uint32_t slot);
  void set_status(double now_s, JobId job, bool failed);
  void begin_saving(std::uint32_t slot);
  [[nodiscard]] double saved_before(double end_s, JobId job) const;
  [[nodiscard]] double work_saved(double saved_s, std::uint32_t slot) const;
  void settle_attempt(double end_s, std::uint32_t slot, double work);
  void check_attempts(double now_s) const;
  // state.cpp: to and from a checkpoint
  template <class F>
  void running_state(F& f);
  template <class F>
  void stopped_state(F& f);
  [[nodiscard]] IndexCounts index_counts() const;
  // partition_jobs.cpp: what the others are told
  void count_free_by_bin(Summaries& summaries) const;

  const World& world_;
  const OrderPolicy& order_;
  PlacementPolicy& placement_;
  PartitionSite site_;
  RunRows& rows_;
  Recorder recorder_;
  Progress progress_;
  RateModel rates_;
  FreeGpus free_;
  JobTable& table_;
  Attempts& attempts_;
  RunningSet running_;
  std::vector<std::pair<JobId, GpuSet>> held_;  ///< parts of jobs on several partitions, or of gangs
  std::uint32_t held_gpus_ = 0;
  bool reserved_ = false;  ///< nothing new may start
  JobQueue queue_;
  std::unordered_map<std::uint32_t, GpuSet> last_gpus_;  ///< of stopped jobs; looked up, never walked
  // Of the walk under way.
  std::vector<JobId> ordered_;
  std::vector<Contender> contenders_;  ///< by ascending job
  std::vector<std::uint32_t> turns_;   ///< of a walk afresh: places in `contenders_`, as in `ordered_`
  std::size_t head_ = 0;               ///< how many of `ordered_` fit the cluster together; of a walk afresh
  std::vector<JobId> previous_order_;  ///< what the last walk of a non-sticky policy placed; empty before the first
  std::vector<Choice> choices_;        ///< first `chosen_` are in use
  std::size_t chosen_ = 0;
  std::vector<std::uint32_t> choice_order_;
  std::vector<std::uint32_t>& choice_of_;
  std::vector<JobId> released_jobs_;  ///< of a sticky walk
  std::vector<JobId> victims_, stops_, launched_;
  LeastProducts least_;
  bool touched_ = false;    ///< GPUs have been taken or given since the last `walk_improve`
  bool told_late_ = false;  ///< a job has ended since the others were told
  std::vector<std::uint32_t> due_;
  std::vector<Due> endings_;  ///< of this instant
  std::uint64_t placements_ = 0;
  IndexCounts earlier_;                   ///< of the index before the checkpoint that the run goes on from
  std::unique_ptr<Tenancy> tenancy_;      ///< none without tenants
  std::optional<Neighbours> neighbours_;  ///< none without interference
  std::vector<JobId> disturbed_;
};

}  // namespace palstudy
