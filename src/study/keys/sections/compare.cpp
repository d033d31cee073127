// SPDX-License-Identifier: MIT
// [compare]: what `palstudy compare` shows unless it is told otherwise.
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"

namespace palstudy {

void register_key_section_compare(KeySections& sections) {
  sections.push_back({{Key::text(KeyType::names, keys::baseline, "", "packed-sticky, where it is on the placement axis",
                                 "The placement, or a list of them, that the others are compared with.")
                           .is(&Key::of_study),
                       Key::metric(keys::metric, "\"jct_mean_s\"", "What is compared.")}});
}

}  // namespace palstudy
