// SPDX-License-Identifier: MIT
#include "core/note.hpp"

#include <algorithm>
#include <array>

#include "core/error.hpp"

namespace palstudy {

const char* name_of(Severity severity) {
  return std::array{"stop", "care", "info"}[static_cast<std::size_t>(severity)];
}

const Value& Note::operator[](std::string_view name) const {
  const Value* value = find(values, name);
  if (value == nullptr) throw fault("the note " + id + " has no value " + std::string(name));
  return *value;
}

Note NoteKind::operator()(ValueRecord values, std::string subject) const {
  return {id_, severity_, std::move(subject), std::move(values)};
}

std::vector<const NoteKind*> NoteKind::all() {
  std::vector<const NoteKind*> kinds;
  for (const NoteKind* one = first; one != nullptr; one = one->next_) kinds.push_back(one);
  std::ranges::sort(kinds, {}, [](const NoteKind* one) { return std::string_view(one->id_); });
  return kinds;
}

void add_once(std::vector<Note>& notes, Note note) {
  if (std::ranges::find(notes, note) == notes.end()) notes.push_back(std::move(note));
}

const Note* find(const std::vector<Note>& notes, std::string_view id, std::string_view subject) {
  const auto at = std::ranges::find_if(
      notes, [&](const Note& one) { return one.id == id && (subject.empty() || one.subject == subject); });
  return at == notes.end() ? nullptr : &*at;
}

}  // namespace palstudy
