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

std::string shifted(const Note& note) {
  return fmt::format("{}times count from the first job, at {} s", subject_text(note), in_digits(note["by_s"].number()));
}

std::string left_wider(const Note& note) {
  return fmt::format("{}{} of {} jobs left out: they want over {} GPUs", subject_text(note), note["left"].count(),
                     note["of"].count(), note["gpus"].count());
}

std::string start_by_end(const Note& note) {
  return subject_text(note) + "is of Slurm 21.08, which gives no starts: they are taken from the ends";
}

std::string swf_layout(const Note& note) {
  std::vector<std::string> parts;
  if (note["header"].yes()) parts.emplace_back("the first line is a header, and is not read");
  if (const std::size_t longer = note["longer"].count(); longer > 0) {
    parts.push_back(fmt::format("{} more than 18 fields, of which the rest is not read",
                                longer == 1 ? "1 line has" : counted(longer, "line") + " have"));
  }
  return subject_text(note) + join(parts, "; ");
}

std::string recorded_ends(const Note& note) {
  std::vector<std::string> ends;
  for (const Value& one : note["ends"].list())
    ends.push_back(fmt::format("{} {}", one["jobs"].count(), one["state"].name()));
  const std::size_t runs = note["requeued_runs"].count();
  return fmt::format("{}{} as recorded{}{}{}", subject_text(note), counted(note["jobs"].count(), "job"),
                     ends.empty() ? "" : ": ", join(ends),
                     runs == 0 ? "" : "; " + counted(runs, "run") + " joined to the one before");
}

std::string time_zero(const Note& note) {
  return fmt::format("{}time 0 is {} s after 1970; {} ran then, and {} waited", subject_text(note),
                     in_digits(note["at_s"].number()), counted(note["ran"].count(), "job"), note["waited"].count());
}

std::string drawn_classes(const Note& note) {
  return fmt::format("{}the class of {} is not known, and is drawn", subject_text(note),
                     counted(note["jobs"].count(), "job"));
}

std::string left_initial(const Note& note) {
  return fmt::format("{}{} of time 0 left out, since arrivals are drawn again", subject_text(note),
                     counted(note["jobs"].count(), "job"));
}

std::string idle_classes(const Note& note) {
  const auto names = names_of(note["names"]);
  return fmt::format("{}no job is called, or is of a user or account called, {}", subject_text(note), join(names));
}

std::string row_ids(const Note& note) {
  return fmt::format("{}ids are not whole numbers, each another: {} are numbered by submission", subject_text(note),
                     counted(note["jobs"].count(), "job"));
}

std::string zoneless(const Note& note) { return subject_text(note) + "times have no zone, and are taken as UTC"; }

std::string latin_1(const Note& note) { return subject_text(note) + "is no UTF-8, and is taken as Latin-1"; }

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
  words.add(
      family, "late-start", "The first job comes long after time 0.", late_start,
      "The first job comes a week or more after time 0, and later than the trace is long. Makespans and fractions "
      "of time contain that empty stretch, and a window of `[measure]` may end before the first job. If nothing "
      "happened before, subtract the first submission from all times. Warm-up and window count from it then.");
  words.add(family, "shifted", "The times of a trace count from its first job.", shifted,
            "The first job comes a year or more after time 0, as it does where times count from 1970. The time of "
            "its submission was subtracted from all others, so that the trace begins at 0. Warm-up and window of "
            "`[measure]` count from there. Add the number of the note to get the times of the file.");
  words.add(family, "left-wider", "Jobs wider than the cluster are left out.", left_wider,
            "With `workload.wider = \"skip\"` jobs that want more GPUs than the cluster has are not simulated. They "
            "are few in most traces, but they hold much of the GPU time, so that the load is lower than recorded. Read "
            "the answer as one for the other jobs. Use a larger cluster to keep them.");
  words.add(family, "start-by-end", "Starts are taken from the ends of jobs.", start_by_end,
            "`sacct --json` of Slurm 21.08 has the time from which a job could start in the place of its start. So "
            "each start was computed: the end, less the time for which the job ran and the time for which it was "
            "suspended. Text of `sacct -P` has the right starts in that version too, if you would rather use it.");
  words.add(family, "swf-layout", "A log has a header line, or more fields than its format.", swf_layout,
            "Lines of the Standard Workload Format have 18 numbers and no header. This log differs: its first line "
            "has names, which was left out, or lines have further fields, which are not read. If fields were put "
            "between the others and not behind them, numbers are in the wrong places. Look at one job that you know.");
  words.add(
      family, "recorded-ends", "Jobs run for as long as they did, however they ended.", recorded_ends,
      "Each job holds its GPUs for as long as it did, however it ended: a run that failed used them as well. Runs "
      "that were requeued are one job, which needs the sum of their times. The recorded time is taken as the time "
      "at slowdown 1 and penalty 1, since the file does not say how slow its GPUs were. TIMEOUT jobs ran into their "
      "limit.");
  words.add(
      family, "time-zero", "What the times of a site's accounting count from.", time_zero,
      "A dump lists what ran in a window of time, so of the days before only long jobs are left. Times count from a "
      "second before the first job of the dump ended. Jobs that ran or waited then are there at time 0, with ids "
      "under 0 and the time that they had left; they are not measured. Begin the window earlier to measure more.");
  words.add(
      family, "drawn-classes", "The classes of a site's jobs are drawn.", drawn_classes,
      "A site's accounting does not say what its jobs computed, and so not how much slow GPUs slow them down. The "
      "model of each job is drawn from `workload.models`, and with it the class. Gains of PAL hang on it. Give "
      "`workload.class_of`, a table from names of jobs, users or accounts to classes.");
  words.add(
      family, "left-initial", "Jobs that ran when a dump began are left out.", left_initial,
      "Jobs that ran or waited when the dump of a site's accounting began are no arrivals: they cannot be drawn again "
      "or copied like the others. With `workload.resample` or `workload.copies` they are left out, so that the "
      "cluster is empty at first. Let a warm-up pass before you measure, by `measure.warmup_s`.");
  words.add(
      family, "idle-classes", "Rows of a table of classes that no job is in.", idle_classes,
      "A row of `workload.class_of` names something that is the name, user or account of no job, perhaps because it "
      "is misspelt. Its jobs get the class of another row, of `*`, or one that is drawn. Names are compared letter "
      "by letter, without patterns. A job's name counts before its user, and that before its account.");
  words.add(
      family, "row-ids", "Jobs are numbered by the program.", row_ids,
      "The ids of the trace are not all whole numbers, or one comes twice, as those of arrays do without the column "
      "JobIDRaw. So jobs are numbered in the order of their submission, from 0 on. The "
      "table of jobs has the site's ids too, as `site_job`. Ask sacct for JobIDRaw to keep whole numbers.");
  words.add(
      family, "zoneless", "Times without a zone are taken as UTC.", zoneless,
      "The times of the trace are those of the site's clock, without a zone. Taken as UTC they are hours off, which "
      "changes no wait, but for jobs that ran while clocks changed: those are an hour too long or too short. Write "
      "times with a zone. `sacct` gives seconds since 1970 with SLURM_TIME_FORMAT=%s.");
  words.add(
      family, "latin-1", "A trace is not UTF-8.", latin_1,
      "Some bytes of the trace are no UTF-8, so all of it was taken as Latin-1, in which every byte is a letter. "
      "Numbers and times are the same in both. Names with other letters may look wrong in tables, but equal names "
      "stay equal. Convert the file with iconv if you need the names.");
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
