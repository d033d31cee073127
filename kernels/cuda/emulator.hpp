// SPDX-License-Identifier: MIT
#pragma once

// Enough of CUDA for our kernels to run on a CPU, for tests at small sizes: blocks one after the other, the threads of
// a block as fibers that take turns at barriers (tests/kernels/emulator/fibers.cpp), or as threads that really run at
// the same time (threads.cpp there). It knows nothing of warps but shuffles, nor of memory that is not coherent.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <source_location>

#include "kernels/cuda/device_limits.hpp"
#include "kernels/half.hpp"

#define __global__
#define __device__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __shared__ static

namespace palstudy::emulated {

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
  constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
struct alignas(8) float2 {
  float x, y;
};
struct alignas(16) float4 {
  float x, y, z, w;
};
inline float2 make_float2(float x, float y) { return {x, y}; }
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }

extern constinit thread_local dim3 threadIdx;
extern dim3 blockIdx, blockDim, gridDim;

/// The GPU that is emulated; a test may set another.
extern DeviceLimits emulated_limits;
inline DeviceLimits device_limits() { return emulated_limits; }
/// What is done with work given to a stream: done at once, unless a test has set something else.
extern std::function<void(void* stream, std::function<void()> work)> enqueue;

/// Waits until every thread of the block that has not ended is here. The place tells barriers apart.
void __syncthreads(std::source_location place = std::source_location::current());
void __syncwarp(std::source_location place = std::source_location::current());
/// Runs a block's worth of `thread`, for every block of the grid.
void run_grid(dim3 grid, dim3 block, std::size_t shared, const std::function<void()>& thread);
/// The block's dynamic shared memory.
std::byte* dynamic_shared();
/// Exchanges a value within a group of `width` threads of consecutive numbers, all of which call it.
float shuffle(float value, unsigned lane, unsigned width);

inline unsigned thread_number() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
inline float __shfl_xor_sync(unsigned, float value, int mask, int width = 32) {
  return shuffle(value, (thread_number() % 32) ^ static_cast<unsigned>(mask), static_cast<unsigned>(width));
}
inline float atomicAdd(float* place, float value) {
  return std::atomic_ref<float>(*place).fetch_add(value, std::memory_order_relaxed);
}
template <class T>
T __ldg(const T* place) {
  return *place;
}
inline float rsqrtf(float x) { return 1 / std::sqrt(x); }
using std::erf;
using std::exp;
using std::fma;
inline float fmaf(float x, float y, float z) { return std::fma(x, y, z); }
inline float fmaxf(float x, float y) { return std::max(x, y); }
inline float expf(float x) { return std::exp(x); }
inline float erff(float x) { return std::erf(x); }

template <class... Params, class... Args>
void launch(void (*kernel)(Params...), dim3 grid, dim3 block, std::size_t shared, void* stream, Args... args) {
  enqueue(stream, [=] { run_grid(grid, block, shared, [=] { kernel(static_cast<Params>(args)...); }); });
}
inline void copy_on_device(void* to, const void* from, std::size_t bytes, void* stream) {
  enqueue(stream, [=] { std::memcpy(to, from, bytes); });
}
/// A test may count the shared memory that kernels ask for.
extern std::function<void(std::size_t bytes)> on_shared;
template <class Kernel>
void allow_shared(Kernel*, std::size_t bytes) {
  if (on_shared) on_shared(bytes);
}
/// Copies 16 bytes. A GPU does so at any time before the thread has waited for the copy.
void copy_async(void* shared, const void* global);
void commit_copies();
void wait_copies_but(std::size_t groups);
template <int n>
void wait_copies() {
  wait_copies_but(n);
}
template <class T>
inline constexpr bool has_tensor_type = true;

struct __nv_bfloat16 {
  std::uint16_t bits;
};
struct __half {
  std::uint16_t bits;
};
inline float widen(__nv_bfloat16 value) { return from_bf16(value.bits); }
inline float widen(__half value) { return from_fp16(value.bits); }

namespace nvcuda::wmma {
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
enum layout_t { mem_row_major };

/// Every thread of a warp holds the whole 16 x 16 tile, and does the same with it.
template <class Use, int, int, int, class T, class Layout = void>
struct fragment {
  float x[16][16];
};
template <class Fragment>
void fill_fragment(Fragment& f, float value) {
  std::fill_n(&f.x[0][0], 256, value);
}
template <class Fragment, class T>
void load_matrix_sync(Fragment& f, const T* from, unsigned stride) {
  for (unsigned i = 0; i < 16; ++i) {
    for (unsigned j = 0; j < 16; ++j) f.x[i][j] = widen(from[i * stride + j]);
  }
}
template <class C, class A, class B>
void mma_sync(C& d, const A& a, const B& b, const C& c) {
  if (thread_number() % 32 != 0) return;  // the others' copies are never stored
  C sum = c;
  for (int i = 0; i < 16; ++i) {
    for (int k = 0; k < 16; ++k) {
      for (int j = 0; j < 16; ++j) sum.x[i][j] += a.x[i][k] * b.x[k][j];
    }
  }
  d = sum;
}
template <class Fragment>
void store_matrix_sync(float* to, const Fragment& f, unsigned stride, layout_t) {
  if (thread_number() % 32 != 0) return;
  for (unsigned i = 0; i < 16; ++i) std::copy_n(f.x[i], 16, to + i * stride);
}
}  // namespace nvcuda::wmma

template <class Fragment, class T>
void load_shared(Fragment& tile, const T* from, unsigned stride) {
  nvcuda::wmma::load_matrix_sync(tile, from, stride);
}

}  // namespace palstudy::emulated
