// SPDX-License-Identifier: MIT
#include "archive/hasher.hpp"

#include <bit>
#include <cmath>
#include <cstring>

namespace palstudy {

static_assert(std::endian::native == std::endian::little, "values are hashed and stored as they lie in memory");

void Hasher::bytes(const void* data, std::size_t size) {
  if (used_ + size > sizeof(buffer_)) flush();
  if (size > sizeof(buffer_)) {
    sum_.add(data, size);
    return;
  }
  if (size > 0) std::memcpy(buffer_ + used_, data, size);
  used_ += size;
}

void Hasher::column(std::string_view name, char type, std::uint64_t count) {
  bytes(name.data(), name.size());
  value('\0');
  value(type);
  value(count);
}

void Hasher::real(double number) {
  if (std::isnan(number)) {
    value(std::uint64_t{0x7ff8000000000000});
  } else {
    value(number == 0 ? 0.0 : number);
  }
}

void Hasher::text(std::string_view characters) {
  value(static_cast<std::uint32_t>(characters.size()));
  bytes(characters.data(), characters.size());
}

std::string Hasher::finish_hex() {
  flush();
  return sum_.finish_hex();
}

void Hasher::flush() {
  sum_.add(buffer_, used_);
  used_ = 0;
}

}  // namespace palstudy
