// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "core/text.hpp"
#include "words/note_text.hpp"
#include "words/phrases.hpp"

namespace palstudy {
namespace {

std::string of_runs(const Note& note) {
  return fmt::format("{} of {}", grouped(note["runs"].count()), counted(note["of"].count(), "run"));
}

std::string failed(const Note& note) { return of_runs(note) + " failed and are left out with their pairs"; }

std::string unfinished(const Note& note) {
  return fmt::format("{} left {} unfinished", of_runs(note), counted(note["jobs"].count(), "measured job"));
}

std::string unstable(const Note& note) {
  return fmt::format("{} are unstable: queues grow by {} jobs/h", of_runs(note), range_text(note["growth"]));
}

std::string up_to_end(const Note& note) {
  const auto metrics = names_of(note["metrics"]);
  const std::string more = metrics.size() > 1 ? fmt::format(" and {} more", metrics.size() - 1) : "";
  return fmt::format("{}{}: up to the end of {} that left jobs", metrics.at(0), more, of_runs(note));
}

std::string no_baseline(const Note&) { return "no gain: name a baseline with --baseline NAME"; }

}  // namespace

void register_note_claims(NoteWords& words) {
  const std::string family = "claims";
  words.add(family, "failed", "Some runs failed and are left out with their pairs.", failed,
            "These runs ended with an error and have no result. Their partners are left out too, because a gain "
            "compares two runs at one point. What is left may be the easier part of the study. Find the reason with "
            "`palstudy export FILE --table runs`. Then repeat them with `palstudy run STUDY -o FILE --resume "
            "--retry-failed`.");
  words.add(family, "unfinished", "Some runs left measured jobs unfinished.", unfinished,
            "Some measured jobs had not finished when the run ended, so their completion times are unknown. A mean "
            "over the others would leave out the longest jobs. These runs and their partners make no claim about "
            "completion times. Raise `measure.end_s`, measure earlier jobs, or compare metrics that need no finish, "
            "such as `jobs_started`.");
  words.add(family, "unstable", "Queues of some runs grow for as long as jobs arrive.", unstable,
            "The queue of measured jobs grows for as long as they arrive, so the mean depends on when you stop. Such "
            "a run says nothing about a steady machine, and is left out with its partner. Lower the load, add GPUs, "
            "or allow backfill. A gain over an unstable baseline would look large and mean little.");
  words.add(family, "up-to-end", "Some metrics are those up to the end of a run that left jobs unfinished.", up_to_end,
            "Some runs left jobs unfinished. The metrics named here need no finish, so they are still compared, but "
            "only up to the end of such a run. A pair counts only if both of its runs were cut. Do not compare these "
            "values with those of runs that finished all jobs. Raise `measure.end_s` to avoid it.");
  words.add(family, "no-baseline", "No policy is named as a baseline.", no_baseline,
            "A gain needs something to compare with, and neither the study nor the command names a baseline. The "
            "table of means is shown without changes. Give `--baseline NAME` with one of the placements or systems of "
            "the study. To keep it, write `baseline = \"NAME\"` under `[compare]` in the study.");
}

}  // namespace palstudy
