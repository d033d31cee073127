// SPDX-License-Identifier: MIT
// [stop]: the rule by which seeds are added until comparisons are narrow enough (study/stop_rule.hpp).
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"

namespace palstudy {

void register_key_section_stop(KeySections& sections) {
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
