// SPDX-License-Identifier: MIT
#include "kernels/cuda/device.hpp"

namespace palstudy {
namespace PALSTUDY_DEVICE_SPACE {
namespace {

struct Axis {
  int place[4];
  float weight[4];
};

/// The four points around a coordinate on a circle of n, and the values there of their Lagrange polynomials.
__device__ __forceinline__ Axis around(float coordinate, int n) {
  const int cell = static_cast<int>(coordinate);
  const float t = coordinate - static_cast<float>(cell);
  const float below = t + 1, above = t - 1, far = t - 2, inner = t * above, outer = below * far;
  Axis axis = {{cell == 0 ? n - 1 : cell - 1, cell, cell + 1 < n ? cell + 1 : cell + 1 - n,
                cell + 2 < n ? cell + 2 : cell + 2 - n},
               {inner * far * (-1.0F / 6), outer * above * 0.5F, outer * t * -0.5F, inner * below * (1.0F / 6)}};
  return axis;
}

__global__ void __launch_bounds__(block_threads) interp3d(const float* field, const float* x, const float* y,
                                                          const float* z, float* out, int n, std::size_t points) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * block_threads + threadIdx.x;
  if (i >= points) return;
  const Axis ax = around(x[i], n), ay = around(y[i], n), az = around(z[i], n);
  float sum = 0;
#pragma unroll
  for (int c = 0; c < 4; ++c) {
    float plane = 0;
#pragma unroll
    for (int b = 0; b < 4; ++b) {
      const float* row = field + (static_cast<std::size_t>(az.place[c]) * n + ay.place[b]) * n;
      float line = 0;
#pragma unroll
      for (int a = 0; a < 4; ++a) line = fmaf(ax.weight[a], __ldg(row + ax.place[a]), line);
      plane = fmaf(ay.weight[b], line, plane);
    }
    sum = fmaf(az.weight[c], plane, sum);
  }
  out[i] = sum;
}

}  // namespace
}  // namespace PALSTUDY_DEVICE_SPACE

void PALSTUDY_REGISTER_CUDA(interp3d)(CudaKernelRegistry& registry) {
  using namespace PALSTUDY_DEVICE_SPACE;
  registry.add({"interp3d", "", {}, [](const ParamValues& params, const std::vector<void*>& arrays, void* stream) {
                  const auto n = static_cast<int>(params.number("n"));
                  const std::size_t points = static_cast<std::size_t>(n) * n * n;
                  return CudaLaunch([=] {
                    launch(interp3d, dim3(blocks_for(points, block_threads)), dim3(block_threads), 0, stream,
                           array<float>(arrays, 0), array<float>(arrays, 1), array<float>(arrays, 2),
                           array<float>(arrays, 3), array<float>(arrays, 4), n, points);
                  });
                }});
}

}  // namespace palstudy
