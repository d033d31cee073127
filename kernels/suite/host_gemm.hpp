// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace palstudy {

/// C = A B in float, row-major, with distances between rows: A is m x k, B is k x n. C may not overlap A or B.
/// Written for one core and the compiler's vectors: four rows of B are added to a row of C at a time, in blocks of B
/// that stay in the cache.
inline void host_gemm(std::size_t m, std::size_t n, std::size_t k, const float* a, std::size_t lda, const float* b,
                      std::size_t ldb, float* c, std::size_t ldc) {
  constexpr std::size_t block_k = 64, block_n = 512;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) c[i * ldc + j] = 0;
  }
  for (std::size_t j0 = 0; j0 < n; j0 += block_n) {
    const std::size_t width = n - j0 < block_n ? n - j0 : block_n;
    for (std::size_t k0 = 0; k0 < k; k0 += block_k) {
      const std::size_t k1 = k - k0 < block_k ? k : k0 + block_k;
      for (std::size_t i = 0; i < m; ++i) {
        float* __restrict__ row = c + i * ldc + j0;
        std::size_t p = k0;
        for (; p + 4 <= k1; p += 4) {
          const float* x = a + i * lda + p;
          const float x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];
          const float* __restrict__ b0 = b + p * ldb + j0;
          const float* __restrict__ b1 = b0 + ldb;
          const float* __restrict__ b2 = b1 + ldb;
          const float* __restrict__ b3 = b2 + ldb;
          for (std::size_t j = 0; j < width; ++j) row[j] += (x0 * b0[j] + x1 * b1[j]) + (x2 * b2[j] + x3 * b3[j]);
        }
        for (; p < k1; ++p) {
          const float x = a[i * lda + p];
          for (std::size_t j = 0; j < width; ++j) row[j] += x * b[p * ldb + j0 + j];
        }
      }
    }
  }
}

}  // namespace palstudy
