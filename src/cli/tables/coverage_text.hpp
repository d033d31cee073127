// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "variability/profile/profile.hpp"

namespace palstudy {

/// How much of a machine a profile covers: nodes by sessions, GPUs with fewer sessions than others.
[[nodiscard]] std::string coverage_text(const Profile& profile);
/// The coverage as JSON, for programs.
[[nodiscard]] std::string coverage_json(const Profile& profile);

}  // namespace palstudy
