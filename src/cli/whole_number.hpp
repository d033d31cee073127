// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>

namespace CLI {
class Option;
}

namespace palstudy {

/// Lets the option take whole numbers from `least` to `most` and nothing else: no negative ones that become large, and
/// one beyond 64 bits is called so. Returns the option.
CLI::Option* whole_number(CLI::Option* option, std::int64_t least,
                          std::int64_t most = std::numeric_limits<std::int64_t>::max());

}  // namespace palstudy
