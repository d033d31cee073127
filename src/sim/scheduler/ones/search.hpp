// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "sim/scheduler/ones/limits.hpp"
#include "sim/scheduler/ones/population.hpp"
#include "sim/scheduler/ones/schedule.hpp"
#include "sim/scheduler/ones/set_slowdowns.hpp"

namespace palstudy {

/// What a study says of the search.
struct OnesOptions {
  OnesRates rates{};
  std::uint32_t generations = 1;  ///< at a decision
  double noise = 1;               ///< of predicted progress (`drawn_progress`)
  double slowness_weight = 1;     ///< moves that one GPU's worth of lost speed is as bad as; aware searches only
};

/// A job as the search sees it at a decision.
struct OnesJobState {
  JobId job{};
  ClassId cls{};
  std::uint32_t requested = 1;  ///< GPUs
  std::uint32_t epochs = 0;     ///< completed
  double samples = 0;           ///< done
  double epoch_samples = 1;
  double epochs_left = 0;  ///< in truth
  double run_s = 0;        ///< time that it has run
};

/// The search of ONES (SC'21) from decision to decision: states of jobs go in, the deployed schedule comes out. It
/// keeps the population, what jobs may have at most, and what was measured of them. A decision is a number of
/// generations, so the search ends by a count. Then the best schedule is deployed as a whole if every running job that
/// it changes has completed an epoch since the last such deployment. If not, only those waiting jobs start all of whose
/// GPUs are free. The first decision deploys the first member of the first population. With slowdowns the search is
/// aware of them: X(k) is measured throughput times the slowdown of the slowest GPU, and is divided by that of the GPUs
/// in question, which is exact where a whole iteration feels them.
class OnesSearch {
 public:
  /// `believed`: null, or the slowdowns that the search is aware of; they outlive it.
  OnesSearch(std::uint32_t gpus, const OnesOptions& options, std::uint64_t seed,
             const SetSlowdowns* believed = nullptr);

  /// A throughput that a job had on the GPUs that are deployed for it. Errors (fault): it has none.
  void measured(JobId job, double samples_per_s);
  /// The schedule from now on, in rows of `jobs`: all that have arrived and not ended, by ascending id. `round` names
  /// the numbers drawn, and grows from decision to decision.
  const OnesSchedule& decide(std::span<const OnesJobState> jobs, std::uint32_t round);
  /// In rows of the last decision.
  [[nodiscard]] const OnesSchedule& deployed() const { return deployed_; }
  /// GPUs that a job of the last decision may have at most. Errors (fault): no such job.
  [[nodiscard]] std::uint32_t limit(JobId job) const { return records_[row(job)].limit; }

  void serialize(auto& archive, unsigned /*version*/) { (archive & population_ & records_ & ended_run_s_ & deployed_); }

 private:
  /// What is kept of a job.
  struct Record {
    JobId job{};
    ClassId cls{};
    bool started = false;
    std::uint32_t limit = 1;
    std::uint32_t epochs_at_change = 0;      ///< of its count
    std::uint32_t epochs_at_deployment = 0;  ///< of the last whole schedule
    double run_s = 0;
    MeasuredThroughput throughput{};
    void serialize(auto& archive, unsigned /*version*/) {
      (archive & job & cls & started & limit & epochs_at_change & epochs_at_deployment & run_s & throughput);
    }
  };

  [[nodiscard]] std::size_t row(JobId job) const;
  void take(std::span<const OnesJobState> jobs);
  void set_table(std::span<const OnesJobState> jobs, const OnesKey& key);
  [[nodiscard]] double median_run_s() const;
  [[nodiscard]] bool may_deploy(const OnesSchedule& best, std::span<const OnesJobState> jobs) const;
  [[nodiscard]] OnesSchedule with_starts(const OnesSchedule& best) const;
  void deploy(OnesSchedule next, std::span<const OnesJobState> jobs, bool whole);

  std::uint32_t gpus_;
  OnesOptions options_;
  std::uint64_t seed_;
  const SetSlowdowns* believed_;
  OnesPopulation population_;
  std::vector<Record> records_;      // by ascending id: the rows of the last decision
  std::vector<double> ended_run_s_;  // of the jobs that started and ended
  OnesSchedule deployed_;

  std::vector<OnesJob> table_;  // of one generation
  std::vector<OnesGrowth> growth_;
};

}  // namespace palstudy
