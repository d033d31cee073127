// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/numbers.hpp"
#include "core/text.hpp"
#include "words/note_text.hpp"
#include "words/phrases.hpp"

namespace palstudy {
namespace {

std::string overloaded(const Note& note) {
  if (const Value* workloads = find(note.values, "workloads")) {  // known before a run, by the load alone
    return fmt::format("more work arrives than the GPUs can do, in {} of {}", grouped(workloads->count()),
                       counted(note["of"].count(), "workload"));
  }
  const std::string some = some_of(note["runs"], note["of"], "run");
  if (!note["growth"].known() || note["growth"].most() <= 0) return "jobs arrive faster than they are served" + some;
  return fmt::format("queues grow by {} jobs/h{}", range_text(note["growth"]),
                     some.empty() ? ": a longer trace, another gain" : some);
}

std::string backlog(const Note& note) {
  return fmt::format("queues shrink by {} jobs/h: earlier jobs still wait", range_text(note["shrink"]));
}

std::string over_one(const Note& note) {
  return fmt::format("load over 1: more work than the GPUs can do, in {} of {}", grouped(note["workloads"].count()),
                     counted(note["of"].count(), "workload"));
}

std::string waiting(const Note& note) {
  double least = infinity, most = 0;
  for (const Value& one : note["policies"].list()) {
    least = std::min(least, one["share"].number());
    most = std::max(most, one["share"].number());
  }
  return fmt::format("waiting is {} % of the completion time",
                     range_text(std::round(100 * least), std::round(100 * most)));
}

std::string no_job_rows_text(const Note& note) {
  const bool few = note["unknown"].name() == "few-jobs";
  return fmt::format("no rows of jobs: {} cannot be checked", few ? "whether few jobs decide" : "overload");
}

}  // namespace

void register_note_load(NoteWords& words) {
  const std::string family = "load";
  words.add(family, "overloaded", "Queues grow while the measured jobs arrive.", overloaded,
            "Jobs arrive faster than they are served, from an empty cluster on. Waits then grow with every job, and "
            "so does the gain. A longer trace would give another gain. If the load is below 1, jobs queue behind one "
            "that does not fit, and backfill helps. For a steady state, lower the load and measure after a warm-up.");
  words.add(family, "over-one", "More work arrives than the GPUs can do.", over_one,
            "The measured jobs bring more GPU time than the machine has while they arrive. No scheduler can keep up, "
            "so the queue grows for as long as they come. Most runs will be unstable and make no claim. Lower "
            "`workload.rho`, add GPUs, or measure a quieter part of the trace. Outages make it worse, because the "
            "load does not count them.");
  words.add(family, "backlog", "Queues shrink while the measured jobs arrive: earlier jobs still wait.", backlog,
            "The queue is long when measuring begins, and shrinks while measured jobs arrive. These jobs wait for "
            "older jobs that the load does not count. So waits are longer than the load suggests, and depend on what "
            "came before. Measure later, with a longer `measure.warmup_s`, or quote the gain as one after a backlog.");
  words.add(family, "waiting", "Most of the completion time is waiting.", waiting,
            "Most of the completion time is waiting, not running. A gain is then mostly a gain in waits. Waits depend "
            "on the load, on jobs that came before, and on the length of rounds. Shorter runs can shorten a full "
            "queue a lot. `--metric causes` shows what running and waiting contribute. Quote the load with the gain.");
  words.add(family, "no-job-rows", "The archive keeps no rows of jobs, so something cannot be checked.",
            no_job_rows_text,
            "This archive keeps the metrics of runs but no rows of jobs. So some checks are impossible: whether "
            "queues grow, and whether a few jobs decide the mean. The gain may still be right, but nobody has looked. "
            "Run the study again with `output.jobs = true`, at least for a few seeds, and compare that archive.");
}

}  // namespace palstudy
