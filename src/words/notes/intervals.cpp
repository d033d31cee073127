// SPDX-License-Identifier: MIT
#include "words/note_text.hpp"

namespace palstudy {
namespace {

std::string donors(const Note&) { return "all clusters are drawn from the measured nodes of one machine"; }

std::string idle_seeds(const Note&) { return "the seeds draw nothing but the policies' own choices"; }

std::string same_nodes(const Note&) { return "the seeds only move the same nodes to other places"; }

}  // namespace

void register_note_intervals(NoteWords& words) {
  const std::string family = "intervals";
  words.add(family, "donors", "All clusters are drawn from the nodes of one machine.", donors,
            "All clusters are drawn from the measured nodes of one machine. The interval tells what other draws from "
            "these nodes would do. Another machine may have other GPUs, better cooling or one very slow node. Measure "
            "your own with `palstudy measure`, or bring it with `palstudy profile import`, and set `cluster.profile` "
            "to that file.");
  words.add(family, "idle-seeds", "The seeds draw nothing but the policies' own choices.", idle_seeds,
            "The seeds of this study draw neither clusters nor jobs. They change nothing, or only the random choices "
            "of a policy. Repeating the same run does not make it more certain. So there is no interval, or only one "
            "about these choices. Draw clusters with `cluster.source`, or jobs with `workload.resample` or a "
            "generator.");
  words.add(family, "same-nodes", "The seeds only move the same nodes to other places.", same_nodes,
            "The study asks for as many nodes as were measured, so every seed uses all of them. Only their places "
            "differ. An interval then says how much places matter, not how another machine would do. Give fewer nodes "
            "than were measured, use `cluster.source = \"block\"`, or draw the jobs as well with `workload.resample`.");
}

}  // namespace palstudy
