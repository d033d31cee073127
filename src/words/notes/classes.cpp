// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <map>

#include "core/text.hpp"
#include "variability/profile/profile_coverage.hpp"
#include "words/note_text.hpp"
#include "words/phrases.hpp"

namespace palstudy {
namespace {

/// What the shares of a kernel lack.
std::string missing_text(const Value& missing) {
  static const std::map<std::string, const char*> words = {{"bytes", "bytes not counted"},
                                                           {"triad", "no triad"},
                                                           {"triad-in-session", "no triad in its sessions"},
                                                           {"operations", "operations not counted"},
                                                           {"fma-peak", "no fma-peak of its pipe"},
                                                           {"u_dram", "no u_dram from the profiler"},
                                                           {"u_fu", "no u_fu from the profiler"}};
  std::vector<std::string> all;
  for (const std::string& one : names_of(missing)) all.emplace_back(words.at(one));
  return all.empty() ? "use unknown" : join(all);
}

std::string why_left(const Note& note) {
  const std::string& why = note["why"].name();
  if (why == "asked") return "left out by request";
  if (why == "no-application") return "no application";
  if (why == "no-times") return "no times";
  if (why == "unknown-use") return missing_text(note["missing"]);
  return fmt::format("{} in {}; the least is {} in {}", counted(note["gpus"].count(), "GPU"),
                     counted(note["sessions"].count(), "session"), least_profile_gpus, least_profile_sessions);
}

std::string left_kernel(const Note& note) { return note.subject + " is in no class: " + why_left(note); }

std::string few_kernels(const Note& note) {
  const std::size_t kernels = note["kernels"].count();
  if (kernels == 3) return "of 3 kernels a silhouette compares two classes at most";
  return counted(kernels, "kernel") + ": too few to choose classes, each has its own";
}

std::string unsure_class(const Note& note) {
  const std::string& why = note["why"].name();
  if (why == "unknown-use") return subject_text(note) + "no class, one of its shares was not counted";
  if (why == "between") return subject_text(note) + "nearly as near to class " + note["other"].name();
  if (why == "far") {
    return fmt::format("{}{:.1f} from class {}, farther than any measured kernel", subject_text(note),
                       note["distance"].number(), note["class"].name());
  }
  return fmt::format("{}would be of class {} at a DRAM use of {:.2f}", subject_text(note), note["other"].name(),
                     note["u_dram"].number());
}

std::string ceilings(const Note& note) {
  const std::string& what = note["what"].name();
  if (what == "stand-in") {
    return fmt::format("{}the best {} kernel stands for the missing ceiling", subject_text(note), note["pipe"].name());
  }
  return fmt::format("{}{} of {:.2f}, over 1: cached, or the ceiling was slow", subject_text(note),
                     what == "u_dram" ? "DRAM use" : "FU use", note["share"].number());
}

}  // namespace

void register_note_classes(NoteWords& words) {
  const std::string family = "classes";
  words.add(family, "left-kernel", "A kernel of the profile is in no class.", left_kernel,
            "This kernel could not be put into a class, and moves no other kernel. The reason is named: you asked for "
            "it, it stands for no application, or too little is known of it. Ceilings such as `triad` are left out "
            "unless `--with-ceilings` is given. If it stands for an application of yours, measure what is missing on "
            "the same GPUs in the same session, and classify again.");
  words.add(family, "few-kernels", "Too few kernels to choose a number of classes.", few_kernels,
            "The number of classes is chosen by how far the kernels of a class lie from those of others. With one or "
            "two kernels there is no choice, and three allow two classes at most. So the number of classes is no "
            "finding about your applications. Measure more kernels with `palstudy measure --all`, or set the number "
            "with `--classes`.");
  words.add(family, "unsure-class", "A kernel or an application may belong to another class.", unsure_class,
            "The classes are not sharp here. A kernel would move to another class if its gathers missed the cache. Or "
            "an application lies nearly as near to another class, or farther out than any measured kernel. Jobs of a "
            "wrong class get GPUs that are too slow for them, or too good. Count bytes with a profiler, import the "
            "counts with `palstudy profile import`, or measure a kernel that is more like the application.");
  words.add(family, "ceilings", "A ceiling is missing or was exceeded.", ceilings,
            "How much of a GPU a kernel uses is measured against ceilings: `triad` for memory and `fma-peak` for each "
            "pipe. Here another kernel stands for a ceiling, or the use came out above 1. Then the use is relative to "
            "that kernel, or caches hold its arrays, or the ceiling was slowed. Classes that hang on it are uncertain. "
            "Measure the "
            "ceilings in the same session, on the same GPUs as the kernel.");
}

}  // namespace palstudy
