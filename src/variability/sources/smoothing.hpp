// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

namespace palstudy {

/// How measured slowdowns of one kernel become those of generated GPUs: all in log slowdown, so 0.01 is 1 %.
///
/// A generated GPU is an observed one, its deviation from the median shrunk, plus normal noise. The noise is as large
/// as the larger of the kernel bandwidth 0.5 x 0.9 A n^(-1/5) (Silverman 1986, (3.31), half of it; A = min(SD, IQR /
/// 1.34)) and the error of the observed median, run SD / sqrt(runs). The shrinking factor is sqrt(reliability) with
/// reliability = 1 - noise^2 / A^2, so that the body of the distribution stays as wide as it was observed. Only the
/// body is shrunk: no value moves by more than the factor moves one at `limit` (limited translation; Efron & Morris,
/// JASA 67:130, 1972; 1.25 A). Faulty nodes and discrete modes lie further out and keep their place. The noise is at
/// most 0.6 A: where the runs say more, `reliability_warning` warns, and what was measured is followed all the same.
/// The noise is shared within the node as far as the body is: by the correlation of ranks within measured nodes.
struct Smoothing {
  double centre = 0;   ///< the median
  double shrink = 1;   ///< sqrt(reliability)
  double limit = 0;    ///< distance from the median beyond which values only shift
  double node_sd = 0;  ///< noise that the GPUs of a node share
  double gpu_sd = 0;   ///< noise of a GPU alone

  /// `log_slowdown` brought nearer to the centre; no noise added.
  [[nodiscard]] double shrunk(double log_slowdown) const;
};

/// From the log slowdowns of measured nodes, by node; `run_sd` is that of log runs about their GPU's median, `runs` the
/// number of runs behind a median.
[[nodiscard]] Smoothing choose_smoothing(const std::vector<std::vector<double>>& nodes, double run_sd, double runs);

}  // namespace palstudy
