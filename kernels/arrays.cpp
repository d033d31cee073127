// SPDX-License-Identifier: MIT
#include "kernels/arrays.hpp"

#include <cstdlib>
#include <cstring>
#include <new>

#include "core/random.hpp"

namespace palstudy {
namespace {

constexpr std::size_t alignment = 64;  // a cache line, and the widest vector register
constexpr std::uint32_t poison = 0xffffffffU;

}  // namespace

void Arrays::Free::operator()(std::byte* p) const { std::free(p); }

Arrays::Arrays(std::vector<ArraySpec> specs, bool with_scratch) : specs_(std::move(specs)) {
  for (const ArraySpec& spec : specs_) {
    held_.push_back(spec.role == ArrayRole::scratch && !with_scratch ? 0 : spec.bytes);
    const std::size_t rounded = (held_.back() / alignment + 1) * alignment;
    auto* memory = static_cast<std::byte*>(std::aligned_alloc(alignment, rounded));
    if (memory == nullptr) throw std::bad_alloc();
    data_.emplace_back(memory);
    std::memset(memory, 0, rounded);
  }
}

void Arrays::poison_outputs() {
  for (std::size_t i = 0; i < size(); ++i) {
    if (specs_[i].role == ArrayRole::output) std::memset(data_[i].get(), 0xff, held_[i]);
  }
}

std::size_t Arrays::unwritten() const {
  std::size_t found = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    if (specs_[i].role != ArrayRole::output) continue;
    for (const std::uint32_t word : of<std::uint32_t>(i)) found += word == poison ? 1 : 0;
  }
  return found;
}

void fill_uniform(std::span<float> values, std::uint64_t seed, std::uint64_t entity, float low, float high) {
  const float scale = (high - low) * 0x1.0p-24F;
  for (std::size_t i = 0; i < values.size(); i += 4) {
    const auto words = draw(seed, Purpose::kernel_input, entity, static_cast<std::uint32_t>(i / 4));
    for (std::size_t j = i; j < values.size() && j < i + 4; ++j) {
      values[j] = low + scale * static_cast<float>(words[j - i] >> 8);
    }
  }
}

}  // namespace palstudy
