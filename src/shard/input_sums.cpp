// SPDX-License-Identifier: MIT
#include "shard/input_sums.hpp"

#include <fmt/format.h>

namespace palstudy {

std::string changed_input(const InputSums& before, const InputSums& now) {
  for (const auto& [path, sum] : before) {
    const auto is = now.find(path);
    if (is == now.end() || is->second == sum) continue;
    return fmt::format("the SHA-256 of {} was {} and is {}", path, sum, is->second);
  }
  return "";
}

void put(ByteWriter& out, const InputSums& inputs) {
  out.value(static_cast<std::uint32_t>(inputs.size()));
  for (const auto& [path, sum] : inputs) out.text(path), out.text(sum);
}

InputSums take_inputs(ByteReader& in) {
  InputSums inputs;
  constexpr std::size_t least = 8;  // two lengths
  const auto count = in.value<std::uint32_t>();
  if (!in.fits(count, least)) return inputs;
  for (std::uint32_t i = 0; i < count && in.good(); ++i) {
    std::string path = in.text();
    inputs.emplace(std::move(path), in.text());
  }
  return inputs;
}

}  // namespace palstudy
