// SPDX-License-Identifier: MIT
#pragma once

#include "study/keys/key.hpp"

namespace palstudy {

/// What the chosen order and placement do with running jobs.
struct PolicyTraits {
  bool stops_jobs;   ///< the order
  bool leaves_jobs;  ///< the placement is sticky
  bool moves_jobs;   ///< a sticky placement may move one
  bool keeps_state;  ///< the order
};

/// The policies themselves answer, so that no name of a policy stands in a check.
[[nodiscard]] PolicyTraits traits_of(const KeyValues& values);

}  // namespace palstudy
