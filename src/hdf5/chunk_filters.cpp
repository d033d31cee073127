// SPDX-License-Identifier: MIT
#include "hdf5/chunk_filters.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/error.hpp"

namespace palstudy {
namespace {

using Chunk = std::vector<std::byte>;

/// All first bytes of the values, then all second ones, and so on.
Chunk shuffle(std::span<const std::byte> chunk, std::size_t element) {
  Chunk out(chunk.begin(), chunk.end());
  if (element <= 1) return out;
  const std::size_t values = chunk.size() / element;
  for (std::size_t byte = 0; byte < element; ++byte) {
    std::byte* to = out.data() + byte * values;
    for (std::size_t i = 0; i < values; ++i) to[i] = chunk[i * element + byte];
  }
  return out;
}

Chunk deflated(const Chunk& chunk) {
  uLongf size = compressBound(static_cast<uLong>(chunk.size()));
  Chunk out(size);
  const int status =
      compress2(reinterpret_cast<Bytef*>(out.data()), &size, reinterpret_cast<const Bytef*>(chunk.data()),
                static_cast<uLong>(chunk.size()), deflate_level);
  if (status != Z_OK) throw fault("zlib cannot pack a chunk");
  out.resize(size);
  return out;
}

/// Two sums of 16-bit words, the first byte of each the higher one, folded to 16 bits each (end-around carry).
std::uint32_t fletcher32(const Chunk& bytes) {
  std::uint64_t sum = 0, sum_of_sums = 0;
  const auto fold = [](std::uint64_t& value) {
    while (value > 0xffff) value = (value & 0xffff) + (value >> 16);
  };
  const auto word = [&](std::size_t at) {
    const auto high = std::to_integer<std::uint64_t>(bytes[at]);
    return (high << 8) | (at + 1 < bytes.size() ? std::to_integer<std::uint64_t>(bytes[at + 1]) : 0);
  };
  constexpr std::size_t block = 4096;  // sums of so many words are far from overflowing
  for (std::size_t begin = 0; begin < bytes.size(); begin += block) {
    const std::size_t end = std::min(bytes.size(), begin + block);
    for (std::size_t at = begin; at < end; at += 2) {
      sum += word(at);
      sum_of_sums += sum;
    }
    fold(sum), fold(sum_of_sums);
  }
  return static_cast<std::uint32_t>((sum_of_sums << 16) | sum);
}

}  // namespace

std::vector<std::byte> filter_chunk(std::span<const std::byte> chunk, std::size_t element) {
  Chunk out = deflated(shuffle(chunk, element));
  const std::uint32_t sum = fletcher32(out);
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<std::byte>((sum >> shift) & 0xff));
  return out;
}

std::vector<std::byte> filter_work(std::span<const std::byte> chunk, std::size_t element) {
  const auto size = static_cast<std::uint32_t>(element);
  Chunk work(sizeof size + chunk.size());
  std::memcpy(work.data(), &size, sizeof size);
  std::copy(chunk.begin(), chunk.end(), work.begin() + sizeof size);
  return work;
}

std::vector<std::byte> filter_chunk_task(std::span<const std::byte> work) {
  std::uint32_t element = 0;
  if (work.size() < sizeof element) throw fault("a piece of work is too short");
  std::memcpy(&element, work.data(), sizeof element);
  return filter_chunk(work.subspan(sizeof element), element);
}

}  // namespace palstudy
