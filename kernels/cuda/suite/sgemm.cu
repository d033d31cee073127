// SPDX-License-Identifier: MIT
#include "kernels/cuda/gemm_tile.hpp"

namespace palstudy {
namespace PALSTUDY_DEVICE_SPACE {
namespace {

__global__ void __launch_bounds__(tile_threads, 2) sgemm(const float* a, const float* b, float* c, int n) {
  __shared__ GemmBuffer buffer;
  const unsigned width = static_cast<unsigned>(n);  // width x width fits 32 bits, which saves registers
  gemm_tile<true, false>(
      buffer, n, n, n, static_cast<int>(blockIdx.y) * tile, static_cast<int>(blockIdx.x) * tile,
      [=](int row, int k) { return __ldg(a + (row * width + k)); },
      [=](int k, int column) { return __ldg(b + (k * width + column)); },
      [=](int row, int column, float value) { c[row * width + column] = value; });
}

}  // namespace
}  // namespace PALSTUDY_DEVICE_SPACE

void PALSTUDY_REGISTER_CUDA(sgemm)(CudaKernelRegistry& registry) {
  using namespace PALSTUDY_DEVICE_SPACE;
  registry.add({"sgemm", "", {}, [](const ParamValues& params, const std::vector<void*>& arrays, void* stream) {
                  const auto n = static_cast<int>(params.number("n"));
                  const unsigned tiles = blocks_for(n, tile);
                  return CudaLaunch([=] {
                    launch(sgemm, dim3(tiles, tiles), dim3(tile_threads), 0, stream, array<float>(arrays, 0),
                           array<float>(arrays, 1), array<float>(arrays, 2), n);
                  });
                }});
}

}  // namespace palstudy
