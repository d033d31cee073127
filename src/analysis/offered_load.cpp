// SPDX-License-Identifier: MIT
#include "analysis/offered_load.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "analysis/earlier_lines.hpp"
#include "analysis/job_groups.hpp"
#include "study/study.hpp"

namespace palstudy {
namespace {

struct Planned {
  double gpus = 0, end_s = infinity;  ///< of the cluster; at which the run ends at the latest
};

/// By number of run; none where the archive has no resolved study.
std::vector<Planned> planned_runs(const Study* study) {
  std::vector<Planned> runs;
  if (study == nullptr) return runs;
  for (const RunPlan& run : study->runs) {
    runs.push_back({0, run.measure.end_s});
    for (const NodeGroup& group : run.cluster.nodes) runs.back().gpus += static_cast<double>(group.count) * group.gpus;
  }
  return runs;
}

bool has_backfill(const RunPlan& run) { return run.engine.backfill != Backfill::none; }

const NoteKind waiting_note("waiting", Severity::care), over_one("over-one", Severity::care);

/// Whether some run is measured from the first job on, so that nothing is known of its queue without rows of jobs.
bool some_from_first(const Study& study) {
  return std::ranges::any_of(study.runs, [](const RunPlan& run) {
    return run.measure.by_window ? run.measure.warmup_s <= 0 : run.measure.first <= 0;
  });
}

}  // namespace

const NoteKind no_job_rows("no-job-rows", Severity::care);

RunLoads::RunLoads(const ArchiveReader& archive, const RunValues& runs) {
  if (!archive.has(TableId::jobs)) return;
  const auto planned = planned_runs(runs.study());
  const auto id = job_column<std::int64_t>(archive, "job"), gpus = job_column<std::int64_t>(archive, "gpus"),
             measured = job_column<std::int64_t>(archive, "measured");
  const auto submit = job_column<double>(archive, "submit_s"), start = job_column<double>(archive, "start_s"),
             ideal = job_column<double>(archive, "ideal_s");
  const auto rows = job_rows(runs, id.size());
  std::vector<ArrivingJob> jobs;
  for (std::size_t run = 0; run < rows.size(); ++run) {
    jobs.clear();
    for (std::size_t i = rows[run].first; i < rows[run].second; ++i) {
      jobs.push_back({submit[i], static_cast<double>(gpus[i]) * ideal[i], measured[i] != 0, id[i] < 0});
    }
    const auto number = static_cast<std::size_t>(runs.number("run", run));
    const Planned plan = number < planned.size() ? planned[number] : Planned();
    const bool ended_early = std::isfinite(plan.end_s) && runs.number("jobs_unfinished", run) > 0;
    const auto [first, last] = rows[run];
    const auto starts = std::span(start).subspan(first, last - first);
    loads_.push_back(load_of(jobs, starts, plan.gpus, runs.number("queue_slope", run), ended_early));
  }
}

void RunLoads::add(std::size_t run, Overload& to) const {
  if (known()) return to.add(loads_[run]);
  to.add_other();
}

std::size_t RunLoads::runs_from_empty() const {
  return static_cast<std::size_t>(
      std::ranges::count_if(loads_, [](const RunLoad& run) { return run.arrivals.from_empty; }));
}

std::vector<MeasuredSet> archived_sets(const ArchiveReader& archive, const Study* study) {
  if (study == nullptr) return {};
  return sets_of(archive.value("measured_sets"), *study, "measured_sets");
}

ValueRecord archived_load(const ArchiveReader& archive, const Study* study) {
  const auto sets = archived_sets(archive, study);
  return sets.empty() ? earlier_lines(archive).load_values : load_values(sets);
}

namespace {

/// A load over 1 of jobs that are measured from the first on needs no slope of the queue.
std::optional<Note> note_without_rows(const ArchiveReader& archive, const Study& study) {
  const ValueRecord load = archived_load(archive, &study);
  const auto note = [&](const char* name, const NoteKind& kind) -> std::optional<Note> {
    const Value *some = find(load, name), *all = find(load, "workloads");
    if (some == nullptr || all == nullptr || some->count() == 0) return std::nullopt;
    const Value* offered = find(load, "load");
    return kind({{"workloads", *some}, {"of", *all}, {"load", offered == nullptr ? Value() : *offered}});
  };
  if (auto overloaded = note("overloaded", overloaded_note)) return overloaded;
  if (auto over = note("over_one", over_one)) return over;
  if (!some_from_first(study)) return std::nullopt;
  return no_job_rows({{"unknown", "overloaded"}}, "overloaded");
}

}  // namespace

std::optional<Note> note_on_load(const ArchiveReader& archive, const RunValues& runs, const RunLoads& loads,
                                 const ComparedRuns& compared) {
  if (runs.study() != nullptr && !loads.known()) return note_without_rows(archive, *runs.study());
  Overload all;
  std::vector<PolicyOverload> policies;
  for (std::size_t run = 0; run < runs.rows(); ++run) {
    if (!compared.usable(run)) continue;
    loads.add(run, all);
    const std::string name = compared.policy(run);
    auto of = std::ranges::find_if(policies, [&](const auto& one) { return one.name == name; });
    if (of == policies.end()) of = policies.insert(of, PolicyOverload{name, {}});
    loads.add(run, of->runs);
  }
  return all.note(policies, runs.any_run(has_backfill));
}

namespace {

/// The waiting of a policy's runs, as shares of their mean completion times.
struct Waiting {
  std::string policy;
  std::size_t runs = 0, over_half = 0;
  double sum = 0;
  [[nodiscard]] double mean() const { return sum / static_cast<double>(runs); }
  /// Whether it is over half on average, or in a quarter of the runs: of one point of an axis, say.
  [[nodiscard]] bool large() const { return mean() > 0.5 || (over_half > 0 && 4 * over_half >= runs); }
};

std::vector<Waiting> waiting_of_policies(const RunValues& runs, const ComparedRuns& compared) {
  std::vector<Waiting> policies;
  for (std::size_t run = 0; run < runs.rows(); ++run) {
    const double share = runs.number("wait_mean_s", run) / runs.number("jct_mean_s", run);
    if (!compared.usable(run) || !std::isfinite(share)) continue;
    const std::string name = compared.policy(run);
    auto of = std::ranges::find_if(policies, [&](const Waiting& one) { return one.policy == name; });
    if (of == policies.end()) of = policies.insert(of, Waiting{name});
    ++of->runs;
    of->over_half += share > 0.5 ? 1 : 0;
    of->sum += share;
  }
  return policies;
}

}  // namespace

std::optional<Note> note_on_waiting(const RunValues& runs, const ComparedRuns& compared) {
  if (!runs.has("wait_mean_s") || !runs.has("jct_mean_s")) return std::nullopt;
  ValueList large;
  for (const Waiting& one : waiting_of_policies(runs, compared)) {
    if (!one.large()) continue;
    large.push_back(
        ValueRecord{{"name", one.policy}, {"share", one.mean()}, {"over_half", one.over_half}, {"runs", one.runs}});
  }
  if (large.empty()) return std::nullopt;
  return waiting_note({{"policies", std::move(large)}});
}

}  // namespace palstudy
