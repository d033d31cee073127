// SPDX-License-Identifier: MIT
#include "analysis/run_claims.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"

namespace palstudy {
namespace {

// Why a run makes no claim, or "".
std::string no_claim(const RunValues& runs, std::size_t run, bool finish) {
  std::string why;
  if (runs.text("status", run) != "done") {
    why = "failed";
  } else if (const double left = runs.number("jobs_unfinished", run); finish && left > 0) {
    why = counted(static_cast<std::size_t>(left), "job") + " unfinished";
  } else if (runs.number("stable", run) == 0) {
    why = fmt::format("unstable, the queue grows by {:.3g} jobs/h", runs.number("queue_slope", run));
  }
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

RunClaims::RunClaims(const RunValues& runs) {
  for (std::size_t run = 0; run < runs.rows(); ++run) {
    why_.push_back(no_claim(runs, run, true));
    reasons_.push_back(reason_of(runs, run));
    const bool unfinished = runs.text("status", run) == "done" && runs.number("jobs_unfinished", run) > 0;
    some_unfinished_ = some_unfinished_ || unfinished;
    all_claimed_.push_back(why_.back().empty());
    cut_.push_back(unfinished && no_claim(runs, run, false).empty());
  }
}

std::size_t RunClaims::runs_cut() const { return static_cast<std::size_t>(std::count(cut_.begin(), cut_.end(), true)); }

std::vector<std::string> RunClaims::excluded(bool finish) const {
  std::vector<std::string> reasons;
  for (std::size_t run = 0; run < why_.size(); ++run) {
    if (!all_claimed_[run] && (finish || !cut_[run])) reasons.push_back(why_[run]);
  }
  return reasons;
}

}  // namespace palstudy
