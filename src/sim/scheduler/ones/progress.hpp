// SPDX-License-Identifier: MIT
#pragma once

namespace palstudy {

/// Where a job is in its training.
struct TrainedEpochs {
  double done = 0;  ///< samples done / samples of an epoch
  double left = 0;  ///< as in truth
};

/// The predicted share of a job's samples that are done (rho of ONES, SC'21): one value of Beta(done, 1 + left x
/// noise), the one that a share `uniform` in (0, 1] of the distribution lies below. A value, not the mean, so that the
/// search also tries what is unlikely. The published program learns the second parameter, by a network whose features
/// lack the size of an epoch when it predicts; that fault is not here, since nothing is learned: the epochs left are
/// known, and `noise` makes the prediction worse. Remaining samples are Y (1 / rho - 1), with the mean Y (1 + left x
/// noise) / (done - 1) for more than one epoch done, else infinite. Errors (fault): no epoch done, or a negative number
/// of epochs left.
[[nodiscard]] double drawn_progress(const TrainedEpochs& epochs, double noise, double uniform);

}  // namespace palstudy
