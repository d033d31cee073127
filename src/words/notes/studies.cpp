// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "core/text.hpp"
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "words/note_text.hpp"
#include "words/phrases.hpp"

namespace palstudy {
namespace {

std::string unused_key(const Note& note) {
  const std::string& name = note["key"].name();
  const Key* key = find_key(name);
  return fmt::format("{} is not used{}", name, key == nullptr ? "" : ": " + key->unused_why);
}

std::string unused_seeds(const Note& note) {
  return fmt::format("the axis {} has {} values; [stop] never takes more than the first {}", note["key"].name(),
                     note["seeds"].count(), note["used"].count());
}

std::string unused_table(const Note& note) {
  return fmt::format("{} is not used: {} = \"{}\" is the program's own table; give yours another name", note.subject,
                     keys::models.name, note["models"].name());
}

std::string endless(const Note& note) {
  return fmt::format(
      "a move costs {} s and a round takes {} s: jobs that are moved at every boundary may never finish; "
      "measure.end_s gives up in time",
      shortest(note["migration_s"].number()), shortest(note["round_s"].number()));
}

std::string lost_baseline(const Note& note) {
  const std::string& key = note["key"].name();
  if (!note["is_axis"].yes()) {
    return fmt::format("nothing is compared with {}, since {} is no axis", keys::baseline.name, key);
  }
  return fmt::format("--set leaves the baseline \"{}\" out of {}, so nothing is compared with it", note.subject, key);
}

}  // namespace

void register_note_studies(NoteWords& words) {
  const std::string family = "studies";
  words.add(family, "unused-key", "A key was given that no run depends on.", unused_key);
  words.add(family, "unused-seeds", "There are more seeds than [stop] ever takes.", unused_seeds);
  words.add(family, "unused-table", "A file beside the study has the path of a table of the program.", unused_table);
  words.add(family, "endless", "A move costs as long as a round, so jobs may never end.", endless);
  words.add(family, "lost-baseline", "Nothing can be compared with a baseline.", lost_baseline);
}

}  // namespace palstudy
