// SPDX-License-Identifier: MIT
#include "kernels/cuda/device.hpp"

namespace palstudy {
namespace PALSTUDY_DEVICE_SPACE {
namespace {

constexpr int lines = 8, most = 512;  // lines that a block transforms together; the longest
constexpr int registers = 8;          // complex values that a thread holds: one butterfly of 8, two of 4, four of 2

__device__ __forceinline__ float2 add(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }
__device__ __forceinline__ float2 subtract(float2 a, float2 b) { return make_float2(a.x - b.x, a.y - b.y); }
__device__ __forceinline__ float2 multiply(float2 a, float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__device__ __forceinline__ float2 times_minus_i(float2 a) { return make_float2(a.y, -a.x); }

/// The transform of R values in registers.
template <int R>
__device__ __forceinline__ void butterfly(float2* v);

template <>
__device__ __forceinline__ void butterfly<2>(float2* v) {
  const float2 a = v[0];
  v[0] = add(a, v[1]);
  v[1] = subtract(a, v[1]);
}
template <>
__device__ __forceinline__ void butterfly<4>(float2* v) {
  const float2 a = add(v[0], v[2]), b = subtract(v[0], v[2]), c = add(v[1], v[3]);
  const float2 d = times_minus_i(subtract(v[1], v[3]));
  v[0] = add(a, c);
  v[1] = add(b, d);
  v[2] = subtract(a, c);
  v[3] = subtract(b, d);
}
template <>
__device__ __forceinline__ void butterfly<8>(float2* v) {
  constexpr float s = 0.70710678F;
  float2 even[4] = {v[0], v[2], v[4], v[6]}, odd[4] = {v[1], v[3], v[5], v[7]};
  butterfly<4>(even);
  butterfly<4>(odd);
  odd[1] = multiply(odd[1], make_float2(s, -s));
  odd[2] = times_minus_i(odd[2]);
  odd[3] = multiply(odd[3], make_float2(-s, -s));
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    v[i] = add(even[i], odd[i]);
    v[i + 4] = subtract(even[i], odd[i]);
  }
}

/// Where a block keeps point i of a line: contiguous along what neighbouring threads differ in.
template <bool along_x>
__device__ __forceinline__ int at(int line, int i, int n) {
  return along_x ? line * (n + 1) + i : i * lines + line;
}

/// A step of Stockham's transform with radix R, after steps that did `done` points of each line.
template <int R, bool along_x>
__device__ __forceinline__ void step(float2* points, const float2* roots, int n, int done) {
  constexpr int each = registers / R;
  const int thread = static_cast<int>(threadIdx.x), threads = static_cast<int>(blockDim.x), part = n / R;
  float2 v[registers];
#pragma unroll
  for (int q = 0; q < each; ++q) {
    const int item = thread + q * threads;
    const int line = along_x ? item / part : item % lines, j = along_x ? item % part : item / lines;
    const int turn = j % done * (part / done);
#pragma unroll
    for (int r = 0; r < R; ++r) v[q * R + r] = multiply(points[at<along_x>(line, j + r * part, n)], roots[r * turn]);
    butterfly<R>(v + q * R);
  }
  __syncthreads();
#pragma unroll
  for (int q = 0; q < each; ++q) {
    const int item = thread + q * threads;
    const int line = along_x ? item / part : item % lines, j = along_x ? item % part : item / lines;
    const int place = j / done * done * R + j % done;
#pragma unroll
    for (int r = 0; r < R; ++r) points[at<along_x>(line, place + r * done, n)] = v[q * R + r];
  }
  __syncthreads();
}

struct Pass {
  const float2* from;
  float2* to;
  const float2* roots;
  int n, axis;
};

/// Position in the cube of point i of a line.
__device__ __forceinline__ std::size_t position(const Pass& pass, std::size_t line, int i) {
  const std::size_t n = static_cast<std::size_t>(pass.n), place = static_cast<std::size_t>(i);
  if (pass.axis == 0) return line * n + place;
  if (pass.axis == 1) return line / n * n * n + line % n + place * n;
  return line + place * n * n;
}

/// Eight lines along one axis, by as many threads as a line has points.
template <bool along_x>
__global__ void __launch_bounds__(most) transform(Pass pass) {
  __shared__ float2 points[lines * (most + 1)];
  const int n = pass.n, threads = static_cast<int>(blockDim.x);
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * lines, all = static_cast<std::size_t>(n) * n;
  for (int e = static_cast<int>(threadIdx.x); e < n * lines; e += threads) {
    const int line = along_x ? e / n : e % lines, i = along_x ? e % n : e / lines;
    if (first + line < all) points[at<along_x>(line, i, n)] = pass.from[position(pass, first + line, i)];
  }
  __syncthreads();
  int done = 1;
  for (; n / done >= 8; done *= 8) step<8, along_x>(points, pass.roots, n, done);
  if (n / done == 4) step<4, along_x>(points, pass.roots, n, done);
  if (n / done == 2) step<2, along_x>(points, pass.roots, n, done);
  for (int e = static_cast<int>(threadIdx.x); e < n * lines; e += threads) {
    const int line = along_x ? e / n : e % lines, i = along_x ? e % n : e / lines;
    if (first + line < all) pass.to[position(pass, first + line, i)] = points[at<along_x>(line, i, n)];
  }
}

}  // namespace
}  // namespace PALSTUDY_DEVICE_SPACE

void PALSTUDY_REGISTER_CUDA(fft3d)(CudaKernelRegistry& registry) {
  using namespace PALSTUDY_DEVICE_SPACE;
  registry.add({"fft3d", "", {}, [](const ParamValues& params, const std::vector<void*>& arrays, void* stream) {
                  const auto n = static_cast<int>(params.number("n"));
                  const dim3 grid(blocks_for(static_cast<std::size_t>(n) * n, lines)), block(n);
                  const float2 *in = array<float2>(arrays, 0), *roots = array<float2>(arrays, 1);
                  float2* out = array<float2>(arrays, 2);
                  return CudaLaunch([=] {
                    launch(transform<true>, grid, block, 0, stream, Pass{in, out, roots, n, 0});
                    launch(transform<false>, grid, block, 0, stream, Pass{out, out, roots, n, 1});
                    launch(transform<false>, grid, block, 0, stream, Pass{out, out, roots, n, 2});
                  });
                }});
}

}  // namespace palstudy
