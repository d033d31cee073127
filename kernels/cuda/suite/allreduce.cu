// SPDX-License-Identifier: MIT
#include "kernels/cuda/device.hpp"

namespace palstudy {
namespace PALSTUDY_DEVICE_SPACE {
namespace {

/// One thread per element: sums it over the ranks' arrays and gives it to each.
__global__ void __launch_bounds__(block_threads)
    allreduce(const float* gradients, float* sums, int ranks, std::size_t n) {
  const std::size_t i = static_cast<std::size_t>(blockIdx.x) * block_threads + threadIdx.x;
  if (i >= n) return;
  float sum = gradients[i];
  for (int rank = 1; rank < ranks; ++rank) sum += gradients[rank * n + i];
  for (int rank = 0; rank < ranks; ++rank) sums[rank * n + i] = sum;
}

}  // namespace
}  // namespace PALSTUDY_DEVICE_SPACE

void PALSTUDY_REGISTER_CUDA(allreduce)(CudaKernelRegistry& registry) {
  using namespace PALSTUDY_DEVICE_SPACE;
  registry.add({"allreduce", "", {}, [](const ParamValues& params, const std::vector<void*>& arrays, void* stream) {
                  const auto ranks = static_cast<int>(params.number("ranks"));
                  const auto n = static_cast<std::size_t>(params.number("n"));
                  return CudaLaunch([=] {
                    launch(allreduce, dim3(blocks_for(n, block_threads)), dim3(block_threads), 0, stream,
                           array<float>(arrays, 0), array<float>(arrays, 1), ranks, n);
                  });
                }});
}

}  // namespace palstudy
