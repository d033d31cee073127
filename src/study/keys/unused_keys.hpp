// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "study/study.hpp"

namespace palstudy {

/// A key, and why it does nothing: what follows "KEY is not used: ".
struct UnusedKey {
  std::string key, why;
};

/// The keys that none of the runs looks at, whether they were given or not. They are accepted all the same, so that a
/// study can be switched from one source to another by a single key.
[[nodiscard]] std::vector<UnusedKey> unused_keys(const std::vector<RunPlan>& runs);

}  // namespace palstudy
