// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "core/text.hpp"
#include "words/note_text.hpp"

namespace palstudy {
namespace {

std::string slow_gpu(const Note& note) {
  return fmt::format("one GPU is {:.3g} times as slow as the median, in {} of {}", note["slowdown"].number(),
                     grouped(note["runs"].count()), counted(note["of"].count(), "run"));
}

}  // namespace

void register_note_gpus(NoteWords& words) {
  words.add("GPUs", "slow-gpu", "One GPU is far slower than all others.", slow_gpu,
            "One GPU is far slower than all others. A policy that avoids it gains much, and this one GPU may make "
            "most of the gain. Draining it might do as well. Split the runs with `--by \"cluster.slowdown_max>2\"`. "
            "The study `straggler` shows how much is left without such a GPU. Check it before you quote a gain.");
}

}  // namespace palstudy
