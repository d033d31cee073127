// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "analysis/run_values.hpp"

namespace palstudy {

/// Why a run makes no claim.
enum class NoClaim { none, failed, unfinished, unstable };

/// Why a run that is done makes no claim, "" if it does: its queue grows, or, where what is compared needs the `finish`
/// of all measured jobs, it left some unfinished.
[[nodiscard]] std::string no_claim(double jobs_unfinished, bool stable, double queue_slope, bool finish);

/// What may be claimed from each run: nothing where it failed or its queue grows; where it left measured jobs
/// unfinished ("cut"), only what needs no finish; else everything.
class RunClaims {
 public:
  explicit RunClaims(const RunValues& runs);

  [[nodiscard]] bool may_claim(std::size_t run, bool needs_no_finish) const {
    return all_claimed_[run] || (needs_no_finish && cut_[run]);
  }
  [[nodiscard]] NoClaim reason(std::size_t run) const { return reasons_[run]; }
  [[nodiscard]] bool cut(std::size_t run) const { return cut_[run]; }
  [[nodiscard]] std::size_t runs_cut() const;
  /// Whether any run left jobs unfinished, whatever else is claimed of it.
  [[nodiscard]] bool some_unfinished() const { return some_unfinished_; }
  /// By run.
  [[nodiscard]] const std::vector<bool>& all_claimed() const { return all_claimed_; }
  /// The runs that make no claim, and why; those that are only cut are among them if a finish is needed.
  [[nodiscard]] std::vector<std::string> excluded(bool finish) const;

 private:
  std::vector<NoClaim> reasons_;  // by run
  std::vector<std::string> why_;  // by run, "" for none
  std::vector<bool> all_claimed_, cut_;
  bool some_unfinished_ = false;
};

}  // namespace palstudy
