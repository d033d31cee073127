// SPDX-License-Identifier: MIT
#include "analysis/run_claims.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"

namespace palstudy {
namespace {

// Why a run makes no claim, or "".
std::string why_excluded(const RunValues& runs, std::size_t run, bool finish) {
  const std::string why = runs.text("status", run) != "done"
                              ? "failed"
                              : no_claim(runs.number("jobs_unfinished", run), runs.number("stable", run) != 0,
                                         runs.number("queue_slope", run), finish);
  if (why.empty()) return why;
  std::string where;
  for (const auto& key : runs.axes()) where += (where.empty() ? "" : ", ") + key + " = " + runs.text(key, run);
  return fmt::format("run {} ({}): {}", runs.text("run", run), where, why);
}

NoClaim reason_of(const RunValues& runs, std::size_t run) {
  if (runs.text("status", run) != "done") return NoClaim::failed;
  if (runs.number("stable", run) == 0) return NoClaim::unstable;
  return runs.number("jobs_unfinished", run) > 0 ? NoClaim::unfinished : NoClaim::none;
}

}  // namespace

std::string no_claim(double jobs_unfinished, bool stable, double queue_slope, bool finish) {
  if (finish && jobs_unfinished > 0) return counted(static_cast<std::size_t>(jobs_unfinished), "job") + " unfinished";
  return stable ? "" : fmt::format("unstable, the queue grows by {:.3g} jobs/h", queue_slope);
}

RunClaims::RunClaims(const RunValues& runs) {
  for (std::size_t run = 0; run < runs.rows(); ++run) {
    why_.push_back(why_excluded(runs, run, true));
    reasons_.push_back(reason_of(runs, run));
    const bool unfinished = runs.text("status", run) == "done" && runs.number("jobs_unfinished", run) > 0;
    some_unfinished_ = some_unfinished_ || unfinished;
    all_claimed_.push_back(why_.back().empty());
    cut_.push_back(unfinished && why_excluded(runs, run, false).empty());
  }
}

std::size_t RunClaims::runs_cut() const { return static_cast<std::size_t>(std::ranges::count(cut_, true)); }

std::vector<std::string> RunClaims::excluded(bool finish) const {
  std::vector<std::string> reasons;
  for (std::size_t run = 0; run < why_.size(); ++run) {
    if (!all_claimed_[run] && (finish || !cut_[run])) reasons.push_back(why_[run]);
  }
  return reasons;
}

}  // namespace palstudy
