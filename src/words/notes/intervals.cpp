// SPDX-License-Identifier: MIT
#include "words/note_text.hpp"

namespace palstudy {
namespace {

std::string donors(const Note&) {
  return "given these donors: the clusters are drawn from the same measured nodes, so the intervals are for other "
         "draws from them, not for other machines";
}

std::string idle_seeds(const Note&) {
  return "the seeds change nothing but random choices of the policies, so there is no interval; draw clusters "
         "(cluster.source) or workloads (workload.resample, a generator)";
}

std::string same_nodes(const Note&) {
  return "the seeds only put the same nodes in other places, so intervals are over other placements of these GPUs, not "
         "over other machines; give fewer nodes than were measured, or draw workloads (workload.resample)";
}

}  // namespace

void register_note_intervals(NoteWords& words) {
  const std::string family = "intervals";
  words.add(family, "donors", "All clusters are drawn from the nodes of one machine.", donors);
  words.add(family, "idle-seeds", "The seeds draw nothing but the policies' own choices.", idle_seeds);
  words.add(family, "same-nodes", "The seeds only move the same nodes to other places.", same_nodes);
}

}  // namespace palstudy
