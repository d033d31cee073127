// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "core/text.hpp"
#include "words/note_text.hpp"
#include "words/phrases.hpp"

namespace palstudy {
namespace {

std::string assumed_models(const Note& note) {
  return fmt::format("the communication of {} is assumed, not measured", join(names_of(note["models"])));
}

std::string no_gradients(const Note& note) {
  return fmt::format("no gradient_bytes for {}: their penalty is 1", join(names_of(note["models"])));
}

std::string few_links(const Note& note) {
  return fmt::format("no transfers within a {}: those of the {} are used", note["level"].name(),
                     note["stand_in"].name());
}

}  // namespace

void register_note_models(NoteWords& words) {
  const std::string family = "models";
  words.add(family, "assumed-models", "How some models communicate is assumed, not measured.", assumed_models,
            "The shares of communication of these models are assumptions. Nobody fitted them to measured scaling. "
            "They decide how much a job loses if its GPUs span nodes, and so how much packing is worth. Vary them: "
            "run the study with a table of models whose shares are half and twice as large. Quote a gain that "
            "survives both.");
  words.add(family, "no-gradients", "It is not known what some models exchange, so their penalty is 1.", no_gradients,
            "Measured penalties come from how many bytes a model exchanges in each step. The table of models has no "
            "`gradient_bytes` for these. They then pay nothing for spanning nodes, so spreading them looks free, and "
            "packing gains too little. Add the bytes to the table of models, or give penalties by hand under "
            "`network.penalty`.");
  words.add(family, "few-links", "No transfers were measured on a level.", few_links,
            "Measured penalties need transfers on each level: node, cabinet and cluster. On this level none were "
            "measured, so those of another level are used. The penalty of jobs that span this level may be too small "
            "or too large. Measure it with `palstudy measure --kernel link --kernel allreduce` on several hosts and "
            "cabinets.");
}

}  // namespace palstudy
