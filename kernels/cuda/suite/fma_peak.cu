// SPDX-License-Identifier: MIT
#include "kernels/cuda/device.hpp"
#include "kernels/suite/fma_peak.hpp"

namespace palstudy {
namespace PALSTUDY_DEVICE_SPACE {
namespace {

constexpr int chains = 8;

__global__ void __launch_bounds__(block_threads) fma_peak(const float* start, float* result, int steps) {
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * (block_threads * chains) + threadIdx.x;
  float x[chains];
#pragma unroll
  for (int i = 0; i < chains; ++i) x[i] = start[first + i * block_threads];
#pragma unroll 16
  for (int k = 0; k < steps; ++k) {
#pragma unroll
    for (int i = 0; i < chains; ++i) x[i] = fmaf(x[i], fma_factor, fma_addend);
  }
#pragma unroll
  for (int i = 0; i < chains; ++i) result[first + i * block_threads] = x[i];
}

}  // namespace
}  // namespace PALSTUDY_DEVICE_SPACE

void PALSTUDY_REGISTER_CUDA(fma_peak)(CudaKernelRegistry& registry) {
  using namespace PALSTUDY_DEVICE_SPACE;
  static_assert(block_threads * chains == fma_chains_per_block);
  registry.add({"fma-peak", "", {}, [](const ParamValues& params, const std::vector<void*>& arrays, void* stream) {
                  const unsigned blocks =
                      blocks_for(static_cast<std::size_t>(params.number("chains")), block_threads * chains);
                  const auto steps = static_cast<int>(params.number("steps"));
                  return CudaLaunch([=] {
                    launch(fma_peak, dim3(blocks), dim3(block_threads), 0, stream, array<float>(arrays, 0),
                           array<float>(arrays, 1), steps);
                  });
                }});
}

}  // namespace palstudy
