// SPDX-License-Identifier: MIT
#include "core/random.hpp"

#include <Random123/philox.h>

#include <cmath>
#include <numbers>

namespace palstudy {

std::array<std::uint32_t, 4> draw(std::uint64_t seed, Purpose purpose, std::uint64_t entity, std::uint32_t index) {
  const r123::Philox4x32::key_type key = {{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)}};
  const r123::Philox4x32::ctr_type counter = {{index, static_cast<std::uint32_t>(entity),
                                               static_cast<std::uint32_t>(entity >> 32),
                                               static_cast<std::uint32_t>(purpose)}};
  const auto words = r123::Philox4x32{}(counter, key);
  return {words[0], words[1], words[2], words[3]};
}

RandomStream::RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t entity)
    : seed_(seed), purpose_(purpose), entity_(entity) {}

std::uint32_t RandomStream::word() {
  if (used_ == 4) {
    words_ = draw(seed_, purpose_, entity_, index_++);
    used_ = 0;
  }
  return words_[used_++];
}

double RandomStream::uniform() {
  const std::uint64_t high = word() >> 5;  // 27 bits
  const std::uint64_t low = word() >> 6;   // 26 bits
  return static_cast<double>((high << 26) | low) * 0x1.0p-53;
}

double RandomStream::uniform_positive() { return 1.0 - uniform(); }

double RandomStream::normal() {
  const double radius = std::sqrt(-2.0 * std::log(uniform_positive()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

std::uint32_t RandomStream::below(std::uint32_t n) {
  std::uint64_t product = std::uint64_t{word()} * n;
  if (static_cast<std::uint32_t>(product) < n) {
    const std::uint32_t threshold = (0U - n) % n;
    while (static_cast<std::uint32_t>(product) < threshold) product = std::uint64_t{word()} * n;
  }
  return static_cast<std::uint32_t>(product >> 32);
}

}  // namespace palstudy
