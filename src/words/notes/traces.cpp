// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "core/text.hpp"
#include "words/note_text.hpp"
#include "words/phrases.hpp"
#include "workload/synthetic/resample.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

std::string unsorted(const Note& note) { return subject_text(note) + "was not sorted by submission; it is sorted now"; }

std::string left_records(const Note& note) { return subject_text(note) + left_records_text(note); }

std::string unread_column(const Note& note) {
  const std::string like = note["like"].known() ? fmt::format("; did you mean {}?", note["like"].name()) : "";
  return fmt::format("{}column {} is not read{}", subject_text(note), note["column"].name(), like);
}

std::string no_column(const Note& note) {
  return fmt::format("{} is given, and the trace has no column {}: each job gets the first", note["key"].name(),
                     note["column"].name());
}

std::string idle_column(const Note& note) {
  return fmt::format("the trace has a column {}, and the study has no {}: it changes nothing", note["column"].name(),
                     note["key"].name());
}

std::string late_start(const Note& note) {
  return fmt::format("{}the first job arrives at {} s; times count from 0", subject_text(note),
                     in_digits(note["first_s"].number()));
}

std::string units(const Note& note) {
  if (const Value* load = find(note.values, "load")) {
    return fmt::format("{}load {:.3g}; are its times in seconds?", subject_text(note), load->number());
  }
  return fmt::format("{}most jobs last under {} s; are its times in seconds?", subject_text(note),
                     in_digits(note["duration_s"].number()));
}

std::string no_quota(const Note& note) {
  const auto tenants = names_of(note["tenants"]);
  return fmt::format("{} of {} without a quota left out: {}", counted(note["jobs"].count(), "job"),
                     counted(tenants.size(), "tenant"), join(tenants));
}

std::string no_llm_jobs(const Note& note) {
  return fmt::format("no large-model jobs: {} GPUs are too few for them", note["gpus"].count());
}

std::string resampled(const Note& note) {
  const std::string& by = note["by"].name();
  const Resampling how = by == name_of(Resampling::days)    ? Resampling::days
                         : by == name_of(Resampling::weeks) ? Resampling::weeks
                                                            : Resampling::users;
  TraceBlocks blocks{how, note["blocks"].count()};
  blocks.empty = note["empty"].count();
  return fmt::format("{}each seed draws from {} jobs in {}", subject_text(note), note["jobs"].count(), blocks.text());
}

std::string copied_jobs(const Note& note) {
  return fmt::format("{}the jobs are laid over themselves {} times", subject_text(note),
                     shortest(note["copies"].number()));
}

}  // namespace

void register_note_traces(NoteWords& words) {
  const std::string family = "traces";
  words.add(family, "unsorted", "The trace is not sorted by submit time; it is sorted now.", unsorted,
            "Jobs stood in another order than that of their submission. They are sorted now, and jobs of the same "
            "time keep the order of the file. The order within one time can change which job starts first, and with "
            "it the result. Sort the file yourself if its order means something, so that the archive names that file.");
  words.add(family, "left-records", "Some records of a trace make no job.", left_records,
            "Some records of the trace are not used. Each reason is counted, and its first line is named: no GPUs, "
            "never started, end before start, unknown state. Kept and left out add up to the file. If many are left "
            "out, the simulated load is lower than the real one. Look at the named lines before you go on.");
  words.add(family, "unread-column", "A column of the trace is not read.", unread_column,
            "The trace has a column that the reader does not know, so nothing depends on it. That is fine for "
            "comments and extra data. If it was meant to be read, it has another name: see `palstudy list readers`. A "
            "misspelt tenant or user puts all jobs together, and changes shares, quotas and resampling.");
  words.add(
      family, "no-column", "Queues or accounts are given, and no job names one.", no_column,
      "The study has a file of queues or of accounts, and the trace lacks the column that says which of them a job "
      "is of. So every job is of the first queue, or of its user's first account. That changes who waits for whom. Add "
      "the column to the trace: sacct has them as Partition and Account.");
  words.add(family, "idle-column", "Jobs name queues, accounts or other jobs, which the study does not use.",
            idle_column,
            "The trace says which queue or account each job is of, or which jobs it waits for, and the study does not "
            "use it. So all jobs may use all nodes, tenants share alike, or jobs start too early, which is not what "
            "the site does. Give `slurm.queues` or `slurm.accounts`, use backfill `slurm`, or leave the column out.");
  words.add(family, "late-start", "The first job comes long after time 0.", late_start,
            "The first job comes long after time 0, probably because times count from 1970. Makespans and fractions "
            "of time contain that empty stretch, and a window of `[measure]` may end before the first job. Subtract "
            "the first submission from all times. Warm-up and window count from the first job then.");
  words.add(family, "units", "The times of a trace may not be seconds.", units,
            "Hardly any job would wait, or nearly all jobs are far shorter than a round. Usually the trace is in "
            "minutes, hours or milliseconds, while the program reads seconds. Results would look plausible and be "
            "wrong. Check one job that you know. Convert the file to seconds. If the trace is right, shorten "
            "`engine.round_s`.");
  words.add(family, "no-quota", "Jobs of tenants without a quota are left out.", no_quota,
            "With `tenants.unlisted = \"drop\"` the jobs of tenants without a quota are not simulated. The load is "
            "lower than that of the trace, and waits are shorter. Give these tenants a quota, or set "
            "`tenants.unlisted = \"borrow\"`, which lets them use what others leave. The number of jobs tells how "
            "much is missing.");
  words.add(family, "no-llm-jobs", "The cluster is too small for the large models that are asked for.", no_llm_jobs,
            "The generator was asked for jobs of large models with `workload.llm_share`, but none of them fits on "
            "this cluster. All jobs are ordinary ones, so the mix is not what the study says. Use a larger cluster, "
            "or set the share to 0. If the size of the cluster is an axis, compare only sizes at which such jobs "
            "exist.");
  words.add(family, "resampled", "Each seed draws its own jobs from the trace.", resampled,
            "Each workload seed draws days, weeks or users of the trace with replacement. The jobs of a seed are real "
            "jobs, but no seed is the trace as it was recorded. An interval then speaks of traces like this one. With "
            "few blocks the draws resemble each other. Use a longer trace, or leave out `workload.resample` to run "
            "the recorded one.");
  words.add(family, "copied-jobs", "The trace is laid over itself.", copied_jobs,
            "The trace is laid over itself as often as `workload.copies` says, each copy a part of the window later. "
            "So a small trace can load a large cluster with jobs of its own sizes. Copies are not independent jobs: a "
            "rare wide job comes once in each copy. Quote the number of copies with the gain.");
}

}  // namespace palstudy
