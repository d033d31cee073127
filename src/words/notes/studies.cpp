// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/text.hpp"
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "words/note_text.hpp"
#include "words/phrases.hpp"

namespace palstudy {
namespace {

std::string unused_key(const Note& note) {
  const std::string& name = note["key"].name();
  const Key* key = find_key(name);
  return fmt::format("{} is not used{}", name, key == nullptr ? "" : ": " + key->unused_why);
}

std::string unused_seeds(const Note& note) {
  return fmt::format("{} of {} values of {} are used: [stop] takes no more", note["used"].count(),
                     note["seeds"].count(), note["key"].name());
}

std::string unused_table(const Note& note) {
  return fmt::format("{} is not used: {} = \"{}\" is the program's own", note.subject, keys::models.name,
                     note["models"].name());
}

std::string endless(const Note& note) {
  return fmt::format("a move costs {} s, a round is {} s: jobs may never end", shortest(note["migration_s"].number()),
                     shortest(note["round_s"].number()));
}

std::string lost_baseline(const Note& note) {
  const std::string& key = note["key"].name();
  if (!note["is_axis"].yes()) return fmt::format("no comparison with {}: {} is no axis", keys::baseline.name, key);
  return fmt::format("baseline {} is not among the values of {}", note.subject, key);
}

/// The names of settings that say who comes first, of those that are not read.
std::vector<std::string> of_scheduling(std::vector<std::string> names) {
  std::erase_if(names, [](const std::string& name) {
    constexpr std::array begins = {"Priority",  "Preempt", "bf_",    "Topology", "Licenses", "QOS",  "OverTimeLimit",
                                   "Partition", "Include", "State=", "MaxNodes", "Allow",    "Deny", "Exclusive"};
    return std::ranges::none_of(begins, [&](const char* begin) { return name.starts_with(begin); });
  });
  return names;
}

std::string slurm_conf(const Note& note) {
  const auto keys = names_of(note["keys"]), unread = names_of(note["unread"]), named = of_scheduling(unread);
  return fmt::format("{} sets {}; {} not read{}", note.subject, keys.empty() ? "no key" : join(keys),
                     unread.size() == 1 ? "1 other setting is" : counted(unread.size(), "other setting") + " are",
                     named.empty() ? "" : ", among them " + join(named));
}

}  // namespace

void register_note_studies(NoteWords& words) {
  const std::string family = "studies";
  words.add(family, "unused-key", "A key was given that no run depends on.", unused_key,
            "The study gives a key that no run depends on. It is accepted, so that one word can switch a study from "
            "one source to another. But a value without effect often means that a second key is missing. Read the "
            "reason, then leave the key out or set the other.");
  words.add(family, "unused-seeds", "There are more seeds than [stop] ever takes.", unused_seeds,
            "The axis of seeds is longer than the last look of `[stop]`. Seeds beyond that look are never run, "
            "whatever the results are. Nothing is lost, but the study seems to promise more seeds than it takes. "
            "Shorten the axis, or add a look to `stop.looks` with as many seeds as you want at most.");
  words.add(family, "unused-table", "A file beside the study has the path of a table of the program.", unused_table,
            "A file beside the study has the path of a table that comes with the program, and the program reads its "
            "own. So a change to your file changes nothing. Give your table another name, and write that name into "
            "the study, for example `workload.models = \"my-models.toml\"`. Then look whether the digest changes, as "
            "it should.");
  words.add(
      family, "slurm-conf", "What of a slurm.conf is used, and what is not.", slurm_conf,
      "The study names a slurm.conf. It sets the keys that the study itself leaves out. No other setting changes a "
      "result; `plan --json` lists them all. Look for settings that matter at your site, such as "
      "preemption, licenses or topology: palstudy does not model them.");
  words.add(family, "endless", "A move costs as long as a round, so jobs may never end.", endless,
            "A move costs as long as a round, or longer. A policy that moves or stops jobs at every boundary may then "
            "never let them make progress, and the run does not end. Use longer rounds, cheaper moves, or a placement "
            "that leaves running jobs where they are. `measure.end_s` ends such runs and counts what is unfinished.");
  words.add(family, "lost-baseline", "Nothing can be compared with a baseline.", lost_baseline,
            "The study names a baseline that this campaign does not run. Usually `--set` has replaced the axis by a "
            "shorter list, or placements are no axis at all. Nothing is compared with that baseline; other baselines "
            "are not affected. Add it to the list given to `--set`, or name another with `--baseline` when you "
            "compare.");
}

}  // namespace palstudy
