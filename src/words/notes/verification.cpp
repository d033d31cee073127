// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "core/text.hpp"
#include "words/note_text.hpp"
#include "words/phrases.hpp"

namespace palstudy {
namespace {

std::string no_signature(const Note&) { return "a checksum is no signature: compare the digest with a published one"; }

std::string not_recomputed(const Note& note) {
  return "not computed again from rows: " + join(names_of(note["metrics"]), ", ");
}

std::string no_job_table(const Note& note) {
  return fmt::format("no table /jobs, so {} was computed again", note["power"].yes() ? "energy alone" : "no metric");
}

std::string cut_runs(const Note& note) {
  return fmt::format("jobs that had not arrived when measure.end_s ended {} have no row",
                     counted(note["runs"].count(), "run"));
}

std::string extra_file(const Note& note) { return note["file"].name() + " is not of the bundle"; }

}  // namespace

void register_note_verification(NoteWords& words) {
  const std::string family = "verification";
  words.add(family, "no-signature", "A checksum is no signature.", no_signature,
            "A checksum finds damage and careless changes. Whoever alters a file on purpose can also make a new "
            "checksum, so it proves nothing about who wrote the file. Compare the digest with one that was published "
            "elsewhere, in a paper or a repository. Or run the study again from the archive: the same study gives the "
            "same digest.");
  words.add(family, "not-recomputed", "Some metrics cannot be computed again from rows.", not_recomputed,
            "The check computes the metrics of each run again from the rows of its jobs. Some metrics also need the "
            "state of the engine, which no table has, so they are only covered by the checksum. To check these too, "
            "run the study again from the archive with `palstudy run` and compare the digests.");
  words.add(family, "no-job-table", "The archive has no rows of jobs to compute metrics from.", no_job_table,
            "The study set `output.jobs = false`, so the archive has no row for each job. Metrics of runs are then "
            "covered by the checksum and the digest, but they are not computed again. If you want that check, run the "
            "study again with `--set output.jobs=true` and verify the new archive.");
  words.add(family, "cut-runs", "Some runs ended before all measured jobs arrived.", cut_runs,
            "The key `measure.end_s` ended these runs early. Measured jobs that had not arrived by then count as "
            "unfinished, but they have no row. So the check only holds that the count of unfinished jobs is at least "
            "that of the rows. Raise `measure.end_s` if all measured jobs should arrive.");
  words.add(family, "extra-file", "A file in the folder is not of the bundle.", extra_file,
            "The bundle lists its files with their checksums, and this file is not among them. It may be a note of "
            "yours, a result of a run in the folder, or something that was added on the way. The check says nothing "
            "about it. Move it elsewhere before you hand the bundle on, or make the bundle again.");
}

}  // namespace palstudy
