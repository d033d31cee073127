// SPDX-License-Identifier: MIT
// [interference]: what neighbours on a node cost. No key has a constant default, so that runs without keep their ids.
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "study/run_plan.hpp"

namespace palstudy {
namespace {

constexpr double most_factor = 1e6;
using keys::interference_intra;
constexpr KeyName<double> inter{"interference.inter"};

std::optional<TomlValue> usual_intra(const KeyValues& values) {
  return inter.given_in(values) ? std::optional(TomlValue::of(1.0)) : std::nullopt;
}
std::optional<TomlValue> usual_inter(const KeyValues& values) {
  return interference_intra.given_in(values) ? std::optional(interference_intra.at(values)) : std::nullopt;
}

}  // namespace

void register_key_section_interference(KeySections& sections) {
  sections.push_back(
      {{Key::number(interference_intra, "1", "",
                    "Factor on the iteration time of a job of several GPUs while another such job is on one of its "
                    "nodes.")
            .between(1, most_factor)
            .otherwise("1", usual_intra)
            .with(&Key::follows, {inter})
            .sets(&RunPlan::interference, &InterferenceRules::intra),
        Key::number(inter, "1", "", "The same where both are on several nodes, so that they share the network card.")
            .between(1, most_factor)
            .otherwise(interference_intra, usual_inter)
            .with(&Key::follows, {interference_intra})
            .sets(&RunPlan::interference, &InterferenceRules::inter)}});
}

}  // namespace palstudy
