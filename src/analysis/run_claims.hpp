// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "analysis/run_values.hpp"
#include "core/note.hpp"

namespace palstudy {

/// Why a run makes no claim, in the order in which the reasons count.
enum class NoClaim { none, failed, unfinished, unstable };
[[nodiscard]] const char* name_of(NoClaim why);

/// What became of a run.
struct RunEnd {
  bool done = true;            ///< it did not fail
  double jobs_unfinished = 0;  ///< measured ones
  bool stable = true;          ///< its queue does not grow
};
/// Why a run makes no claim on a metric that needs the finish of all measured jobs, or needs none.
[[nodiscard]] NoClaim no_claim(const RunEnd& run, bool needs_finish);

/// A run that makes no claim.
struct LeftOutRun {
  std::int64_t run = 0;
  std::vector<std::pair<std::string, std::string>> point;  ///< axes and their values
  NoClaim why = NoClaim::none;
  double jobs_unfinished = 0, growth_per_h = 0;  ///< of its queue, in jobs; NaN of a failed run
};

/// What may be claimed from each run: nothing where it failed or its queue grows; where it left measured jobs
/// unfinished ("cut"), only what needs no finish; else everything.
class RunClaims {
 public:
  explicit RunClaims(const RunValues& runs);

  /// Why a run makes no claim on a metric that needs the finish of all measured jobs, or needs none.
  [[nodiscard]] NoClaim why(std::size_t run, bool needs_finish) const {
    return needs_finish ? with_finish_[run] : without_[run];
  }
  [[nodiscard]] bool may_claim(std::size_t run, bool needs_finish) const {
    return why(run, needs_finish) == NoClaim::none;
  }
  [[nodiscard]] bool cut(std::size_t run) const { return may_claim(run, false) && !may_claim(run, true); }
  [[nodiscard]] std::size_t runs_cut() const;
  /// Whether any run left jobs unfinished, whatever else is claimed of it.
  [[nodiscard]] bool some_unfinished() const { return some_unfinished_; }
  /// By run, whether it makes every claim.
  [[nodiscard]] std::vector<bool> all_claimed() const;

 private:
  std::vector<NoClaim> with_finish_, without_;  // by run
  bool some_unfinished_ = false;
};

/// The runs that make no claim on such metrics.
[[nodiscard]] std::vector<LeftOutRun> left_out(const RunValues& runs, const RunClaims& claims, bool needs_finish);

/// "failed", "unfinished" and "unstable": of how many of `all` runs. Each means no claim at all where no run is left.
[[nodiscard]] std::vector<Note> notes_on_claims(const std::vector<LeftOutRun>& left_out, std::size_t all);

}  // namespace palstudy
