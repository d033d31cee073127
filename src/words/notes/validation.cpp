// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "core/text.hpp"
#include "words/note_text.hpp"
#include "words/phrases.hpp"

namespace palstudy {
namespace {

std::string waits_text(const Note& note) {
  return fmt::format("mean wait {} as recorded, {} as simulated", duration_text(note["recorded_wait_s"].number()),
                     duration_text(note["simulated_wait_s"].number()));
}

std::string validated(const Note& note) { return "the model reproduces the site's waits: " + waits_text(note); }

std::string rejected_model(const Note& note) {
  return "the model does not reproduce the site's waits: " + waits_text(note);
}

std::string not_validated(const Note& note) {
  return note["changed"].yes() ? "the trace or the scheduler changed since the model was validated"
                               : "the trace has recorded starts, and the model was not held against them";
}

std::string unmeasured_nodes(const Note& note) {
  return fmt::format("{} of {} nodes are not measured: they count as fast as the median", note["nodes"].count(),
                     note["of"].count());
}

}  // namespace

void register_note_validation(NoteWords& words) {
  const std::string family = "validation";
  words.add(family, "validated", "The model reproduces the waits that the site recorded.", validated,
            "`palstudy validate` simulated the site's own scheduler on its own log, and the simulated waits were near "
            "the recorded ones. So the model can be asked what another placement would do. The verdict stands beside "
            "the study, with the figures, and holds for this trace and this scheduler alone.");
  words.add(family, "rejected-model", "The model does not reproduce the waits that the site recorded.", rejected_model,
            "`palstudy validate` simulated the site's own scheduler on its own log, and the simulated waits were far "
            "from the recorded ones. What the study says of other placements may not hold at the site. Run `palstudy "
            "validate` and read the largest differences: queues, priorities, limits or outages are often missing. "
            "Add them to the study, and validate again.");
  words.add(family, "not-validated", "Nobody has tested whether the model reproduces what the site recorded.",
            not_validated,
            "The trace says when its jobs started. So the site's own scheduler can be simulated on its own log, and "
            "its waits compared with the recorded ones. As long as nobody has done that, it is not known whether the "
            "model is like the site. Run `palstudy validate STUDY`, which writes its verdict beside the study.");
  words.add(family, "unmeasured-nodes", "Nodes of the cluster have no measurement.", unmeasured_nodes,
            "The cluster is the site's own, node by node, but the profile has no measurement of some of its nodes. "
            "They are taken to be as fast as the median GPU. If one of them is slow, its cost is not seen, and no "
            "advice can name it. Run the benchmark there, and import both files together.");
}

}  // namespace palstudy
