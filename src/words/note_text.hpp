// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <vector>

#include "archive/archived_notes.hpp"
#include "core/note.hpp"

namespace palstudy {

/// The sentences of notes, by id. Each file of words/notes/ adds those of a family, and has what they are about.
class NoteWords {
 public:
  using Words = std::string (*)(const Note& note);
  struct Entry {
    std::string family;
    std::string summary;  ///< what a note of this id says, without its values
    Words words;
    std::string explanation;  ///< what it means, why it matters and what to do: 40 to 120 words
  };
  /// Errors (fault): there are words of this id.
  void add(const std::string& family, const std::string& id, const std::string& summary, Words words,
           const std::string& explanation);
  /// By id.
  [[nodiscard]] const std::map<std::string, Entry>& entries() const { return entries_; }

 private:
  std::map<std::string, Entry> entries_;
};
[[nodiscard]] const NoteWords& note_words();

/// The sentence of a note. Errors (fault): there are no words of this id.
[[nodiscard]] std::string text_of(const Note& note);
/// The ids of notes, each once, the heaviest first: "overloaded, few-jobs".
[[nodiscard]] std::string ids_text(std::vector<Note> notes);
/// Notes with their sentences, for a file.
[[nodiscard]] std::vector<WordedNote> worded(const std::vector<Note>& notes);
/// Says notes in the log, as warnings or, of severity info, as information.
void log_notes(const std::vector<Note>& notes);

}  // namespace palstudy
