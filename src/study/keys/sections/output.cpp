// SPDX-License-Identifier: MIT
// [output]: the tables that runs store beside their metrics.
#include "study/keys/key_table.hpp"
#include "study/run_plan.hpp"

namespace palstudy {

void register_key_section_output(KeySections& sections) {
  sections.push_back(
      {{Key::boolean("output.jobs", "true", "Store a row for every job.").sets(&RunPlan::output, &OutputTables::jobs),
        Key::boolean("output.events", "false", "Store every change of every job's GPUs.")
            .sets(&RunPlan::output, &OutputTables::events),
        Key::boolean("output.rounds", "false", "Store the state of the cluster at every boundary that changes it.")
            .sets(&RunPlan::output, &OutputTables::rounds)}});
}

}  // namespace palstudy
