// SPDX-License-Identifier: MIT
#include "workload/elastic/step_time.hpp"

#include <algorithm>
#include <cmath>

namespace palstudy {

double pass_s(const StepTime& time, std::uint32_t local) { return time.alpha_c + time.beta_c * local; }

double exchange_s(const StepTime& time, JobShape shape) {
  if (shape.gpus <= 1) return time.alone_s;
  const double further = shape.gpus - 2.0;
  return shape.nodes <= 1 ? time.alpha_r + time.beta_r * further : time.alpha_n + time.beta_n * further;
}

double iteration_s(const StepTime& time, JobShape shape, Batch batch, const SlowGpus& slow) {
  const bool split = slow.kind == SlowKind::split;
  const double pass = pass_s(time, batch.local) * (split ? slow.slowdown : 1);
  const double exchange = exchange_s(time, shape) * (split ? slow.penalty : 1);
  // No power is taken where nothing overlaps, so that a job without exchange is exact.
  const double last =
      exchange == 0 ? pass : std::pow(std::pow(pass, time.gamma) + std::pow(exchange, time.gamma), 1 / time.gamma);
  const double all = batch.accumulations * pass + last;
  return split ? all : slow.slowdown * slow.penalty * all;
}

}  // namespace palstudy
