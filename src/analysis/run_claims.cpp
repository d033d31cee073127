// SPDX-License-Identifier: MIT
#include "analysis/run_claims.hpp"

#include <algorithm>
#include <array>

#include "core/numbers.hpp"

namespace palstudy {
namespace {

const NoteKind failed_note("failed", Severity::care), unfinished_note("unfinished", Severity::care),
    unstable_note("unstable", Severity::care);

RunEnd end_of(const RunValues& runs, std::size_t run) {
  return {runs.text("status", run) == "done", runs.number("jobs_unfinished", run), runs.number("stable", run) != 0};
}

}  // namespace

const char* name_of(NoClaim why) {
  return std::array{"none", "failed", "unfinished", "unstable"}[static_cast<std::size_t>(why)];
}

NoClaim no_claim(const RunEnd& run, bool needs_finish) {
  if (!run.done) return NoClaim::failed;
  if (needs_finish && run.jobs_unfinished > 0) return NoClaim::unfinished;
  return run.stable ? NoClaim::none : NoClaim::unstable;
}

RunClaims::RunClaims(const RunValues& runs) {
  for (std::size_t run = 0; run < runs.rows(); ++run) {
    const RunEnd end = end_of(runs, run);
    with_finish_.push_back(no_claim(end, true));
    without_.push_back(no_claim(end, false));
    some_unfinished_ = some_unfinished_ || with_finish_.back() == NoClaim::unfinished;
  }
}

std::size_t RunClaims::runs_cut() const {
  std::size_t count = 0;
  for (std::size_t run = 0; run < without_.size(); ++run) count += cut(run) ? 1 : 0;
  return count;
}

std::vector<bool> RunClaims::all_claimed() const {
  std::vector<bool> all;
  for (const NoClaim why : with_finish_) all.push_back(why == NoClaim::none);
  return all;
}

std::vector<LeftOutRun> left_out(const RunValues& runs, const RunClaims& claims, bool needs_finish) {
  std::vector<LeftOutRun> all;
  for (std::size_t run = 0; run < runs.rows(); ++run) {
    // Where no finish is needed a run is named by all that holds of it.
    if (claims.may_claim(run, needs_finish)) continue;
    LeftOutRun& one = all.emplace_back();
    one.run = static_cast<std::int64_t>(runs.number("run", run));
    for (const auto& key : runs.axes()) one.point.emplace_back(key, runs.text(key, run));
    one.why = claims.why(run, true);
    const bool done = one.why != NoClaim::failed;
    one.jobs_unfinished = done ? runs.number("jobs_unfinished", run) : nan;
    one.growth_per_h = done ? runs.number("queue_slope", run) : nan;
  }
  return all;
}

std::vector<Note> notes_on_claims(const std::vector<LeftOutRun>& left_out, std::size_t all) {
  std::vector<Note> notes;
  const auto add = [&](NoClaim why, const NoteKind& kind, const char* name, auto value) {
    const auto such = [&](const LeftOutRun& one) { return one.why == why; };
    const auto runs = static_cast<std::size_t>(std::ranges::count_if(left_out, such));
    if (runs == 0) return;
    notes.push_back(kind({{"runs", runs}, {"of", all}}));
    if (name != nullptr) notes.back().values.emplace_back(name, value());
    if (left_out.size() == all) notes.back().severity = Severity::stop;
  };
  double jobs = 0, least = infinity, most = -infinity;
  for (const LeftOutRun& one : left_out) {
    if (one.why == NoClaim::unfinished) jobs += one.jobs_unfinished;
    if (one.why == NoClaim::unstable)
      least = std::min(least, one.growth_per_h), most = std::max(most, one.growth_per_h);
  }
  add(NoClaim::failed, failed_note, nullptr, [] { return Value(); });
  add(NoClaim::unfinished, unfinished_note, "jobs", [&] { return Value(static_cast<std::int64_t>(jobs)); });
  add(NoClaim::unstable, unstable_note, "growth", [&] { return least_and_most(least, most); });
  return notes;
}

}  // namespace palstudy
