// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace palstudy {

/// Now, in UTC: "2026-01-31T12:00:00Z".
[[nodiscard]] std::string utc_now();
/// Of this machine, "unknown" where it has none.
[[nodiscard]] std::string host_name();

}  // namespace palstudy
