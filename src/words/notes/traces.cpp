// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "core/text.hpp"
#include "words/note_text.hpp"
#include "words/phrases.hpp"
#include "workload/synthetic/resample.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

std::string unsorted(const Note& note) {
  return subject_text(note) + "not sorted by submit time; sorted, jobs of one time in the order of the file";
}

std::string left_records(const Note& note) { return subject_text(note) + left_records_text(note); }

std::string unread_column(const Note& note) {
  const std::string like = note["like"].known() ? fmt::format("; did you mean \"{}\"?", note["like"].name()) : "";
  return fmt::format("{}column \"{}\" is not read{}", subject_text(note), note["column"].name(), like);
}

std::string late_start(const Note& note) {
  return fmt::format(
      "{}the first job is submitted at {} s, and times count from 0: subtract that from the times of the trace",
      subject_text(note), in_digits(note["first_s"].number()));
}

std::string units(const Note& note) {
  constexpr const char* advice = "times are seconds, so check the units of the trace";
  if (const Value* load = find(note.values, "load")) {
    return fmt::format("{}the offered load is {:.3g}, so hardly any job waits; {}", subject_text(note), load->number(),
                       advice);
  }
  return fmt::format("{}nine of ten measured jobs run for {} s or less, and a round takes {} s; {}", subject_text(note),
                     in_digits(note["duration_s"].number()), shortest(note["round_s"].number()), advice);
}

std::string no_quota(const Note& note) {
  const auto tenants = names_of(note["tenants"]);
  const std::size_t jobs = note["jobs"].count();
  return fmt::format("{} of {} without a quota {} left out: \"{}\"", counted(jobs, "job"),
                     counted(tenants.size(), "tenant"), jobs == 1 ? "is" : "are", join(tenants, "\", \""));
}

std::string no_llm_jobs(const Note& note) {
  return fmt::format("{}workload.llm_share makes no jobs on {} GPUs: the cluster is too small for them",
                     subject_text(note), note["gpus"].count());
}

std::string resampled(const Note& note) {
  const std::string& by = note["by"].name();
  const Resampling how = by == name_of(Resampling::days)    ? Resampling::days
                         : by == name_of(Resampling::weeks) ? Resampling::weeks
                                                            : Resampling::users;
  TraceBlocks blocks{how, note["blocks"].count()};
  blocks.empty = note["empty"].count();
  return fmt::format(
      "{}{} jobs in {}; each workload.seed draws as many of these with replacement{} (workload.resample)",
      subject_text(note), note["jobs"].count(), blocks.text(),
      note["by_weekday"].yes() ? ", each in place of one of the same weekday" : "");
}

std::string copied_jobs(const Note& note) {
  const std::string copies = "workload.copies = " + shortest(note["copies"].number());
  if (!note["own"].known()) {
    return fmt::format("{}{} of the jobs that each workload.seed draws", subject_text(note), copies);
  }
  const std::size_t own = note["own"].count();
  if (note["jobs"].known()) {
    return fmt::format("{}{} jobs in place of {}, {}", subject_text(note), note["jobs"].count(), own, copies);
  }
  return fmt::format("{}{} of {}; each workload.seed draws those of the last copy", subject_text(note), copies,
                     counted(own, "job"));
}

}  // namespace

void register_note_traces(NoteWords& words) {
  const std::string family = "traces";
  words.add(family, "unsorted", "The trace is not sorted by submit time; it is sorted now.", unsorted);
  words.add(family, "left-records", "Some records of a trace make no job.", left_records);
  words.add(family, "unread-column", "A column of the trace is not read.", unread_column);
  words.add(family, "late-start", "The first job comes long after time 0.", late_start);
  words.add(family, "units", "The times of a trace may not be seconds.", units);
  words.add(family, "no-quota", "Jobs of tenants without a quota are left out.", no_quota);
  words.add(family, "no-llm-jobs", "The cluster is too small for the large models that are asked for.", no_llm_jobs);
  words.add(family, "resampled", "Each seed draws the jobs of the trace anew.", resampled);
  words.add(family, "copied-jobs", "The trace is laid over itself.", copied_jobs);
}

}  // namespace palstudy
