// SPDX-License-Identifier: MIT
// [engine]: when the scheduler acts, and what starting and stopping jobs costs.
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "study/run_plan.hpp"

namespace palstudy {

void register_key_section_engine(KeySections& sections) {
  sections.push_back(
      {{Key::number("engine.round_s", "s", "360", "The scheduler acts at multiples of it.")
            .between(1e-3,
                     Key::max_seconds)  // far under what any scheduler does; numbers of rounds have to fit 64 bits
            .sets(&RunPlan::engine, &EngineOptions::round_s),
        Key::number(keys::checkpoint, "s", "600", "Real time between two checkpoints of a run; changes no result.")
            .is(&Key::above_least, &Key::infinite, &Key::of_study),
        Key::choice("engine.completion", "\"exact\"",
                    "A job's finish time: its true one, or the boundary, as published.")
            .sets_word({{"exact", Completion::exact}, {"round", Completion::round}}, &RunPlan::engine,
                       &EngineOptions::completion),
        Key::choice(keys::start, "\"round\"", "Jobs start at boundaries, or at once at each arrival and finish.")
            .sets_word({{"round", Start::round}, {"event", Start::event}}, &RunPlan::engine, &EngineOptions::start),
        Key::number(keys::migration, "s", "0", "Seconds lost whenever a job starts again or moves.")
            .between(0, Key::max_seconds)
            .is(&Key::independent)
            .sets(&RunPlan::engine, &EngineOptions::migration_s),
        Key::choice("engine.sticky_victims", "\"return\"",
                    "Jobs stopped for one that still does not fit: they resume, or stay stopped, as published.")
            .sets_word({{"return", StickyVictims::give_back}, {"stay-stopped", StickyVictims::stay_stopped}},
                       &RunPlan::engine, &EngineOptions::sticky_victims),
        Key::number(keys::starvation, "s", "inf", "A job that waited this long goes first, and stays first.")
            .is(&Key::above_least, &Key::infinite)
            .sets(&RunPlan::engine, &EngineOptions::starvation_s)}});
}

}  // namespace palstudy
