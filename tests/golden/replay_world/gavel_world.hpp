// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace palstudy::replay {

/// The bins of an input of Gavel: types of GPUs, with a speed for each class.
struct GavelBins {
  std::vector<std::string> names;  ///< by type
  std::vector<std::uint32_t> gpus;
  std::vector<std::string> classes;
  std::vector<double> speeds;  ///< class by class, a value for each type
  [[nodiscard]] std::uint32_t class_row(std::string_view name) const;
  [[nodiscard]] std::uint32_t type(std::string_view name) const;
};

/// Reads bins.csv. `prefix`: of the columns by class, "slowdown_" (speed = 1 / slowdown) or "throughput_".
[[nodiscard]] GavelBins read_gavel_bins(const std::filesystem::path& file, std::string_view prefix);

/// The Mersenne Twister as CPython's `random.Random` seeds and uses it.
class CPythonRandom {
 public:
  explicit CPythonRandom(std::uint32_t seed);
  /// `random.shuffle`.
  void shuffle(std::vector<std::uint32_t>& values);

 private:
  static constexpr std::size_t size = 624;
  std::uint32_t next();
  std::uint32_t below(std::uint32_t limit);

  std::vector<std::uint32_t> state_;
  std::size_t at_ = size;
};

}  // namespace palstudy::replay
