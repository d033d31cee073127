// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "core/text.hpp"
#include "words/note_text.hpp"
#include "words/phrases.hpp"

namespace palstudy {
namespace {

std::string cpu_times(const Note& note) {
  return subject_text(note) + "the times are of CPU cores (--backend host), not of GPUs";
}

std::string made_up(const Note& note) {
  return subject_text(note) +
         "some GPUs were slowed on purpose, or the hosts are made up (--inject-slowdown, --hosts-of): it describes no "
         "machine";
}

std::string one_gpu(const Note& note) {
  return subject_text(note) + "it is of one GPU, and says nothing of how far GPUs differ";
}

std::string wrong_results(const Note& note) {
  return fmt::format("{}{} of {} on {} left out, the result was wrong", subject_text(note),
                     counted(note["repeats"].count(), "repeat"), note["kernel"].name(), note["gpu"].name());
}

std::string changed_gpu(const Note& note) {
  std::vector<std::string> values;
  const bool moved = note["what"].name() == "host";
  for (const Value& one : note["values"].list()) {
    values.push_back(moved ? one.name() : shortest(one.number()) + " W");
  }
  return moved ? fmt::format("GPU {} was on {}: it is counted where its last session found it", note.subject,
                             join(values, " and on "))
               : fmt::format("GPU {} had power limits of {}: its sessions may differ for that", note.subject,
                             join(values, " and "));
}

}  // namespace

void register_note_profiles(NoteWords& words) {
  const std::string family = "profiles";
  words.add(family, "cpu-times", "The times are of CPU cores, not of GPUs.", cpu_times);
  words.add(family, "made-up", "GPUs were slowed on purpose, or hosts are made up.", made_up);
  words.add(family, "one-gpu", "One GPU says nothing of how far GPUs differ.", one_gpu);
  words.add(family, "wrong-results", "Repeats with a wrong result are left out.", wrong_results);
  words.add(family, "changed-gpu", "A GPU moved or got another power limit between sessions.", changed_gpu);
}

}  // namespace palstudy
