// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "sim/scheduler/gavel/gpu_types.hpp"
#include "sim/scheduler/gavel/share_rounds.hpp"
#include "sim/scheduler/gavel/time_shares.hpp"
#include "sim/state/scheduler.hpp"

namespace palstudy {

/// What a study says of Gavel.
struct GavelOptions {
  ShareObjective objective = ShareObjective::max_min;
  bool aware = true;  ///< false: every job is as fast on any type as on its fastest
  TypeRule types = TypeRule::widest;
  double reset_s = 1920;
  bool nested = false;
};

/// Gavel (OSDI'20) with bins of GPUs as its types: shares of time by linear programs, and rounds that approach them.
/// Inside a type the placement policy chooses the GPUs; a job that stays in its type keeps them. A share of time is a
/// promise: where the policy would refuse a job all GPUs of its type, these are taken packed. It knows how much work
/// jobs have left, as Gavel does. A gang that is wider than every type, which Gavel would never run, goes before all
/// others, in order of arrival, on the slowest GPUs, and runs to its end.
class GavelScheduler final : public WithState<GavelScheduler, Scheduler> {
 public:
  GavelScheduler(const SchedulerContext& context, const GavelOptions& options);

  [[nodiscard]] bool wants_events() const override { return true; }
  void notify(const JobEvent& event) override;
  [[nodiscard]] bool idle() const override { return rounds_.jobs().empty() && wide_.empty(); }
  void decide(const View& view, Transaction& transaction) override;
  [[nodiscard]] double next_change_s(const View& view) override;
  [[nodiscard]] double next_start_s(const View& view, Transaction& /*transaction*/) override {
    return next_start_s(view);
  }
  void capacity_changed() override { in_vain_ = 0; }
  void serialize(auto& archive, unsigned /*version*/) { (archive & rounds_ & wide_ & isolated_ & running_ & since_s_); }

 private:
  /// What finish-time fairness keeps of a job: it is there from its arrival on, like the job in `rounds_`.
  struct Isolated {
    double time_s = 0;       ///< that the work done before the last solution takes on the isolated shares of its time
    double left_then_s = 0;  ///< work at the last solution
    double speed_then = 0;   ///< on the isolated share of then; 0: there was none
    void serialize(auto& archive, unsigned /*version*/) { (archive & time_s & left_then_s & speed_then); }
  };

  [[nodiscard]] double next_start_s(const View& view) const;
  void arrive(JobId job);
  void leave(JobId job, double now_s, bool ends);
  [[nodiscard]] bool wide(JobId job) const { return state_.width(job) > types_.widest(); }
  void find_available();
  void start_wide(Transaction& transaction);
  void solve(const View& view);
  [[nodiscard]] ShareProblem problem(const View& view);
  [[nodiscard]] double left_s(JobId job, double now_s) const;
  [[nodiscard]] const std::vector<double>& speeds(ClassId cls, std::uint32_t gpus);
  [[nodiscard]] std::vector<std::uint32_t> order_of_types(double now_s) const;
  void keep_running(std::vector<RoundPick>& picks, Transaction& transaction);
  [[nodiscard]] bool stays(const RoundPick& pick, std::uint32_t slot);
  void place(const std::vector<RoundPick>& picks, Transaction& transaction);
  [[nodiscard]] bool place(const RoundPick& pick, Transaction& transaction);
  [[nodiscard]] bool refused_by_type(const RoundPick& pick);
  [[nodiscard]] bool rotates_types() const { return !options_.aware && !options_.nested; }

  PartitionState& state_;
  PlacementPolicy& placement_;
  GavelOptions options_;
  GpuTypes types_;
  ShareRounds rounds_;
  std::vector<JobId> wide_;         // jobs that fit in no type, ascending; not in `rounds_`
  std::vector<Isolated> isolated_;  // as `rounds_.jobs()`
  std::vector<RoundPick> running_;  // since the last decision, by job
  double since_s_ = 0;              // the last decision
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<double>> speeds_;  // by class and GPUs
  /// By type: an index in which its GPUs alone are free, all of them; null until it is asked.
  std::vector<std::unique_ptr<FreeGpus>> all_of_type_;
  std::size_t in_vain_ = 0;  // decisions in a row after which nothing ran, with the same jobs, shares and GPUs

  // Of one decision.
  std::vector<GpuMask> available_;       // by node: free, or held by a job that can be moved
  std::vector<std::uint32_t> capacity_;  // by type
  std::vector<std::int64_t> spare_;      // nested: GPUs of the types 0..k that the picks of these types leave
};

}  // namespace palstudy
