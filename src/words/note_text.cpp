// SPDX-License-Identifier: MIT
#include "words/note_text.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/text.hpp"

namespace palstudy {

void register_notes(NoteWords& words);  // generated

void NoteWords::add(const std::string& family, const std::string& id, const std::string& summary, Words words,
                    const std::string& explanation) {
  if (!entries_.emplace(id, Entry{family, summary, words, explanation}).second) throw fault("two notes named " + id);
}

const NoteWords& note_words() {
  static const NoteWords all = [] {
    NoteWords words;
    register_notes(words);
    return words;
  }();
  return all;
}

std::string text_of(const Note& note) {
  const auto& entries = note_words().entries();
  const auto words = entries.find(note.id);
  if (words == entries.end()) throw fault("no file of words/notes has the words of the note " + note.id);
  return words->second.words(note);
}

std::string ids_text(std::vector<Note> notes) {
  std::ranges::stable_sort(notes, {}, &Note::severity);
  std::vector<std::string> ids;
  for (const Note& note : notes) {
    if (std::ranges::find(ids, note.id) == ids.end()) ids.push_back(note.id);
  }
  return join(ids);
}

std::vector<WordedNote> worded(const std::vector<Note>& notes) {
  std::vector<WordedNote> all;
  for (const Note& note : notes) all.push_back({note, text_of(note)});
  return all;
}

void log_notes(const std::vector<Note>& notes) {
  for (const Note& note : notes) {
    spdlog::log(note.severity == Severity::info ? spdlog::level::info : spdlog::level::warn, "{}", text_of(note));
  }
}

}  // namespace palstudy
