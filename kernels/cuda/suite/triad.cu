// SPDX-License-Identifier: MIT
#include "kernels/cuda/device.hpp"

namespace palstudy {
namespace PALSTUDY_DEVICE_SPACE {
namespace {

constexpr int each = 4;  // float4s of a thread, a block's width apart

__global__ void __launch_bounds__(block_threads) triad(float4* a, const float4* b, const float4* c, std::size_t quads) {
  constexpr float factor = 0.42F;
  const std::size_t first = static_cast<std::size_t>(blockIdx.x) * (block_threads * each) + threadIdx.x;
  float4 left[each], right[each];
#pragma unroll
  for (int i = 0; i < each; ++i) {
    const std::size_t place = first + i * block_threads;
    if (place < quads) {
      left[i] = b[place];
      right[i] = c[place];
    }
  }
#pragma unroll
  for (int i = 0; i < each; ++i) {
    const std::size_t place = first + i * block_threads;
    if (place < quads) {
      a[place] = make_float4(left[i].x + factor * right[i].x, left[i].y + factor * right[i].y,
                             left[i].z + factor * right[i].z, left[i].w + factor * right[i].w);
    }
  }
}

}  // namespace
}  // namespace PALSTUDY_DEVICE_SPACE

void PALSTUDY_REGISTER_CUDA(triad)(CudaKernelRegistry& registry) {
  using namespace PALSTUDY_DEVICE_SPACE;
  registry.add({"triad", "", {}, [](const ParamValues& params, const std::vector<void*>& arrays, void* stream) {
                  const auto quads = static_cast<std::size_t>(params.number("n")) / 4;
                  return CudaLaunch([=] {
                    launch(triad, dim3(blocks_for(quads, block_threads * each)), dim3(block_threads), 0, stream,
                           array<float4>(arrays, 0), array<float4>(arrays, 1), array<float4>(arrays, 2), quads);
                  });
                }});
}

}  // namespace palstudy
