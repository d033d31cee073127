// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/registry.hpp"
#include "study/keys/key.hpp"

namespace palstudy {

struct PolicyOptions;

/// Gives every parameter of a chosen policy or generator a value, checked by its own range. `where`: the place of the
/// choice. Errors (usage): a parameter without a default is missing.
void complete_params(const std::string& section, const std::string& owner, const std::vector<Param>& params,
                     const std::string& where, KeyValues& values);
template <class Make>
void complete_params(const std::string& section, const Entry<Make>& chosen, const std::string& where,
                     KeyValues& values) {
  complete_params(section, chosen.name, chosen.params, where, values);
}

/// The values of these parameters, as far as they are there.
[[nodiscard]] ParamValues param_values(const std::string& section, const std::vector<Param>& params,
                                       const KeyValues& values);

/// The names of the registered things of which `is` holds.
template <class Make, class Is>
[[nodiscard]] std::vector<std::string> names_where(const Registry<Make>& registry, Is is) {
  std::vector<std::string> names;
  for (const auto& entry : registry.entries()) {
    if (is(entry.make)) names.push_back(entry.name);
  }
  return names;
}
/// As the values of a key: "\"a\", \"b\" or \"c\"".
[[nodiscard]] std::string one_of(const std::vector<std::string>& names);

/// A parameter of the registered thing `owner`, which the key `choice` names, as a key of its section that may stand in
/// a study without use, which is noted: so that a study is switched by the one key.
[[nodiscard]] Key key_of_choice(const KeyName<std::string>& choice, const Param& param, const std::string& owner);
template <class Make>
[[nodiscard]] std::vector<Key> keys_of_choice(const KeyName<std::string>& choice, const Registry<Make>& registry) {
  std::vector<Key> keys;
  for (const auto& entry : registry.entries()) {
    for (const Param& param : entry.params) keys.push_back(key_of_choice(choice, param, entry.name));
  }
  return keys;
}

/// What the chosen order and placement do with running jobs.
struct PolicyTraits {
  bool stops_jobs;     ///< the order
  bool leaves_jobs;    ///< the placement is sticky
  bool moves_jobs;     ///< a sticky placement may move one
  bool keeps_state;    ///< the order
  bool counts_shares;  ///< the order
  bool weighs_nodes;   ///< the placement
};

/// The policies themselves answer, so that no name of a policy stands in a check.
[[nodiscard]] PolicyTraits traits_of(const PolicyOptions& policy);

}  // namespace palstudy
