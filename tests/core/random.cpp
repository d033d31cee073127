// SPDX-License-Identifier: MIT
#include "core/random.hpp"

#include <Random123/philox.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <vector>

namespace palstudy {
namespace {

// The known answers of Philox4x32-10 that its authors publish (Random123's kat_vectors): the library at hand is the
// function we say it is. The third has the digits of pi as counter and key.
TEST(Random, PhiloxGivesTheKnownAnswers) {
  using Words = std::array<std::uint32_t, 4>;
  const auto philox = [](Words counter, std::array<std::uint32_t, 2> key) {
    const auto out = r123::Philox4x32{}({{counter[0], counter[1], counter[2], counter[3]}}, {{key[0], key[1]}});
    return Words{out[0], out[1], out[2], out[3]};
  };
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0U, ~0U, ~0U, ~0U}, {~0U, ~0U}), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// The counter is (index, entity low, entity high, purpose) and the key the seed: with the purpose, all zero but for
// that word, draw() is Philox at that counter. Results depend on this layout, so it may not change.
TEST(Random, DrawIsPhiloxAtTheCounterSaid) {
  const auto expected = r123::Philox4x32{}({{7, 0x89abcdef, 0x01234567, 3}}, {{0xddccbbaa, 0x11}});
  const auto got = draw(0x11ddccbbaaULL, Purpose::arrival, 0x0123456789abcdefULL, 7);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(got[i], expected[i]);
}

TEST(Random, EveryArgumentMatters) {
  std::set<std::array<std::uint32_t, 4>> seen;
  for (const std::uint64_t seed : {1ULL, 2ULL, 1ULL << 32}) {
    for (const auto purpose : {Purpose::cluster_draw, Purpose::job_model}) {
      for (const std::uint64_t entity : {0ULL, 1ULL, 1ULL << 32}) {
        for (const std::uint32_t index : {0U, 1U}) seen.insert(draw(seed, purpose, entity, index));
      }
    }
  }
  EXPECT_EQ(seen.size(), 3u * 2 * 3 * 2);
}

TEST(Random, AStreamIsItsDrawsInOrder) {
  RandomStream stream(9, Purpose::job_shape, 4);
  for (std::uint32_t index = 0; index < 3; ++index) {
    for (const std::uint32_t word : draw(9, Purpose::job_shape, 4, index)) EXPECT_EQ(stream.word(), word);
  }
}

// Mean of n uniforms: 1/2, standard error sqrt(1/12 / n) = 0.0009 for n = 100,000; five of them are allowed. Of the
// squares: 1/3, standard error sqrt(4/45 / n) = 0.00094.
TEST(Random, UniformsLieInTheirRangesEvenly) {
  RandomStream stream(1, Purpose::arrival, 0);
  const int n = 100000;
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    const double u = stream.uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
    squares += u * u;
    const double positive = stream.uniform_positive();
    ASSERT_GT(positive, 0.0);
    ASSERT_LE(positive, 1.0);
  }
  EXPECT_NEAR(sum / n, 0.5, 0.0046);
  EXPECT_NEAR(squares / n, 1.0 / 3, 0.0048);
}

// Chi-square of below(7) over 70,000 draws, 6 degrees of freedom: over 33 once in 100,000 seeds, and this seed is
// fixed.
TEST(Random, BelowIsEven) {
  std::vector<int> count(7);
  RandomStream stream(1, Purpose::job_model, 0);
  for (int i = 0; i < 70000; ++i) {
    const std::uint32_t k = stream.below(7);
    ASSERT_LT(k, 7u);
    ++count[k];
  }
  double chi_square = 0;
  for (const int c : count) chi_square += (c - 10000.0) * (c - 10000.0) / 10000.0;
  EXPECT_LT(chi_square, 33);
}

// n = 3 x 2^30: multiplying without rejection would give each multiple of 3 twice as often as the other numbers (half
// of all, not a third). Standard error of the share over 30,000 draws: 0.0027.
TEST(Random, BelowHasNoBiasWhereRejectionMatters) {
  RandomStream stream(1, Purpose::job_model, 1);
  const int n = 30000;
  int multiples = 0;
  for (int i = 0; i < n; ++i) multiples += stream.below(3U << 30) % 3 == 0 ? 1 : 0;
  EXPECT_NEAR(static_cast<double>(multiples) / n, 1.0 / 3, 0.0136);
}

TEST(Random, BelowOneIsZero) {
  RandomStream stream(1, Purpose::job_model, 2);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(stream.below(1), 0u);
}

}  // namespace
}  // namespace palstudy
