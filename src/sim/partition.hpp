// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "cluster/free_gpus.hpp"
#include "policy/order_policy.hpp"
#include "policy/placement_policy.hpp"
#include "sim/least_products.hpp"
#include "sim/progress.hpp"
#include "sim/recorder.hpp"
#include "sim/running_set.hpp"
#include "sim/simulation.hpp"
#include "workload/job_table.hpp"

namespace palstudy {

/// The nodes that one scheduler serves, with its queue and its running jobs: what happens at one instant.
///
/// At an instant the simulation calls `complete`, then `admit` for each arrival, then `schedule`. The walk of
/// `schedule` decides on paper (`choices_`, GPUs taken from the index); only `commit` ends and begins segments, and
/// only of jobs whose GPU set changed.
class Partition {
 public:
  Partition(const World& world, const OrderPolicy& order, PlacementPolicy& placement, Recorder& recorder);

  /// Ends the jobs that have finished at or before `now_s`, in (finish, id) order, and frees their GPUs.
  void complete(double now_s);
  void admit(JobId job, double now_s);
  /// Orders, places, stops and launches.
  void schedule(double now_s);
  /// Gives the recorder what running jobs have held up to the end of the run.
  void close(double end_s);

  /// The earliest finish of a running job; infinity if none runs.
  [[nodiscard]] double next_finish_s() { return running_.finish.earliest(); }
  /// The first boundary after `now_s` at which a schedule could change with nobody arriving or finishing.
  [[nodiscard]] Boundary next_change(double now_s);

  [[nodiscard]] std::uint32_t queued() const { return queued_; }
  [[nodiscard]] std::uint32_t running() const { return static_cast<std::uint32_t>(running_.size()); }
  [[nodiscard]] std::uint32_t free_gpus() const { return free_.total(); }
  [[nodiscard]] std::uint64_t placements() const { return placements_; }
  [[nodiscard]] const IndexCounts& index_counts() const { return free_.counts(); }

 private:
  struct Choice {
    JobId job;
    GpuSet gpus;
  };

  [[nodiscard]] View view(double now_s) const;
  // walk.cpp: who gets which GPUs
  [[nodiscard]] bool may_change_any_time() const;
  void mark_starved(double now_s);
  void put_in_order(const View& view);
  [[nodiscard]] bool same_jobs_as_before();
  void walk_sticky(const View& view);
  void walk_afresh(const View& view);
  bool place(const View& view, JobId job);
  bool place_by_stopping(const View& view, std::size_t position);
  void release(std::uint32_t slot);
  void take_back(std::uint32_t slot);
  // improve.cpp: which running jobs move
  [[nodiscard]] bool may_improve() const;
  [[nodiscard]] Held held(ClassId cls, const GpuSet& gpus) const;
  [[nodiscard]] double alternative(ClassId cls, const GpuSet& gpus) const;
  void touch(std::uint32_t slot);
  void walk_improve(const View& view);
  [[nodiscard]] bool repays(std::uint32_t slot, double work_s, double product, double now_s) const;
  bool improve(const View& view, std::uint32_t slot, double work_s);
  // partition.cpp: what that changes
  void commit(double now_s, bool afresh);
  void launch(double now_s, Choice& choice, bool moved);
  void move(double now_s, std::uint32_t slot, Choice& choice);
  void begin_segment(double now_s, std::uint32_t slot, bool first_launch);
  void end_stretch(double end_s, std::uint32_t slot);
  void stop(double now_s, JobId job);
  void forget_finished();

  const World& world_;
  const OrderPolicy& order_;
  PlacementPolicy& placement_;
  Recorder& recorder_;
  Progress progress_;
  FreeGpus free_;
  JobTable table_;
  RunningSet running_;
  std::vector<JobId> waiting_;  ///< ascending; may hold jobs that wait no more until `commit`
  std::vector<JobId> active_;   ///< ascending; may hold finished jobs until there are many
  std::size_t finished_in_active_ = 0;
  std::uint32_t queued_ = 0;
  std::uint32_t starved_active_ = 0;
  std::deque<std::pair<double, JobId>> starving_;        ///< (waiting since, job), ascending; stale entries are skipped
  std::unordered_map<std::uint32_t, GpuSet> last_gpus_;  ///< of stopped jobs; looked up, never walked
  // Of the walk under way.
  std::vector<JobId> ordered_;
  std::size_t head_ = 0;               ///< how many of `ordered_` fit the cluster together
  std::vector<JobId> previous_order_;  ///< what the last walk of a non-sticky policy placed; empty before the first
  std::vector<Choice> choices_;        ///< first `chosen_` are in use
  std::size_t chosen_ = 0;
  std::vector<std::uint32_t> choice_of_;  ///< by job: index into choices_ + 1, 0 for none
  std::vector<JobId> released_jobs_;      ///< of a sticky walk
  std::vector<JobId> victims_, stops_;
  LeastProducts least_;
  bool touched_ = false;  ///< GPUs have been taken or given since the last `walk_improve`
  std::vector<std::uint32_t> due_;
  std::uint64_t placements_ = 0;
};

}  // namespace palstudy
