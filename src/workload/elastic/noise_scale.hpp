// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace palstudy {

/// A measured value of the noise scale: after this share of the work, in [0, 1], it is so many samples.
struct NoiseKnot {
  double share = 0;
  double samples = 0;
};

/// The gradient noise scale over a job's work: the batch, in samples, up to which larger batches help (McCandlish et
/// al., 2018; "phi" in Pollux). Between knots its logarithm is linear, beyond the ends it is constant.
struct NoiseScale {
  std::vector<NoiseKnot> knots;  ///< by ascending share; none: 0, so that larger batches never help

  /// In samples, after that share of the work.
  [[nodiscard]] double at(double share) const;
};

/// The progress that a sample of a batch makes, against one of the initial batch: (noise + initial) / (noise + batch)
/// (Pollux, section 3.1). All in samples. At most 1 if the batch is not smaller than the initial one.
[[nodiscard]] double efficiency(double noise, double initial, double batch);

/// The progress that an iteration with a batch makes, in iterations at the initial batch: efficiency x batch / initial
/// (the gain of AdaScale).
[[nodiscard]] double gain(double noise, double initial, double batch);

}  // namespace palstudy
