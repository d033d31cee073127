// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

#include "kernels/compare.hpp"

namespace palstudy {

/// Checks C = A B for square matrices of order n in float64: `samples` entries by their definition, and every row by
/// Freivalds' check: C r = A (B r) for a vector r of random signs. `a` and `b` give the operand at a position as a
/// double; `eps` is the rounding of one operation on the device.
template <class A, class B>
void check_gemm(Comparison& compare, std::size_t n, A a, B b, const float* c, double eps, std::size_t samples) {
  for (const std::size_t position : sample_positions(n * n, samples)) {
    const std::size_t i = position / n, j = position % n;
    double sum = 0, square = 0;
    for (std::size_t k = 0; k < n; ++k) {
      const double product = a(i * n + k) * b(k * n + j);
      sum += product;
      square += product * product;
    }
    compare.add(c[position], sum, sum_tolerance(static_cast<double>(n), std::sqrt(square), eps), "product entry",
                position);
  }
  std::vector<double> br(n), sizes(n), signs(n);
  for (std::size_t j = 0; j < n; ++j) signs[j] = random_sign(j);
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t j = 0; j < n; ++j) {
      br[k] += b(k * n + j) * signs[j];
      sizes[k] += b(k * n + j) * b(k * n + j);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    double got = 0, expected = 0, square = 0;
    for (std::size_t j = 0; j < n; ++j) got += c[i * n + j] * signs[j];
    for (std::size_t k = 0; k < n; ++k) {
      expected += a(i * n + k) * br[k];
      square += a(i * n + k) * a(i * n + k) * sizes[k];
    }
    compare.add(got, expected, sum_tolerance(static_cast<double>(n), std::sqrt(square), eps), "product row", i);
  }
}

}  // namespace palstudy
