// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace palstudy {

/// Close to 1, so that thousands of steps still show in the result.
inline constexpr float fma_factor = 0.9998F;
inline constexpr float fma_addend = 0.0001F;
/// A block of 256 threads with eight chains each.
inline constexpr std::size_t fma_chains_per_block = 2048;

}  // namespace palstudy
