// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <vector>

#include "core/text.hpp"
#include "study/keys/key_names.hpp"
#include "words/note_text.hpp"
#include "words/phrases.hpp"

namespace palstudy {
namespace {

std::string common_nodes(const Note& note) {
  return fmt::format("{} nodes of {} GPUs", note["nodes"].count(), note["gpus"].count());
}

std::string joint_classes(const Note& note) {
  return fmt::format("classes drawn jointly, from the {} that carry all of {}", common_nodes(note),
                     join(names_of(note["kernels"])));
}

std::string split_classes(const Note& note) {
  return fmt::format(
      "classes drawn apart, each kernel from its own nodes: {} carry all of {}, and a joint draw needs {}",
      common_nodes(note), join(names_of(note["kernels"])), note["need"].count());
}

std::string missing_nodes(const Note& note) {
  std::vector<std::string> parts;
  const auto add = [&](const char* some, const char* all, const std::string& text) {
    const std::size_t count = note[some].count();
    if (count > 0) parts.push_back(fmt::format(fmt::runtime(text), count, note[all].count()));
  };
  add("gpus", "of_gpus", "{} of {} GPUs were left out, their node is not known");
  add("nodes", "of_nodes",
      fmt::format("{{}} of {{}} nodes were left out, they do not have {} measured GPUs", note["size"].count()));
  add("unmatched", "of_joint", "{} of {} nodes are matched by node and not by GPU, as no index of a GPU is known");
  return subject_text(note) + join(parts, ". ");
}

std::string node_size(const Note& note) {
  const std::size_t gpus = note["gpus"].count(), measured = note["measured"].count();
  if (gpus < measured) {
    return fmt::format("{}a node of {} GPUs takes that many of a measured node of {}, from a random slot on",
                       subject_text(note), gpus, measured);
  }
  return fmt::format(
      "{}a node of {} GPUs is {} measured nodes of {}, drawn apart, side by side: a node fault hits {} of its GPUs",
      subject_text(note), gpus, (gpus + measured - 1) / measured, measured, measured);
}

std::string odd_table(const Note& note) {
  return fmt::format(
      "{}the median slowdown of class {} is {:.3g}, so its jobs run that many times as long; does the table hold "
      "times?",
      subject_text(note), note["class"].name(), note["median"].number());
}

std::string run_halves(const Note& note) {
  return fmt::format(
      "{} = \"{}\": of each GPU's runs the 1st, 3rd, ... are its truth, the others what is believed of it",
      keys::knowledge.name, note["knowledge"].name());
}

std::string other_machine(const Note& note) {
  return fmt::format("class {} stands on {}, of another machine than the profile {}", note.subject,
                     note["kernel"].name(), note["profile"].name());
}

std::string unrepeatable(const Note& note) {
  std::vector<std::string> weak;
  for (const Value& one : note["kernels"].list()) {
    const auto classes = names_of(one["classes"]);
    const std::string of =
        classes.empty() ? "" : fmt::format("{} {} of ", classes.size() == 1 ? "class" : "classes", join(classes));
    weak.push_back(
        fmt::format("{}{} ({})", of, one["kernel"].name(),
                    one["r"].known() ? fmt::format("{:.2f}", one["r"].number()) : std::string("too few runs to tell")));
  }
  return fmt::format(
      "what was measured is hardly a property of the GPU: the two halves of its runs correlate under {:.1f}: {}",
      note["least"].number(), join(weak, "; "));
}

}  // namespace

void register_note_donors(NoteWords& words) {
  const std::string family = "measured GPUs";
  words.add(family, "joint-classes", "A node is drawn for all classes at once.", joint_classes);
  words.add(family, "split-classes", "Each class is drawn from nodes of its own.", split_classes);
  words.add(family, "missing-nodes", "Measured GPUs without a known node or a full one are left out.", missing_nodes);
  words.add(family, "node-size", "Nodes of the study are of another size than those measured.", node_size);
  words.add(family, "odd-table", "A table of slowdowns may hold times.", odd_table);
  words.add(family, "run-halves", "One half of the runs is the truth, the other what is believed.", run_halves);
  words.add(family, "other-machine", "A class stands on another machine than the profile.", other_machine);
  words.add(family, "unrepeatable", "GPUs that were slow are hardly slow again.", unrepeatable);
}

}  // namespace palstudy
