// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace palstudy {

/// p-values that may be read side by side: the chance of any false one among them is held (Holm, Scandinavian Journal
/// of Statistics 6(2), 1979). In the order given.
[[nodiscard]] std::vector<double> holm(const std::vector<double>& p_values);

}  // namespace palstudy
