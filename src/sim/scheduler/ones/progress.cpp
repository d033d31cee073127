// SPDX-License-Identifier: MIT
#include "sim/scheduler/ones/progress.hpp"

#include <boost/math/special_functions/beta.hpp>

#include "core/error.hpp"

namespace palstudy {
namespace {

using InDoubles = boost::math::policies::policy<boost::math::policies::promote_double<false>>;

}  // namespace

double drawn_progress(const TrainedEpochs& epochs, double noise, double uniform) {
  if (!(epochs.done > 0) || !(epochs.left >= 0) || !(noise >= 0)) throw fault("a progress of no or negative epochs");
  return boost::math::ibeta_inv(epochs.done, 1 + epochs.left * noise, uniform, InDoubles());
}

}  // namespace palstudy
