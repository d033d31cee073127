// SPDX-License-Identifier: MIT
#include "kernels/cuda/gemm_tile.hpp"

namespace palstudy {
namespace PALSTUDY_DEVICE_SPACE {
namespace {

/// The convolution as the product of [out][in x 9] weights and a matrix [in x 9][batch x side x side] of the image that
/// exists in no memory: its elements are read from the image as they are wanted.
__global__ void __launch_bounds__(tile_threads, 2)
    conv3x3(const float* image, const float* weights, float* result, int batch, int in, int out, int side) {
  __shared__ GemmBuffer buffer;
  const int plane = side * side, depth = in * 9;
  gemm_tile<true, false>(
      buffer, out, batch * plane, depth, static_cast<int>(blockIdx.y) * tile, static_cast<int>(blockIdx.x) * tile,
      [=](int k, int i) { return __ldg(weights + (static_cast<unsigned>(k) * depth + i)); },
      [=](int i, int position) {
        const int n = position / plane, place = position % plane, c = i / 9, tap = i % 9;
        const int y = place / side + tap / 3 - 1, x = place % side + tap % 3 - 1;
        if (y < 0 || y >= side || x < 0 || x >= side) return 0.0F;
        return __ldg(image + (static_cast<std::size_t>(n) * in + c) * plane + y * side + x);
      },
      [=](int k, int position, float value) {
        const int n = position / plane, place = position % plane;
        result[(static_cast<std::size_t>(n) * out + k) * plane + place] = value;
      });
}

}  // namespace
}  // namespace PALSTUDY_DEVICE_SPACE

void PALSTUDY_REGISTER_CUDA(conv3x3)(CudaKernelRegistry& registry) {
  using namespace PALSTUDY_DEVICE_SPACE;
  registry.add({"conv3x3", "", {}, [](const ParamValues& params, const std::vector<void*>& arrays, void* stream) {
                  const auto of = [&](const char* name) { return static_cast<int>(params.number(name)); };
                  const int batch = of("batch"), in = of("in"), out = of("out"), side = of("side");
                  const dim3 grid(blocks_for(static_cast<std::size_t>(batch) * side * side, tile),
                                  blocks_for(out, tile));
                  return CudaLaunch([=] {
                    launch(conv3x3, grid, dim3(tile_threads), 0, stream, array<float>(arrays, 0),
                           array<float>(arrays, 1), array<float>(arrays, 2), batch, in, out, side);
                  });
                }});
}

}  // namespace palstudy
