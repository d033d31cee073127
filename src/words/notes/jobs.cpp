// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "core/text.hpp"
#include "words/note_text.hpp"

namespace palstudy {
namespace {

std::string few_jobs(const Note& note) {
  return fmt::format("{} of {} jobs hold {:.0f} % of {} (worst of {})", note["jobs"].count(), note["of_jobs"].count(),
                     100 * note["share"].number(), note["metric"].name(), counted(note["of"].count(), "run"));
}

std::string one_episode(const Note& note) {
  return fmt::format("one stretch of waits is {:.0f} % of the mean, in {} of {}", 100 * note["share"].number(),
                     grouped(note["runs"].count()), counted(note["of"].count(), "run"));
}

std::string killed_jobs(const Note& note) {
  return fmt::format("{} killed at their limit count as finished", counted(note["jobs"].count(), "job"));
}

}  // namespace

void register_note_jobs(NoteWords& words) {
  const std::string family = "jobs";
  words.add(family, "few-jobs", "A few long jobs make up a third or more of a mean.", few_jobs,
            "A few very long jobs make up a third or more of this mean. If a policy treats these few jobs "
            "differently, the whole mean moves. That may be luck, or a property of these jobs. Look at the median and "
            "the geometric mean as well: `--metric jct_p50_s --metric jct_log_mean_s`. Measure more jobs if they "
            "disagree.");
  words.add(family, "one-episode", "One stretch of waits is over half of the mean.", one_episode,
            "More than half of the mean completion time is the waiting of a tenth of the jobs, which arrived one "
            "after another. So one episode decides the result, often a single wide job that all others wait for. "
            "Another draw of the jobs may have none. Use more seeds, allow backfill, or look at the waits with "
            "`palstudy export FILE --table delays`.");
  words.add(family, "killed-jobs", "Jobs were killed at their limit and count as finished.", killed_jobs,
            "With `policy.overrun = \"kill\"` a job that outlives its expected end is killed. Its completion time "
            "counts like that of a finished job, though less work was done. A policy that makes more jobs overrun can "
            "look faster. Compare them with `--metric jobs_overrun_killed`. Only a gain without more killed jobs is a "
            "gain.");
}

}  // namespace palstudy
