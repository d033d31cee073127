// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>
#include <set>

#include "kernels/small_kernels.hpp"
#include "kernels/suite/pagerank.hpp"
#include "kernels/suite/transformer.hpp"

namespace palstudy {
namespace {

// The twins against the slowest and most obvious form of what they compute, all of it, in float64.

TEST(Twins, SgemmIsTheTripleLoop) {
  const std::size_t n = 61;
  const Computed done(small_problem("sgemm", {{"n", "61"}}));
  const auto a = done.arrays.of<float>(0), b = done.arrays.of<float>(1), c = done.arrays.of<float>(2);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < n; ++k) sum += double{a[i * n + k]} * b[k * n + j];
      EXPECT_NEAR(c[i * n + j], sum, 1e-5) << i << " " << j;
    }
  }
}

TEST(Twins, ConvolutionIsSevenLoops) {
  const int batch = 2, in = 5, out = 7, side = 9;
  const Computed done(small_problem("conv3x3"));
  const auto x = done.arrays.of<float>(0), w = done.arrays.of<float>(1), y = done.arrays.of<float>(2);
  for (int n = 0; n < batch; ++n) {
    for (int k = 0; k < out; ++k) {
      for (int p = 0; p < side; ++p) {
        for (int q = 0; q < side; ++q) {
          double sum = 0;
          for (int c = 0; c < in; ++c) {
            for (int r = -1; r <= 1; ++r) {
              for (int s = -1; s <= 1; ++s) {
                if (p + r < 0 || p + r >= side || q + s < 0 || q + s >= side) continue;
                sum +=
                    double{x[((n * in + c) * side + p + r) * side + q + s]} * w[((k * in + c) * 3 + r + 1) * 3 + s + 1];
              }
            }
          }
          EXPECT_NEAR(y[((n * out + k) * side + p) * side + q], sum, 1e-5);
        }
      }
    }
  }
}

TEST(Twins, FourierTransformIsTheSixfoldSum) {
  const std::size_t n = 8;
  const Computed done(small_problem("fft3d"));
  const auto x = done.arrays.of<std::complex<float>>(0), y = done.arrays.of<std::complex<float>>(2);
  for (std::size_t k = 0; k < n * n * n; ++k) {
    std::complex<double> sum = 0;
    for (std::size_t j = 0; j < n * n * n; ++j) {
      const std::size_t turns = (k % n) * (j % n) + (k / n % n) * (j / n % n) + (k / n / n) * (j / n / n);
      sum += std::complex<double>(x[j]) * std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(turns % n) / n);
    }
    EXPECT_NEAR(std::abs(std::complex<double>(y[k]) - sum), 0, 2e-5) << k;
  }
}

// Cubic Lagrange interpolation is exact for polynomials of degree 3 in each coordinate: away from the border, where the
// cube closes in on itself, the field x^3 - 2 y^2 + x y z comes back at any point.
TEST(Twins, InterpolationIsExactForCubics) {
  const std::size_t n = 10;
  Computed done(small_problem("interp3d"));
  const auto cubic = [](double x, double y, double z) { return x * x * x * 0.01 - 0.2 * y * y + 0.05 * x * y * z; };
  for (std::size_t i = 0; i < n * n * n; ++i) {
    done.arrays.of<float>(0)[i] = static_cast<float>(
        cubic(static_cast<double>(i % n), static_cast<double>(i / n % n), static_cast<double>(i / n / n)));
  }
  done.problem->compute(done.arrays);
  std::size_t inside = 0;
  for (std::size_t i = 0; i < n * n * n; ++i) {
    const float x = done.arrays.of<float>(1)[i], y = done.arrays.of<float>(2)[i], z = done.arrays.of<float>(3)[i];
    EXPECT_GE(std::min({x, y, z}), 0);
    EXPECT_LT(std::max({x, y, z}), n);
    if (std::min({x, y, z}) < 1 || std::max({x, y, z}) >= n - 2) continue;
    ++inside;
    EXPECT_NEAR(done.arrays.of<float>(4)[i], cubic(x, y, z), 1e-4);
  }
  EXPECT_GT(inside, 100u);
}

// The ranks by a dense matrix of transitions, built from nothing but the lists of edges.
TEST(Twins, PagerankIsThePowerIteration) {
  using A = PagerankArrays;
  const std::size_t n = 64;
  const Computed done(small_problem("pagerank", {{"scale", "6"}, {"iterations", "3"}}));
  const auto offsets = done.arrays.of<std::uint32_t>(A::offsets), sources = done.arrays.of<std::uint32_t>(A::sources);
  EXPECT_EQ(offsets[n], sources.size());
  std::vector<double> moves(n * n), out(n), rank(n, 1.0 / n);
  for (std::size_t v = 0; v < n; ++v) {
    for (std::size_t e = offsets[v]; e < offsets[v + 1]; ++e) {
      moves[v * n + sources[e]] += 1;
      out[sources[e]] += 1;
    }
  }
  for (int i = 0; i < 3; ++i) {
    std::vector<double> next(n, 0.15 / n);
    for (std::size_t v = 0; v < n; ++v) {
      for (std::size_t u = 0; u < n; ++u) next[v] += 0.85 * moves[v * n + u] / out[u] * rank[u];
    }
    rank = next;
  }
  for (std::size_t v = 0; v < n; ++v) EXPECT_NEAR(done.arrays.of<float>(A::rank)[v], rank[v], 1e-7);
}

