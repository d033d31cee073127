// SPDX-License-Identifier: MIT
#include "record/column_hasher.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace palstudy {

static_assert(std::endian::native == std::endian::little, "values are hashed and stored as they lie in memory");

void ColumnHasher::bytes(const void* data, std::size_t size) {
  if (used_ + size > sizeof(buffer_)) flush();
  if (size > sizeof(buffer_)) {
    sum_.add(data, size);
    return;
  }
  if (size > 0) std::memcpy(buffer_ + used_, data, size);
  used_ += size;
}

void ColumnHasher::column(std::string_view name, char type, std::uint64_t count) {
  bytes(name.data(), name.size());
  value('\0');
  value(type);
  value(count);
}

void ColumnHasher::reals(std::span<const double> numbers) {
  constexpr std::uint64_t one_nan = 0x7ff8000000000000;
  std::array<std::uint64_t, 256> patterns;
  while (!numbers.empty()) {
    const std::size_t n = std::min(numbers.size(), patterns.size());
    for (std::size_t i = 0; i < n; ++i) {
      const double number = numbers[i] == 0 ? 0.0 : numbers[i];
      patterns[i] = std::isnan(number) ? one_nan : std::bit_cast<std::uint64_t>(number);
    }
    bytes(patterns.data(), n * sizeof(std::uint64_t));
    numbers = numbers.subspan(n);
  }
}

void ColumnHasher::text(std::string_view characters) {
  value(static_cast<std::uint32_t>(characters.size()));
  bytes(characters.data(), characters.size());
}

void ColumnHasher::texts(const std::vector<std::string>& names, std::span<const std::int32_t> codes) {
  std::string written;  // the names, each after its length, and where they end
  std::vector<std::size_t> end = {0};
  for (const std::string& name : names) {
    const auto length = static_cast<std::uint32_t>(name.size());
    written.append(reinterpret_cast<const char*>(&length), sizeof length);
    written += name;
    end.push_back(written.size());
  }
  for (const std::int32_t code : codes) {
    const std::size_t first = end.at(static_cast<std::size_t>(code));
    bytes(written.data() + first, end.at(static_cast<std::size_t>(code) + 1) - first);
  }
}

std::string ColumnHasher::finish_hex() {
  flush();
  return sum_.finish_hex();
}

void ColumnHasher::flush() {
  sum_.add(buffer_, used_);
  used_ = 0;
}

}  // namespace palstudy
