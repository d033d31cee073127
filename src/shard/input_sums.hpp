// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>

#include "core/byte_stream.hpp"

namespace palstudy {

/// SHA-256 of the files that a study names, in hex, by the path as written.
using InputSums = std::map<std::string, std::string>;

/// The first input whose SHA-256 was another one, with both; "" if there is none. An input that only one names makes
/// none: a study whose axes grow names more.
[[nodiscard]] std::string changed_input(const InputSums& before, const InputSums& now);

/// As shards and checkpoints hold them: their number (32 bits), then path and digest of each, two texts.
void put(ByteWriter& out, const InputSums& inputs);
[[nodiscard]] InputSums take_inputs(ByteReader& in);

}  // namespace palstudy
