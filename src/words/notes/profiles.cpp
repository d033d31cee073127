// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>

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

std::string left_values(const Note& note) {
  std::vector<std::string> parts;
  for (const Value& one : note["reasons"].list()) {
    parts.push_back(fmt::format("{}: {}", one["reason"].name(), one["values"].count()));
  }
  return subject_text(note) + "values that are not used, " + join(parts);
}

std::string idle_sensors(const Note& note) {
  return fmt::format("{}{} of {} GPUs with sensors have no times", subject_text(note), note["gpus"].count(),
                     note["of"].count());
}

std::string binned_outlier(const Value& gpu) {
  const std::size_t sessions = gpu["sessions"].count();
  const std::string confirmed =
      sessions == 0 ? "its sessions are not known"
                    : fmt::format("{} of {} sessions confirm it", gpu["sessions_off"].count(), sessions);
  return fmt::format("GPU {} of {:.3f}, {:.1f} robust SDs off, is in bin {} of {:.3f}, and {}", gpu["gpu"].name(),
                     gpu["slowdown"].number(), gpu["deviations"].number(), gpu["bin"].count(),
                     gpu["bin_slowdown"].number(), confirmed);
}

std::string binned_outliers_text(const Note& note) {
  constexpr std::size_t most = 8;
  std::vector<std::string> gpus;
  const ValueList& all = note["gpus"].list();
  for (std::size_t i = 0; i < std::min(most, all.size()); ++i) gpus.push_back(binned_outlier(all[i]));
  if (all.size() > most) gpus.push_back(fmt::format("{} more: palstudy profile show --all", all.size() - most));
  return subject_text(note) + join(gpus, "; ");
}

}  // namespace

void register_note_profiles(NoteWords& words) {
  const std::string family = "profiles";
  words.add(family, "left-values", "Some values of an imported file are not used.", left_values,
            "The file has values that do not say how fast a GPU is: states and temperatures, results of a whole node, "
            "benchmarks that failed, GPUs that gpu-burn does not call OK, empty fields. They are counted here and not "
            "used. Results of a node may point "
            "at it, but not at one of its GPUs. If a benchmark that you need is among them, run it on each GPU.");
  words.add(family, "idle-sensors", "Sensors of GPUs that have no times.", idle_sensors,
            "A log of sensors names GPUs that no benchmark of the import has times of. GPUs are compared by UUID, else "
            "by host and index, else by index alone if the benchmark is of one host. Clocks and temperatures of the "
            "other GPUs are not used. Import the benchmark of all hosts with it, or leave the log out.");
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
  words.add(family, "binned-outliers", "Outliers are in bins of usual GPUs.", binned_outliers_text,
            "These GPUs are far from the median GPU, and a study still puts them in a bin of usual GPUs. Most often "
            "fewer than two sessions confirm them, so they may have had one bad moment. Policies take such a GPU for "
            "as fast as its bin. If it stays slow, jobs on it take longer than the policies believe. Measure on "
            "another day, and join the sessions with `palstudy profile merge`.");
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
