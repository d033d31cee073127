// SPDX-License-Identifier: MIT
#include "workload/elastic/batch_tuning.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "drawn_elastic.hpp"

namespace palstudy {
namespace {

constexpr std::uint64_t tuning_cases = 3000;

/// The rule written out, with batches that are computed one by one.
Tuned plainly_tuned(const ElasticCase& of) {
  const double n = of.shape.gpus, m0 = of.limits.initial, most = of.limits.most;
  const double least = std::max(m0, n * of.limits.min_local);
  Tuned best;
  if (least > most) return best;
  for (int k = 0; k < 50; ++k) {
    const double samples = std::exp(std::log(least) + k / 49.0 * (std::log(most) - std::log(least)));
    const double local = samples / n;
    double further = std::ceil(local / of.type.max_local - 1e-8) - 1;
    if (n == 1 && local > m0 + 1e-8) further = std::max(further, 1.0);
    const double m = std::ceil(local / (further + 1) - 1e-8), all = n * m * (further + 1);
    const Batch batch{static_cast<std::uint32_t>(m), static_cast<std::uint32_t>(further)};
    double worth = all / iteration_s(of.type.step, of.shape, batch, of.slow) * (of.noise + m0) / (of.noise + all);
    if (m < of.limits.min_local || m > of.type.max_local) worth = 0;
    if (k == 0 || worth > best.goodput * (1 + 1e-13)) best = {batch, worth};
  }
  return best;
}

// Against the rule written out. Batches may differ where both yield the same, so goodputs are compared.
TEST(BatchTuning, IsTheBestOfFiftyBatches) {
  int possible = 0;
  for (std::uint64_t i = 0; i < tuning_cases; ++i) {
    const ElasticCase drawn = drawn_case(i);
    const Tuned best = best_batch(drawn.limits, drawn.type, drawn.shape, drawn.noise, drawn.slow);
    const Tuned plain = plainly_tuned(drawn);
    EXPECT_NEAR(best.goodput, plain.goodput, 1e-12 * plain.goodput) << i;
    if (!(plain.goodput > 0)) continue;
    ++possible;
    EXPECT_NEAR(goodput(drawn.limits, drawn.type.step, drawn.shape, best.batch, drawn.noise, drawn.slow), plain.goodput,
                1e-12 * plain.goodput);
  }
  EXPECT_GT(possible, static_cast<int>(tuning_cases) / 2);
}

// Slow GPUs of kind `whole` stretch every batch alike: the choice stays, and the goodput is divided.
TEST(BatchTuning, WholeSlowdownsLeaveTheChoice) {
  for (std::uint64_t i = 0; i < tuning_cases; ++i) {
    const ElasticCase drawn = drawn_case(i);
    const SlowGpus slow{SlowKind::whole, 4, 2};  // powers of two, so that nothing is rounded
    const Tuned fast = tuned(drawn.limits, drawn.type, drawn.shape, drawn.noise);
    const Tuned slowed = tuned(drawn.limits, drawn.type, drawn.shape, drawn.noise, slow);
    EXPECT_EQ(slowed.batch, fast.batch);
    EXPECT_DOUBLE_EQ(slowed.goodput, fast.goodput / 8);
  }
}

// GPUs share at least the samples asked for and less than one more a pass. A pass fits in a GPU unless the fewest
// passes are rounded up beyond, and one GPU passes twice over more than the initial batch.
TEST(BatchTuning, SharesSamplesEvenly) {
  for (std::uint64_t i = 0; i < tuning_cases; ++i) {
    const ElasticCase drawn = drawn_case(i);
    ElasticDraws draws(i + 5'000'000);
    const double samples = draws.count(drawn.shape.gpus, 20'000);
    const Batch batch = batch_of(drawn.limits, drawn.type.max_local, drawn.shape.gpus, samples);
    const double passes = drawn.shape.gpus * (batch.accumulations + 1.0);
    EXPECT_GE(batch.samples(drawn.shape.gpus), samples);
    EXPECT_LT(batch.samples(drawn.shape.gpus), samples + passes);
    EXPECT_LE(batch.local, drawn.type.max_local);
    const Batch alone = batch_of(drawn.limits, 1'000'000, 1, samples);
    EXPECT_EQ(alone.accumulations, samples > drawn.limits.initial ? 1u : 0u);
  }
}

// Rounding up may take the best batch over the largest one; the batch that a job trains with is not over it.
TEST(BatchTuning, StaysBelowTheLargestBatch) {
  int cut = 0;
  for (std::uint64_t i = 0; i < tuning_cases; ++i) {
    const ElasticCase drawn = drawn_case(i);
    const Tuned best = best_batch(drawn.limits, drawn.type, drawn.shape, drawn.noise);
    if (!(best.goodput > 0)) continue;
    const Tuned trained = tuned(drawn.limits, drawn.type, drawn.shape, drawn.noise);
    EXPECT_LE(trained.batch.samples(drawn.shape.gpus), drawn.limits.most);
    EXPECT_LE(trained.batch.local, best.batch.local);
    EXPECT_EQ(trained.batch.accumulations, best.batch.accumulations);
    cut += trained.batch.local < best.batch.local ? 1 : 0;
  }
  EXPECT_GT(cut, 0);
}

// 8 GPUs with passes of 32 samples at least cannot have a batch of 128: no batch is allowed, and nothing is claimed.
TEST(BatchTuning, TooManyGpusHaveNoBatch) {
  const TypeTime type{{0.1, 0.001, 0.1, 0, 0.1, 0, 1}, 64};
  EXPECT_EQ(best_batch({128, 128, 32}, type, {8, 2}, 1000).goodput, 0);
  EXPECT_GT(best_batch({128, 128, 32}, type, {4, 1}, 1000).goodput, 0);
}

}  // namespace
}  // namespace palstudy
