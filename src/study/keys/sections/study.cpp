// SPDX-License-Identifier: MIT
// [study], and the seed above all sections.
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
        Key::text(KeyType::text, keys::study_title, "\"\"", "", "What the study asks, in a line.").is(&Key::of_study),
        Key::text(KeyType::text, keys::study_license, "", "not stated",
                  "The licence of the results: an SPDX identifier or a URL.")
            .is(&Key::of_study),
        Key::text(KeyType::text, keys::study_creator, "", "not stated",
                  "Who the results are by; no anonymous bundle has it.")
            .is(&Key::of_study)}});
}

}  // namespace palstudy
