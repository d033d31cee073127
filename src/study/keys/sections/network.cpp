// SPDX-License-Identifier: MIT
// [network]: the locality penalty, as a table or as measured.
#include "study/keys/key_names.hpp"
#include "study/keys/key_table.hpp"
#include "study/keys/penalty_table.hpp"
#include "study/run_plan.hpp"

namespace palstudy {
namespace {

constexpr KeyName<double> overlap{"network.overlap"};

PenaltyTable penalties() {
  return {keys::penalty, "Factor on the iteration time", "; 1.0, 1.7, 1.7 where the table is absent",
          [](RunPlan& run) -> LocalityPenalty& { return run.network.penalty; },
          [](RunPlan& run) -> bool& { return run.network.measured; }};
}

/// policy.locality, if it is missing, is what network.penalty is.
bool measured(const KeyValues& values) { return keys::penalty.given_in(values) || keys::locality.given_in(values); }
bool uses_transfers(const RunPlan& run) { return run.network.measured || run.policy.locality_measured; }

std::optional<TomlValue> no_overlap(const KeyValues& values) {
  return measured(values) ? std::optional(TomlValue::of(0.0)) : std::nullopt;
}
std::optional<TomlValue> profile_of_cluster(const KeyValues& values) {
  return measured(values) ? std::optional(keys::profile.at(values)) : std::nullopt;
}

/// Runs without a measured penalty have no keys about it, and so keep the ids from before there were any.
void complete_network(const KeyValues& /*given*/, KeyValues& values, const std::string& /*file*/) {
  penalties().complete(values);
  if (measured(values)) return;
  values.erase(overlap);
  values.erase(keys::network_profile);
}

}  // namespace

void register_key_section_network(KeySections& sections) {
  const std::string where = ", where a penalty is measured", why = "no run has network.penalty = \"measured\"";
  KeySection section{penalties().keys(), complete_network};
  section.keys.push_back(Key::number(overlap, "1", "", "Share of a model's exchange that its computing hides.")
                             .between(0, 1)
                             .otherwise("0" + where, no_overlap)
                             .sets(&RunPlan::network, &NetworkOptions::overlap)
                             .used_where(uses_transfers, why));
  section.keys.push_back(Key::text(KeyType::path, keys::network_profile, "", "",
                                   "The profile (HDF5) whose transfers tell measured penalties.")
                             .otherwise(keys::profile.name + where, profile_of_cluster)
                             .with(&Key::follows, {keys::profile})
                             .sets(&RunPlan::network, &NetworkOptions::profile)
                             .used_where(uses_transfers, why)
                             .is(&Key::names_file));
  sections.push_back(section);
}

}  // namespace palstudy