// The pieces that a GPU shares the edges by are all edges, once, each piece within its row.
TEST(Twins, PagerankPiecesCoverTheEdges) {
  using A = PagerankArrays;
  const Computed done(small_problem("pagerank", {{"scale", "8"}, {"edges", "64"}}));
  const auto offsets = done.arrays.of<std::uint32_t>(A::offsets),
             begins = done.arrays.of<std::uint32_t>(A::piece_begin);
  const auto rows = done.arrays.of<std::uint32_t>(A::piece_row);
  EXPECT_EQ(begins[0], 0u);
  EXPECT_EQ(begins[rows.size()], done.arrays.of<std::uint32_t>(A::sources).size());
  std::size_t cut = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ASSERT_LE(begins[i], begins[i + 1]);
    ASSERT_LE(begins[i + 1] - begins[i], pagerank_piece);
    if (begins[i] == begins[i + 1]) continue;
    EXPECT_GE(begins[i], offsets[rows[i]]);
    EXPECT_LE(begins[i + 1], offsets[rows[i] + 1]);
    cut += begins[i] > offsets[rows[i]] ? 1 : 0;
  }
  EXPECT_GT(cut, 10u);  // there are hubs
}

// With queries of zero every token attends to all alike, so the context of a token is the mean of the values.
TEST(Twins, AttentionOfNoQueryIsTheMean) {
  using A = TransformerArrays;
  const std::size_t h = 24, s = 10;
  Computed done(small_problem("transformer"));
  const auto weights = done.arrays.of<float>(A::w_qkv), bias = done.arrays.of<float>(A::b_qkv);
  for (std::size_t i = 0; i < h; ++i) std::fill_n(weights.data() + i * 3 * h, h, 0.0F);
  std::fill_n(bias.data(), h, 0.0F);
  done.problem->compute(done.arrays);
  const auto qkv = done.arrays.of<float>(A::qkv), context = done.arrays.of<float>(A::context);
  for (std::size_t j = 0; j < h; ++j) {
    double mean = 0;
    for (std::size_t t = 0; t < s; ++t) mean += qkv[t * 3 * h + 2 * h + j] / static_cast<double>(s);
    for (std::size_t t = 0; t < s; ++t) EXPECT_NEAR(context[t * h + j], mean, 1e-5);
  }
  EXPECT_TRUE(done.problem->check(done.arrays).passed());
}

// 8 KiB are 256 places, and one cycle through all of them comes back after 256 hops and not before.
TEST(Twins, ChaseIsOneCycle) {
  const Computed done(small_problem("chase"));
  const auto next = done.arrays.of<std::uint32_t>(0);
  std::set<std::uint32_t> seen;
  std::uint32_t at = 0;
  do {
    EXPECT_TRUE(seen.insert(at).second);
    at = next[at * 8];
  } while (at != 0 && seen.size() <= 256);
  EXPECT_EQ(seen.size(), 256u);
}

// Four chains of 64 of the 256 hops: they begin in places of their own, and together they visit each place once. Who
// walks the whole cycle finds each end after its leg of one hop.
TEST(Twins, ChainsOfTheChaseShareItsCycle) {
  const Computed done(small_problem("chase", {{"kib", "8"}, {"chains", "4"}, {"hops", "256"}}));
  const auto next = done.arrays.of<std::uint32_t>(0), start = done.arrays.of<std::uint32_t>(1);
  const auto end = done.arrays.of<std::uint32_t>(2);
  std::set<std::uint32_t> seen;
  for (std::size_t chain = 0; chain < 4; ++chain) {
    std::uint32_t at = start[chain];
    for (std::size_t hop = 0; hop < 64; ++hop) {
      EXPECT_TRUE(seen.insert(at).second);
      at = next[at * 8];
      EXPECT_EQ(end[chain * 64 + hop], at);
    }
    EXPECT_EQ(at, start[(chain + 1) % 4]);
  }
  EXPECT_EQ(seen.size(), 256u);
}

TEST(Twins, AllreduceSumsRanks) {
  const Computed done(small_problem("allreduce"));
  const auto in = done.arrays.of<float>(0), out = done.arrays.of<float>(1);
  for (std::size_t i = 0; i < 999; ++i) {
    for (std::size_t rank = 0; rank < 3; ++rank) {
      EXPECT_NEAR(out[rank * 999 + i], double{in[i]} + in[999 + i] + in[2 * 999 + i], 1e-6);
    }
  }
}

}  // namespace
}  // namespace palstudy
