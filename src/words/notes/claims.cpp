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

std::string failed(const Note& note) { return of_runs(note) + " failed and make no claim, nor do their pairs"; }

std::string unfinished(const Note& note) {
  return fmt::format("{} left {} unfinished and make no claim, nor do their pairs", of_runs(note),
                     counted(note["jobs"].count(), "measured job"));
}

std::string unstable(const Note& note) {
  return fmt::format("{} are unstable and make no claim, nor do their pairs: their queues grow by {} jobs an hour",
                     of_runs(note), range_text(note["growth"]));
}

std::string up_to_end(const Note& note) {
  const auto metrics = names_of(note["metrics"]);
  return fmt::format(
      "{} of {} runs left jobs unfinished: {} {} up to the end of the run there, and compared where both runs of a "
      "pair did",
      note["runs"].count(), note["of"].count(), join(metrics), metrics.size() == 1 ? "is" : "are");
}

std::string no_baseline(const Note&) {
  return "no gain is shown, since no policy of the study is named as a baseline: --baseline NAME, or [compare] "
         "baseline";
}

}  // namespace

void register_note_claims(NoteWords& words) {
  const std::string family = "claims";
  words.add(family, "failed", "Some runs failed and are left out with their pairs.", failed);
  words.add(family, "unfinished", "Some runs left measured jobs unfinished.", unfinished);
  words.add(family, "unstable", "Queues of some runs grow for as long as jobs arrive.", unstable);
  words.add(family, "up-to-end", "Some metrics are those up to the end of a run that left jobs unfinished.", up_to_end);
  words.add(family, "no-baseline", "No policy is named as a baseline.", no_baseline);
}

}  // namespace palstudy
