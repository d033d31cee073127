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

/// What the chosen order and placement do with running jobs.
struct PolicyTraits {
  bool stops_jobs;   ///< the order
  bool leaves_jobs;  ///< the placement is sticky
  bool moves_jobs;   ///< a sticky placement may move one
  bool keeps_state;  ///< the order
};

/// The policies themselves answer, so that no name of a policy stands in a check.
[[nodiscard]] PolicyTraits traits_of(const PolicyOptions& policy);

}  // namespace palstudy
