// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "workload/failure_table.hpp"
#include "workload/job.hpp"

namespace palstudy {

/// `[failures]` of the study, beside its model.
struct FailureOptions {
  std::uint32_t retries = 3;    ///< a failed job is tried so often again
  double repeat = 0.9;          ///< probability that a deterministic reason fails again
  double checkpoint_s = 1800;   ///< run time between two checkpoints of a job; 0: nothing is lost, infinity: all
  double scale = 1;             ///< factor on the shares of attempts that fail
  double validate_s = 0;        ///< run on one GPU before an attempt; 0: none
  bool adaptive_retry = false;  ///< jobs that failed by a reason that repeats are not tried again
  double kill_exponent = 0;     ///< the share of killed jobs of a size grows as their ideal time to this power
  bool late_fails = true;       ///< an attempt that would fail after its work is done fails at its end, else it passes
  bool kills_within = false;    ///< killed jobs end somewhere within their work, else with it
  std::uint64_t seed = 1;
};

/// What is drawn of an attempt: after so much run time it fails, by that reason, unless its work is done before.
struct Ending {
  static constexpr std::int32_t none = -1;
  std::int32_t reason = none;  ///< index into FailureTable::reasons; `none`: it does not fail
  double run_s = 0;            ///< run time to failure
  [[nodiscard]] bool fails() const { return reason != none; }
};

/// When and why attempts at jobs fail, and what becomes of jobs: drawn for (seed, job, attempt) alone, so that every
/// policy meets the same failures. The rule (docs/howto/failures.md): at the start of an attempt, does
/// it fail (by size of job); why (by the counts of that size); after how much run time (run_time_to_failure_s). A
/// deterministic reason comes back with the probability `repeat`; otherwise, and after transient reasons, the next
/// attempt is drawn as the first one.
class AttemptModel {
 public:
  AttemptModel(FailureTable table, const FailureOptions& options);

  /// Tells which jobs there are, so that as many of each size are killed as published whatever `kill_exponent` is.
  void weigh_kills(std::span<const Job> jobs);
  /// The attempt (from 1) at a job whose attempt before failed by `previous` (or Ending::none). `factor` is how much
  /// likelier than on average it fails by what is of the place: FaultyPlaces.
  [[nodiscard]] Ending ending(const Job& job, std::uint32_t attempt, std::int32_t previous, double factor) const;
  /// Whether a run on one GPU shows that ending before the attempt. It does not depend on the place.
  [[nodiscard]] bool shown_by_validation(const Ending& ending) const {
    return ending.fails() && reason(ending.reason).validated && ending.run_s < options_.validate_s;
  }
  /// Whether a job whose attempt failed by that reason is tried again.
  [[nodiscard]] bool tried_again(std::uint32_t attempt, std::int32_t by) const {
    return attempt <= options_.retries && !(options_.adaptive_retry && reason(by).repeats);
  }
  /// Goes through the attempts at a job behind number `attempt`, which failed by `previous`, that fail on the one GPU
  /// of the validation: `each(number, ending)`. True if none is left then.
  template <class Each>
  bool turned_away(const Job& job, std::uint32_t attempt, std::int32_t previous, Each each) const {
    if (!(options_.validate_s > 0)) return false;
    for (;;) {
      const Ending ending = this->ending(job, ++attempt, previous, 1.0);
      if (!shown_by_validation(ending)) return false;
      each(attempt, ending);
      previous = ending.reason;
      if (!tried_again(attempt, previous)) return true;
    }
  }
  /// Whether a job that does not fail is killed by its user.
  [[nodiscard]] bool killed(const Job& job) const;
  /// The share of its work after which a job is over: 1 unless it is killed and `kills_within`. (Durations of traces
  /// end where jobs were killed.)
  [[nodiscard]] double share_until_killed(const Job& job) const;
  /// The reason that the scheduler makes, by stopping a job for another; Ending::none if the table has none.
  [[nodiscard]] std::int32_t preemption_reason() const;
  /// A number in [0, 1) of the attempt, which selects the faulty one of a job's GPUs.
  [[nodiscard]] double place_of_fault(const Job& job, std::uint32_t attempt) const;

  [[nodiscard]] const FailureReason& reason(std::int32_t index) const {
    return table_.reasons[static_cast<std::size_t>(index)];
  }
  [[nodiscard]] const FailureTable& table() const { return table_; }
  [[nodiscard]] const FailureOptions& options() const { return options_; }

 private:
  /// Reasons that attempts of one size fail by, of the job or of the place, with the counts up to each.
  struct Counts {
    std::vector<std::int32_t> reasons;
    std::vector<double> up_to;
    [[nodiscard]] double all() const { return up_to.empty() ? 0 : up_to.back(); }
    [[nodiscard]] std::int32_t at(double u) const;
  };

  [[nodiscard]] double given_up(std::size_t size) const;

  FailureTable table_;
  FailureOptions options_;
  std::vector<Counts> of_job_, of_place_;  // by size
  std::vector<double> kill_share_;         // by size; of those that do not end as unsuccessful
  std::vector<double> kill_factor_;        // by size; of ideal time to the power of kill_exponent; empty: all alike
};

}  // namespace palstudy
