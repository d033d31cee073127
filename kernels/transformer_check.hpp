// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/kernel.hpp"
#include "kernels/suite/transformer.hpp"

namespace palstudy {

/// Some tokens of some sequences computed again in float64, by definition; and for every token that the result, before
/// the last gain and shift, has mean 0 and deviation 1.
[[nodiscard]] Verdict check_transformer(const Arrays& arrays, const TransformerSize& size);

}  // namespace palstudy
