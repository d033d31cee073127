// SPDX-License-Identifier: MIT
#include "hdf5/content_sum.hpp"

#include <fmt/format.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace palstudy {

struct ContentSum::State {
  XXH3_state_t sum;
};

ContentSum::ContentSum() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->sum); }
ContentSum::ContentSum(ContentSum&&) noexcept = default;
ContentSum& ContentSum::operator=(ContentSum&&) noexcept = default;
ContentSum::~ContentSum() = default;

void ContentSum::bytes(const void* data, std::size_t size) { XXH3_128bits_update(&state_->sum, data, size); }

void ContentSum::text(std::string_view characters) {
  number(characters.size());
  bytes(characters.data(), characters.size());
}

std::string ContentSum::hex() const {
  const XXH128_hash_t sum = XXH3_128bits_digest(&state_->sum);
  return fmt::format("{:016x}{:016x}", sum.high64, sum.low64);
}

}  // namespace palstudy
