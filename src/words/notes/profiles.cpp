// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "core/text.hpp"
#include "words/note_text.hpp"
#include "words/phrases.hpp"

namespace palstudy {
namespace {

std::string cpu_times(const Note& note) { return subject_text(note) + "the times are of CPU cores, not of GPUs"; }

std::string made_up(const Note& note) {
  return subject_text(note) + "slowed on purpose, or with made-up hosts: no real machine";
}

std::string one_gpu(const Note& note) {
  return subject_text(note) + "one GPU: it says nothing about how far GPUs differ";
}

std::string wrong_results(const Note& note) {
  return fmt::format("{}{} on {}: {} left out", subject_text(note), note["kernel"].name(), note["gpu"].name(),
                     counted(note["repeats"].count(), "wrong result"));
}

std::string changed_gpu(const Note& note) {
  std::vector<std::string> values;
  const bool moved = note["what"].name() == "host";
  for (const Value& one : note["values"].list()) {
    values.push_back(moved ? one.name() : shortest(one.number()) + " W");
  }
  return fmt::format("{} {} {}", note.subject, moved ? "was on" : "had power limits of", join(values, " and "));
}

}  // namespace

void register_note_profiles(NoteWords& words) {
  const std::string family = "profiles";
  words.add(family, "cpu-times", "The times are of CPU cores, not of GPUs.", cpu_times,
            "This profile was made with `--backend host`, which runs the kernels on CPU cores. It shows that the tool "
            "works, not how GPUs vary. Cores vary for other reasons: other programs, clocks that follow the load, "
            "shared caches. Do not draw GPU clusters from it for a result. Measure GPUs with `palstudy measure`, one "
            "rank for each.");
  words.add(family, "made-up", "GPUs were slowed on purpose, or hosts are made up.", made_up,
            "Some ranks were slowed on purpose with `--inject-slowdown`, or posed as several hosts with `--hosts-of`. "
            "Such profiles test what comes after a measurement. They describe no machine, so no gain may be claimed "
            "from clusters that are drawn from them. Measure again without these options. Archives made from this "
            "profile keep the note.");
  words.add(family, "one-gpu", "One GPU says nothing of how far GPUs differ.", one_gpu,
            "The profile has times of one GPU. Variability is a difference between GPUs, so there is nothing to see "
            "yet, and every slowdown is 1. Measure more GPUs, on several nodes and on two days. Join the files with "
            "`palstudy profile merge`. Eight GPUs and two sessions are the least for classes and for clusters of any "
            "size.");
  words.add(family, "wrong-results", "Repeats with a wrong result are left out.", wrong_results,
            "The result of the kernel on this GPU differed from the reference by more than rounding allows. These "
            "repeats are left out of the times. A GPU that computes wrongly may have bad memory or a bad clock, and "
            "no scheduler helps. Run the diagnosis of your site, and drain the node until it passes.");
  words.add(family, "changed-gpu", "A GPU moved or got another power limit between sessions.", changed_gpu,
            "A GPU changed between sessions: it moved to another node, or it got another power limit. A moved GPU is "
            "counted where its last session found it. With another power limit its sessions may differ for that "
            "reason alone. Leave the older session out if you want one consistent state, and merge the rest again.");
}

}  // namespace palstudy
