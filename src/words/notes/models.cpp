// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "core/text.hpp"
#include "words/note_text.hpp"
#include "words/phrases.hpp"

namespace palstudy {
namespace {

std::string assumed_models(const Note& note) {
  return fmt::format(
      "the shares of communication of {} are assumptions, not fitted to measured scaling (docs/models.md)",
      join(names_of(note["models"])));
}

std::string no_gradients(const Note& note) {
  return fmt::format("{} has no gradient_bytes of {}, so their penalty is 1", note.subject,
                     join(names_of(note["models"])));
}

std::string few_links(const Note& note) {
  return fmt::format("{}no transfers within a {}, so those of the {} stand for them", subject_text(note),
                     note["level"].name(), note["stand_in"].name());
}

}  // namespace

void register_note_models(NoteWords& words) {
  const std::string family = "models";
  words.add(family, "assumed-models", "How some models communicate is assumed, not measured.", assumed_models);
  words.add(family, "no-gradients", "It is not known what some models exchange, so their penalty is 1.", no_gradients);
  words.add(family, "few-links", "No transfers were measured on a level.", few_links);
}

}  // namespace palstudy
