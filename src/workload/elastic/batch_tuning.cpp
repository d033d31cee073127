// SPDX-License-Identifier: MIT
#include "workload/elastic/batch_tuning.hpp"

#include <algorithm>
#include <cmath>

namespace palstudy {
namespace {

constexpr int batches_tried = 50;
/// Quotients that are whole but for rounding are not rounded up.
constexpr double quotient_slack = 1e-8;

double ceiling_of(double quotient) { return std::ceil(quotient - quotient_slack); }

}  // namespace

Batch batch_of(const BatchLimits& limits, std::uint32_t max_local, std::uint32_t gpus, double samples) {
  const double local = samples / gpus;
  double further = std::max(0.0, ceiling_of(local / max_local) - 1);
  if (gpus == 1 && local > limits.initial + quotient_slack) further = std::max(1.0, further);
  return {static_cast<std::uint32_t>(ceiling_of(local / (further + 1))), static_cast<std::uint32_t>(further)};
}

Tuned best_batch(const BatchLimits& limits, const TypeTime& type, JobShape shape, double noise, const SlowGpus& slow) {
  const double least = std::max<double>(limits.initial, static_cast<double>(shape.gpus) * limits.min_local);
  if (least > limits.most) return {};
  const double ratio = std::pow(limits.most / least, 1.0 / (batches_tried - 1));
  Tuned best;
  Batch last{.local = 0};
  double samples = least;
  for (int k = 0; k < batches_tried; ++k, samples *= ratio) {
    if (k + 1 == batches_tried) samples = limits.most;  // exactly
    const Batch batch = batch_of(limits, type.max_local, shape.gpus, samples);
    if (batch == last) continue;
    last = batch;
    const bool allowed = batch.local >= limits.min_local && batch.local <= type.max_local;
    const double worth = allowed ? goodput(limits, type.step, shape, batch, noise, slow) : 0;
    if (k == 0 || worth > best.goodput) best = {batch, worth};
  }
  return best;
}

Tuned tuned(const BatchLimits& limits, const TypeTime& type, JobShape shape, double noise, const SlowGpus& slow) {
  Tuned best = best_batch(limits, type, shape, noise, slow);
  const std::uint32_t room = limits.most / (shape.gpus * (best.batch.accumulations + 1));
  best.batch.local = std::max(1u, std::min(best.batch.local, room));
  return best;
}

}  // namespace palstudy
