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
  return parts.empty() ? "" : ", " + join(parts);
}

/// What `said` of the first gain, and how many there are more.
template <class Say>
std::string of_gains(const Note& note, Say said) {
  const ValueList& gains = note["gains"].list();
  const std::string more = gains.size() > 1 ? fmt::format("; {} more", gains.size() - 1) : "";
  return said(gains.at(0)) + more;
}

std::string change_text(double change) { return fmt::format("{:+.1f}", 100 * change); }

std::string mixed_signs(const Note& note) {
  return of_gains(note, [](const Value& gain) {
    return fmt::format("{}{}: {} % averages {} to {} %", gain["policy"].name(), place_text(gain["at"]),
                       change_text(gain["change"].number()), change_text(gain["least"].number()),
                       change_text(gain["most"].number()));
  });
}

std::string metrics_disagree(const Note& note) {
  return of_gains(note, [](const Value& gain) {
    return fmt::format("{}{}: {} {} %, but {} {} %", gain["policy"].name(), place_text(gain["at"]),
                       gain["metric"].name(), change_text(gain["change"].number()), gain["other"].name(),
                       change_text(gain["other_change"].number()));
  });
}

std::string zero_values(const Note& note) {
  return of_gains(note, [](const Value& gain) {
    return fmt::format("{}: {} of {} have a zero and are left out", gain["metric"].name(), gain["pairs"].count(),
                       counted(gain["of"].count(), "pair"));
  });
}

std::string horizon(const Note& note) {
  return fmt::format("{} of {} end after power.horizon_s: unequal work", grouped(note["runs"].count()),
                     counted(note["of"].count(), "run"));
}

}  // namespace

void register_note_gains(NoteWords& words) {
  const std::string family = "gains";
  words.add(family, "mixed-signs", "A gain averages parts of which some are gains and some are losses.", mixed_signs,
            "The change is an average of parts that disagree: shorter on some traces or settings, longer on others. "
            "The average holds for no single machine. Find what decides the sign: split with `--by KEY`, or look at "
            "each trace with `--by workload.trace`. Quote the range together with the average, or quote the parts "
            "alone.");
  words.add(family, "metrics-disagree", "Another metric points the other way.", metrics_disagree,
            "Another metric points the other way, and its own interval excludes zero. For example the mean is longer "
            "but the median shorter: a few long jobs lose, and many short ones gain. Neither is wrong. Decide which "
            "jobs matter to you before you look. `--metric all` shows every metric, and `--by size` shows who gains.");
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
