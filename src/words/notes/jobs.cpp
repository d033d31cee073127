// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "core/text.hpp"
#include "words/note_text.hpp"

namespace palstudy {
namespace {

std::string few_jobs(const Note& note) {
  return fmt::format(
      "few jobs rule {}: in {} of {} under 2 % of the measured jobs hold over a third of it, as few as {} of {} jobs "
      "{:.0f} % (run {}); jct_p50_s and jct_log_mean_s depend on them less",
      note["metric"].name(), grouped(note["runs"].count()), counted(note["of"].count(), "run"), note["jobs"].count(),
      note["of_jobs"].count(), 100 * note["share"].number(), note["run"].count());
}

std::string one_episode(const Note& note) {
  return fmt::format(
      "one episode rules jct_mean_s: in {} of {} over half of it is the waiting of a tenth of the measured jobs, which "
      "arrived one after another, up to {:.0f} % (run {}); a single wide job that others wait for can do that",
      grouped(note["runs"].count()), counted(note["of"].count(), "run"), 100 * note["share"].number(),
      note["run"].count());
}

std::string killed_jobs(const Note& note) {
  return fmt::format(
      "{}, in all of {} together, were killed at their expected end (policy.overrun = \"kill\"; up to {} in one run), "
      "and their completion times count like those of jobs that finished: less work was done, which is no gain; "
      "--metric jobs_overrun_killed compares it",
      counted(note["jobs"].count(), "measured job"), counted(note["of"].count(), "run"), grouped(note["most"].count()));
}

}  // namespace

void register_note_jobs(NoteWords& words) {
  const std::string family = "jobs";
  words.add(family, "few-jobs", "A few long jobs make up a third or more of a mean.", few_jobs);
  words.add(family, "one-episode", "One stretch of waits is over half of the mean.", one_episode);
  words.add(family, "killed-jobs", "Jobs were killed at their limit and count as finished.", killed_jobs);
}

}  // namespace palstudy
