// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "core/text.hpp"
#include "words/note_text.hpp"

namespace palstudy {
namespace {

std::string slow_gpu(const Note& note) {
  const std::size_t runs = note["runs"].count(), all = note["of"].count();
  const double limit = note["limit"].number();
  const std::string split = runs == all ? "" : fmt::format("; --by \"cluster.slowdown_max>{}\" splits the runs", limit);
  return fmt::format(
      "before quoting a gain: in {} of {} the slowest GPU has a slowdown over {} (up to {:.3g}; 1 is the median GPU "
      "of a profile, or what a table calls 1). One such GPU can make most of the gain of a policy that avoids it{}; "
      "experiments/straggler.toml shows how much",
      grouped(runs), counted(all, "run"), limit, note["slowdown"].number(), split);
}

}  // namespace

void register_note_gpus(NoteWords& words) {
  words.add("GPUs", "slow-gpu", "One GPU is far slower than all others.", slow_gpu,
            "One GPU is far slower than all others. A policy that avoids it gains much, and this one GPU may make "
            "most of the gain. Draining it might do as well. Split the runs with `--by \"cluster.slowdown_max>2\"`. "
            "The study `straggler` shows how much is left without such a GPU. Check it before you quote a gain.");
}

}  // namespace palstudy
