// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace palstudy {

/// The middle value, or the mean of the middle two; same unit. Not of nothing.
[[nodiscard]] double median(std::vector<double> values);

}  // namespace palstudy
