// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

#include "core/text.hpp"
#include "words/note_text.hpp"
#include "words/phrases.hpp"

namespace palstudy {
namespace {

std::string place_text(const Value& at) {
  std::vector<std::string> parts;
  for (const Value& one : at.list()) {
    parts.push_back(fmt::format("{} {} {}", one["key"].name(), one["relation"].name(), one["value"].name()));
  }
  return parts.empty() ? "" : " at " + join(parts);
}

/// `beginning`, and what `said` of the gains: of three, and how many there are more.
template <class Say>
std::string of_gains(const Note& note, const char* beginning, Say said) {
  constexpr std::size_t most = 3;
  const ValueList& gains = note["gains"].list();
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < std::min(gains.size(), most); ++i) {
    texts.push_back(fmt::format("{} against {}{}, {}: {}", gains[i]["policy"].name(), gains[i]["baseline"].name(),
                                place_text(gains[i]["at"]), gains[i]["metric"].name(), said(gains[i])));
  }
  if (gains.size() > most) texts.push_back(fmt::format("and {} more", gains.size() - most));
  return beginning + join(texts, "; ");
}

std::string mixed_signs(const Note& note) {
  return of_gains(note, "averages hide opposite signs, and --by KEY splits them: ", [](const Value& gain) {
    return fmt::format("{} is the average of {} {}, from {} to {}", percent_text(gain["gain"].number()),
                       gain["parts"].count(), gain["traces"].yes() ? "traces" : "points",
                       percent_text(gain["least"].number()), percent_text(gain["most"].number()));
  });
}

std::string zero_values(const Note& note) {
  return of_gains(note,
                  "pairs of which one value is 0 have no ratio, so the gain is of the others: ", [](const Value& gain) {
                    return fmt::format("{} of {}", gain["pairs"].count(), counted(gain["of"].count(), "pair"));
                  });
}

std::string horizon(const Note& note) {
  return fmt::format(
      "{} of {} end after power.horizon_s, up to which energy is counted: energies are over equal time, not over equal "
      "work; compare joules_per_gpu_hour, or give a later power.horizon_s",
      grouped(note["runs"].count()), counted(note["of"].count(), "run"));
}

}  // namespace

void register_note_gains(NoteWords& words) {
  const std::string family = "gains";
  words.add(family, "mixed-signs", "A gain averages parts of which some are gains and some are losses.", mixed_signs,
            "The change is an average of parts that disagree: shorter on some traces or settings, longer on others. "
            "The average holds for no single machine. Find what decides the sign: split with `--by KEY`, or look at "
            "each trace with `--by workload.trace`. Quote the range together with the average, or quote the parts "
            "alone.");
  words.add(family, "zero-values", "Pairs with a zero have no ratio and are left out.", zero_values,
            "A change is a ratio, and a ratio with one zero has no value. These pairs are left out, so the change is "
            "that of the other pairs only. If most pairs are left out, the change is of no use. Look at the means "
            "themselves, or choose a metric that is never zero, such as `jct_mean_s`.");
  words.add(family, "horizon", "Runs end after the time up to which energy is counted.", horizon,
            "Energy is counted up to `power.horizon_s`, but some runs go on after it. Policies are then compared over "
            "equal time, not over equal work, and a slower policy can look thriftier. Compare `joules_per_gpu_hour`, "
            "which is energy for work done. Or give a later `power.horizon_s`, so that all runs end before it.");
}

}  // namespace palstudy
