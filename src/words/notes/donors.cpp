// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <vector>

#include "core/text.hpp"
#include "study/keys/key_names.hpp"
#include "words/note_text.hpp"
#include "words/phrases.hpp"

namespace palstudy {
namespace {

std::string joint_classes(const Note& note) {
  return fmt::format("{} classes are drawn together, from {} nodes", note["kernels"].list().size(),
                     note["nodes"].count());
}

std::string split_classes(const Note& note) {
  return fmt::format("classes are drawn apart: {} nodes carry all kernels, not {}", note["nodes"].count(),
                     note["need"].count());
}

std::string missing_nodes(const Note& note) {
  std::vector<std::string> parts;
  const auto add = [&](const char* some, const char* all, const char* text) {
    const std::size_t count = note[some].count();
    if (count > 0) parts.push_back(fmt::format(fmt::runtime(text), count, note[all].count()));
  };
  add("gpus", "of_gpus", "{} of {} GPUs lack a node");
  add("nodes", "of_nodes", "{} of {} nodes lack GPUs");
  add("unmatched", "of_joint", "{} of {} nodes lack slots");
  return subject_text(note) + join(parts);
}

std::string node_size(const Note& note) {
  const std::size_t gpus = note["gpus"].count(), measured = note["measured"].count();
  if (gpus < measured) {
    return fmt::format("{}a node of {} GPUs is a part of a measured one of {}", subject_text(note), gpus, measured);
  }
  return fmt::format("{}a node of {} GPUs is {} measured nodes of {}", subject_text(note), gpus,
                     (gpus + measured - 1) / measured, measured);
}

std::string odd_table(const Note& note) {
  return fmt::format("class {}: median slowdown {:.3g}; does {} hold times?", note["class"].name(),
                     note["median"].number(), note.subject);
}

std::string run_halves(const Note&) { return "half of each GPU's runs is its truth, the other is what is believed"; }

std::string other_machine(const Note& note) {
  return fmt::format("class {} stands on {}, of another machine than {}", note.subject, note["kernel"].name(),
                     note["profile"].name());
}

/// "r = -0.11 (B, C), 0.03 (A)"; a kernel by its name where no class has it.
std::string unrepeatable(const Note& note) {
  std::vector<std::string> weak;
  for (const Value& one : note["kernels"].list()) {
    const auto classes = names_of(one["classes"]);
    weak.push_back(fmt::format("{} ({})",
                               one["r"].known() ? fmt::format("{:.2f}", one["r"].number()) : std::string("unknown"),
                               classes.empty() ? one["kernel"].name() : join(classes)));
  }
  return "slow GPUs do not stay slow: r = " + join(weak);
}

}  // namespace

void register_note_donors(NoteWords& words) {
  const std::string family = "measured GPUs";
  words.add(family, "joint-classes", "A node is drawn for all classes at once.", joint_classes,
            "A node that is drawn brings its measured times for every class together. So a GPU that is slow for one "
            "class is as slow for the others as it was measured to be. A real machine behaves like that, so nothing "
            "has to be done. With too few nodes that carry all kernels the classes are drawn apart, and split-classes "
            "says so.");
  words.add(family, "split-classes", "Each class is drawn from nodes of its own.", split_classes,
            "The kernels that stand for the classes were measured on different nodes. So each class draws its nodes "
            "by itself. A GPU may then be slow for one class and fast for another by chance. Measure all kernels on "
            "the same nodes. With enough common nodes the classes are drawn together.");
  words.add(family, "missing-nodes", "Measured GPUs without a known node or a full one are left out.", missing_nodes,
            "Clusters are drawn from whole measured nodes. GPUs without a known node, and nodes with too few measured "
            "GPUs, cannot be used. On some nodes it is unknown which GPU is which, so classes are matched by node "
            "only. If slow nodes are missing more often, clusters look too even. Give hosts and slots when you "
            "import.");
  words.add(family, "node-size", "Nodes of the study are of another size than those measured.", node_size,
            "The study has nodes of another size than the measured ones. Larger nodes are put together from several "
            "measured ones, and smaller nodes take a part of one. GPUs of one real node often resemble each other, "
            "because they share cooling and power. Such nodes do so only in groups. Measure nodes of your own size if "
            "this matters.");
  words.add(family, "odd-table", "A table of slowdowns may hold times.", odd_table,
            "A slowdown is the time on this GPU divided by the time on the median GPU, so its median is 1. This table "
            "has another median. Probably it holds times or speeds. Jobs of this class would run that many times as "
            "long as in the trace. Divide by the median, or import the times with `palstudy profile import`.");
  words.add(family, "run-halves", "One half of the runs is the truth, the other what is believed.", run_halves,
            "With `policy.knowledge = \"other-half\"` the measured runs of each GPU are split in two. The simulated "
            "machine follows one half, and policies believe the other. So a policy gains only by what both halves "
            "agree on, as it would on another day. Gains are smaller than with exact knowledge, and closer to what a "
            "site would see.");
  words.add(family, "other-machine", "A class stands on another machine than the profile.", other_machine,
            "Some classes of the study stand on kernels that were measured on another machine than the profile. A GPU "
            "that is slow for one class is then slow for another by chance. A gain that rests on both machines holds "
            "for neither. Measure all kernels on one machine, or choose `cluster.classes` of the machine that the "
            "profile is of.");
  words.add(family, "unrepeatable", "GPUs that were slow are hardly slow again.", unrepeatable,
            "Each GPU was measured several times. The two halves of its runs hardly agree, so being slow was mostly "
            "chance. A policy that knows the GPUs would know something untrue tomorrow, and the simulated gain is too "
            "large for a real machine. Measure again on other days and join the sessions, or set `policy.knowledge = "
            "\"other-half\"`.");
}

}  // namespace palstudy
