// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace palstudy {

/// X(k) of ONES (SC'21): the throughput of a job on k GPUs, in samples/s, as far as it was measured. At a measured
/// count it is the mean of the last five measurements; else it lies on the line through the two nearest measured
/// counts, the last two beyond the largest, where no GPUs with no throughput count as measured.
class MeasuredThroughput {
 public:
  /// Adds a measurement. Errors (fault): no GPUs, or a throughput that is not positive.
  void add(std::uint32_t gpus, double samples_per_s);
  /// Samples/s on `gpus` GPUs; 0 where nothing was measured. Beyond the largest count it may become 0 or negative, if
  /// measurements fall steeply: `at` then has the throughput at the largest.
  [[nodiscard]] double at(std::uint32_t gpus) const;
  [[nodiscard]] bool empty() const { return points_.empty(); }

  void serialize(auto& archive, unsigned /*version*/) { (archive & points_); }

 private:
  static constexpr std::uint32_t kept = 5;

  /// The last measurements at one count, in a ring.
  struct Point {
    std::uint32_t gpus = 0;
    std::uint32_t measured = 0;  ///< so many in all
    std::array<double, kept> last{};
    [[nodiscard]] double mean() const;
    void serialize(auto& archive, unsigned /*version*/) {
      (archive & gpus & measured);
      for (double& samples_per_s : last) (archive & samples_per_s);
    }
  };

  std::vector<Point> points_;  // by ascending count
};

}  // namespace palstudy
