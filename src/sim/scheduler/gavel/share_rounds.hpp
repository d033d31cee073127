// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/ids.hpp"
#include "core/numbers.hpp"

namespace palstudy {

/// A job that runs on a type of GPUs in a round.
struct RoundPick {
  JobId job;
  std::uint32_t type = 0;
  void serialize(auto& archive, unsigned /*version*/) { (archive & job & type); }
  friend bool operator==(const RoundPick&, const RoundPick&) = default;
};

/// The round mechanism of Gavel (OSDI'20, and its simulator): who runs where in the next round, so that the times that
/// jobs get approach their shares. Shares hold from one reset to the next. A job that arrives has none until then: it
/// does not run, and the GPUs that it would get when all others have theirs stay free, as published. The mechanism
/// counts jobs and GPUs and knows no GPU by name. (More than 15 members: the account of every job and of every type of
/// GPU, which rounds carry on.)
class ShareRounds {
 public:
  /// `round_s`: half of it counts as received by each job on each type after a reset. `reset_s`: the least time between
  /// two resets. `nested`: a job of a type may use what the types before it leave. `fills_up`: GPUs that are left go to
  /// jobs without a share of their type.
  ShareRounds(std::size_t types, double round_s, double reset_s, bool nested = false, bool fills_up = true)
      : types_(types),
        round_s_(round_s),
        reset_s_(reset_s),
        nested_(nested),
        fills_up_(fills_up),
        received_of_type_(types) {}

  void add(JobId job, std::uint32_t gpus);
  void remove(JobId job);
  /// By ascending id, which is the order of arrival.
  [[nodiscard]] const std::vector<JobId>& jobs() const { return jobs_; }
  /// Its place among `jobs()`.
  [[nodiscard]] std::size_t row(JobId job) const;

  /// Whether the shares are to be computed again: jobs came or went since that was done, and `reset_s` has passed.
  [[nodiscard]] bool due(double now_s) const {
    return changed_ && (last_reset_s_ == 0 || now_s - last_reset_s_ >= reset_s_);
  }
  /// When they are to be, if no more jobs come or go; infinite: never.
  [[nodiscard]] double next_reset_s() const {
    if (!changed_) return infinity;
    return last_reset_s_ == 0 ? 0 : last_reset_s_ + reset_s_;
  }
  /// New shares, for each of `jobs()` one of each type.
  void reset(double now_s, std::vector<double> shares);
  /// Makes the next change due at once.
  void forget_reset() { last_reset_s_ = 0; }

  /// The round's jobs, type by type in the order `types`: by share / received part of the type's time, then by what is
  /// owed, then by share; equals in order of arrival. `free` has the GPUs of each type.
  [[nodiscard]] const std::vector<RoundPick>& fill(std::span<const std::uint32_t> types,
                                                   std::span<const std::uint32_t> free);
  /// A job has run for `time_s` on a type.
  void ran(const RoundPick& pick, double time_s);

  void serialize(auto& archive, unsigned /*version*/) {
    (archive & jobs_ & gpus_ & has_shares_ & share_ & received_s_ & owed_s_ & received_of_type_ & last_reset_s_ &
     changed_);
  }

 private:
  /// Returns the GPUs that are left.
  std::uint32_t fill_type(std::uint32_t type, std::uint32_t free);

  std::size_t types_;
  double round_s_, reset_s_;
  bool nested_, fills_up_;
  std::vector<JobId> jobs_;
  std::vector<std::uint32_t> gpus_;                  // by job
  std::vector<std::uint8_t> has_shares_;             // by job
  std::vector<double> share_, received_s_, owed_s_;  // job by job, a value for each type
  std::vector<double> received_of_type_;             // seconds of all jobs since the reset
  double last_reset_s_ = 0;
  bool changed_ = false;

  struct Candidate {
    double priority, owed_s, share;
    std::size_t row;
  };
  std::vector<Candidate> candidates_;  // of one type
  std::vector<std::uint8_t> picked_;   // by job
  std::vector<RoundPick> picks_;
};

}  // namespace palstudy
