// SPDX-License-Identifier: MIT
// [study], and the seed above all sections; what concerns the runs together: [compare], what `palstudy compare` shows
// unless it is told otherwise; [output], the tables that runs store beside their metrics; [stop], the rule by which
// seeds are added until comparisons are narrow enough (study/stop_rule.hpp).
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "study/run_plan.hpp"

namespace palstudy {

void register_key_section_study(KeySections& sections) {
  sections.push_back(
      {{Key::integer(keys::seed, "", "1", "The seed that all other seeds default to.", 0, Key::max_integer)
            .is(&Key::independent)
            .sets(&RunPlan::seed),
        Key::text(KeyType::text, keys::study_name, "", "the name of the file", "A short name.").is(&Key::of_study),
        Key::text(KeyType::text, keys::study_title, "\"\"", "", "What the study is called, in a line.")
            .is(&Key::of_study),
        Key::text(KeyType::text, keys::study_question, "", "not stated", "What the study asks, in a line.")
            .is(&Key::of_study),
        Key::text(KeyType::text, keys::study_license, "", "not stated",
                  "The licence of the results: an SPDX identifier or a URL.")
            .is(&Key::of_study),
        Key::text(KeyType::text, keys::study_creator, "", "not stated",
                  "Who the results are by; no anonymous bundle has it.")
            .is(&Key::of_study)}});
  sections.push_back({{Key::text(KeyType::names, keys::baseline, "", "packed-sticky, where it is on the placement axis",
                                 "The placement, or a list of them, that the others are compared with.")
                           .is(&Key::of_study),
                       Key::metric(keys::metric, "\"jct_mean_s\"", "What is compared.")}});
  sections.push_back(
      {{Key::boolean("output.jobs", "true", "Store a row for every job.").sets(&RunPlan::output, &OutputTables::jobs),
        Key::boolean("output.events", "false", "Store every change of every job's GPUs.")
            .sets(&RunPlan::output, &OutputTables::events),
        Key::boolean("output.rounds", "false", "Store the state of the cluster at every boundary that changes it.")
            .sets(&RunPlan::output, &OutputTables::rounds)}});
  sections.push_back(
      {{Key::metric(keys::stop_metric, "", "What the stopping rule looks at.").with(&Key::derived, keys::metric),
        Key::number(keys::stop_width, "1", "",
                    "Enough seeds once every comparison's interval of the ratio is at most so wide to either side; "
                    "0.01 is 1 %.")
            .between(0, 10)
            .is(&Key::above_least)
            .with(&Key::derived, "must be given with stop.looks")
            .is(&Key::of_study),
        Key::text(KeyType::looks, keys::stop_looks, "", "no rule: the seeds of the axis",
                  "Numbers of seeds at which the rule looks; the first is 20 or more, the last is the most.")
            .is(&Key::of_study)}});
}

}  // namespace palstudy
