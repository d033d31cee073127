// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/kernel.hpp"

namespace palstudy {

/// Half the distance from 1 to the next float.
inline constexpr double float_eps = 0x1.0p-24;

/// What rounding may do to a float sum of `terms` products of random sign, the root of the sum of whose squares is
/// `norm`: partial sums grow as the square root of their length, and so do errors of either sign (Higham and Mary, SIAM
/// J. Sci. Comput. 41(5), 2019), which makes about eps sqrt(terms) norm. The factor 8 lets right results pass always;
/// the bound of the worst case would be larger by sqrt(terms) and hide a step that was left out.
[[nodiscard]] double sum_tolerance(double terms, double norm, double eps = float_eps);

/// Collects the worst deviation.
class Comparison {
 public:
  void add(double got, double expected, double tolerance, std::string_view what, std::size_t position);
  /// Any output word that was never written makes the verdict infinite.
  [[nodiscard]] Verdict verdict(const Arrays& arrays) const;

 private:
  Verdict worst_;
};

/// `count` positions in [0, size), drawn by a fixed seed, the first and the last always among them; all where size <=
/// count.
[[nodiscard]] std::vector<std::size_t> sample_positions(std::size_t size, std::size_t count);
/// +1 or -1, fixed by position: the random vector of Freivalds' check (IFIP 1977) and its like.
[[nodiscard]] double random_sign(std::size_t position);

}  // namespace palstudy
