// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/cuda/device.hpp"

namespace palstudy::PALSTUDY_DEVICE_SPACE {

constexpr int tile = 128;           ///< rows and columns of C that a block computes
constexpr int tile_depth = 8;       ///< of k, taken into shared memory at a time
constexpr int tile_threads = 256;   ///< each computes 8 x 8 entries, as four squares of 4 x 4
constexpr int tile_row = tile + 4;  ///< distance between rows in shared memory, which spreads them over the banks

/// The part of a matrix that a block holds of one operand, as [k][row or column].
struct alignas(16) GemmBuffer {
  float a[2][tile_depth][tile_row], b[2][tile_depth][tile_row];
};

/// Position e of the elements of a buffer as (k, place): the index along which memory is contiguous runs fastest.
template <bool k_fast>
__device__ __forceinline__ void tile_place(int e, int& k, int& place) {
  k = k_fast ? e % tile_depth : e / tile;
  place = k_fast ? e / tile_depth : e % tile;
}

/// One block's tile of C = A B with any operands and any use of the result: a(row, k) and b(k, column) give an element
/// (0 outside), store(row, column, value) takes one. `a_k_fast`: a's elements lie side by side along k; likewise b.
/// Registers hold the next part of k while the block works on the current ones in shared memory.
template <bool a_k_fast, bool b_k_fast, class A, class B, class Store>
__device__ __forceinline__ void gemm_tile(GemmBuffer& buffer, int rows, int columns, int depth, int row0, int column0,
                                          A a, B b, Store store) {
  constexpr int loads = tile * tile_depth / tile_threads;
  const int thread = static_cast<int>(threadIdx.x);
  const int row = thread / 16 * 4, column = thread % 16 * 4;
  float next_a[loads], next_b[loads], sum[8][8] = {};

  const auto fetch = [&](int k0) {
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      int k = 0, place = 0;
      tile_place<a_k_fast>(thread + i * tile_threads, k, place);
      next_a[i] = row0 + place < rows && k0 + k < depth ? a(row0 + place, k0 + k) : 0.0F;
      tile_place<b_k_fast>(thread + i * tile_threads, k, place);
      next_b[i] = column0 + place < columns && k0 + k < depth ? b(k0 + k, column0 + place) : 0.0F;
    }
  };
  const auto keep = [&](int side) {
#pragma unroll
    for (int i = 0; i < loads; ++i) {
      int k = 0, place = 0;
      tile_place<a_k_fast>(thread + i * tile_threads, k, place);
      buffer.a[side][k][place] = next_a[i];
      tile_place<b_k_fast>(thread + i * tile_threads, k, place);
      buffer.b[side][k][place] = next_b[i];
    }
  };

  fetch(0);
  keep(0);
  __syncthreads();
  int side = 0;
  for (int k0 = 0; k0 < depth; k0 += tile_depth) {
    const bool more = k0 + tile_depth < depth;
    if (more) fetch(k0 + tile_depth);
#pragma unroll
    for (int k = 0; k < tile_depth; ++k) {
      float x[8], y[8];
      *reinterpret_cast<float4*>(x) = *reinterpret_cast<const float4*>(&buffer.a[side][k][row]);
      *reinterpret_cast<float4*>(x + 4) = *reinterpret_cast<const float4*>(&buffer.a[side][k][row + 64]);
      *reinterpret_cast<float4*>(y) = *reinterpret_cast<const float4*>(&buffer.b[side][k][column]);
      *reinterpret_cast<float4*>(y + 4) = *reinterpret_cast<const float4*>(&buffer.b[side][k][column + 64]);
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] = fmaf(x[i], y[j], sum[i][j]);
      }
    }
    // The other side was last read before the barrier that ended the step before.
    if (more) keep(side ^ 1);
    __syncthreads();
    side ^= 1;
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int r = row0 + row + i % 4 + i / 4 * 64, c = column0 + column + j % 4 + j / 4 * 64;
      if (r < rows && c < columns) store(r, c, sum[i][j]);
    }
  }
}

}  // namespace palstudy::PALSTUDY_DEVICE_SPACE
