// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

namespace palstudy {

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PALSTUDY_SANITIZED
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(PALSTUDY_SANITIZED)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

/// How often a test repeats a property that it asks of random cases: a quarter under the address sanitizer, where each
/// takes ten times as long and the same code is looked at for other faults.
[[nodiscard]] constexpr unsigned repetitions(unsigned all) { return sanitized ? std::max(1U, all / 4) : all; }

}  // namespace palstudy
