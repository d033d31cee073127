// SPDX-License-Identifier: MIT
#include "gavel_world.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "core/csv.hpp"
#include "core/error.hpp"

namespace palstudy::replay {
namespace {

std::uint32_t place_in(const std::vector<std::string>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw data_error("unknown name " + std::string(name), "bins.csv", "");
  return static_cast<std::uint32_t>(found - names.begin());
}

}  // namespace

std::uint32_t GavelBins::class_row(std::string_view name) const { return place_in(classes, name); }
std::uint32_t GavelBins::type(std::string_view name) const { return place_in(names, name); }

GavelBins read_gavel_bins(const std::filesystem::path& file, std::string_view prefix) {
  const CsvTable table = CsvTable::read(file);
  GavelBins bins;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    bins.names.emplace_back(table.text(row, table.column("bin")));
    bins.gpus.push_back(static_cast<std::uint32_t>(table.integer(row, table.column("gpus"))));
  }
  for (std::size_t column = 0; column < table.header().size(); ++column) {
    const std::string& name = table.header()[column];
    if (name.rfind(prefix, 0) != 0) continue;
    bins.classes.push_back(name.substr(prefix.size()));
    for (std::size_t row = 0; row < table.rows(); ++row) {
      const double value = table.number(row, column);
      bins.speeds.push_back(prefix == "slowdown_" ? 1 / value : value);
    }
  }
  return bins;
}

/// init_by_array of the Mersenne Twister with one word, the seed.
CPythonRandom::CPythonRandom(std::uint32_t seed) : state_(size) {
  const auto mixed = [&](std::size_t i, std::uint32_t factor) {
    return state_[i] ^ ((state_[i - 1] ^ (state_[i - 1] >> 30)) * factor);
  };
  state_[0] = 19650218;
  for (std::uint32_t i = 1; i < size; ++i) state_[i] = 1812433253 * (state_[i - 1] ^ (state_[i - 1] >> 30)) + i;
  std::size_t i = 1;
  const auto step = [&] {
    if (++i < size) return;
    state_[0] = state_[size - 1];
    i = 1;
  };
  for (std::size_t k = 0; k < size; ++k, step()) state_[i] = mixed(i, 1664525) + seed;
  for (std::size_t k = 1; k < size; ++k, step()) state_[i] = mixed(i, 1566083941) - static_cast<std::uint32_t>(i);
  state_[0] = 0x80000000;
}

std::uint32_t CPythonRandom::next() {
  if (at_ == size) {
    for (std::size_t i = 0; i < size; ++i) {
      const std::uint32_t both = (state_[i] & 0x80000000) | (state_[(i + 1) % size] & 0x7fffffff);
      state_[i] = state_[(i + 397) % size] ^ (both >> 1) ^ ((both & 1) != 0 ? 0x9908b0df : 0);
    }
    at_ = 0;
  }
  std::uint32_t y = state_[at_++];
  y ^= y >> 11;
  y ^= (y << 7) & 0x9d2c5680;
  y ^= (y << 15) & 0xefc60000;
  return y ^ (y >> 18);
}

std::uint32_t CPythonRandom::below(std::uint32_t limit) {
  const int bits = std::bit_width(limit);
  std::uint32_t value = limit;
  while (value >= limit) value = next() >> (32 - bits);
  return value;
}

void CPythonRandom::shuffle(std::vector<std::uint32_t>& values) {
  for (std::size_t i = values.size(); i-- > 1;) std::swap(values[i], values[below(static_cast<std::uint32_t>(i + 1))]);
}

}  // namespace palstudy::replay
