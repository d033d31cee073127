// SPDX-License-Identifier: MIT
#include "kernels/cuda/device.hpp"

namespace palstudy {
namespace PALSTUDY_DEVICE_SPACE {
namespace {

constexpr int words = 8, legs = 64;  // as in the twin

// A chain a block, and one thread of it: the threads of a warp would wait for the slowest of 32 loads.
__global__ void chase(const std::uint32_t* next, const std::uint32_t* start, std::uint32_t* end, int hops) {
  const std::size_t chain = blockIdx.x;
  std::uint32_t at = start[chain];
  for (int leg = 0; leg < legs; ++leg) {
    for (int i = 0; i < hops / legs; ++i) at = next[static_cast<std::size_t>(at) * words];
    end[chain * legs + static_cast<std::size_t>(leg)] = at;
  }
}

}  // namespace
}  // namespace PALSTUDY_DEVICE_SPACE

void PALSTUDY_REGISTER_CUDA(chase)(CudaKernelRegistry& registry) {
  using namespace PALSTUDY_DEVICE_SPACE;
  registry.add({"chase", "", {}, [](const ParamValues& params, const std::vector<void*>& arrays, void* stream) {
                  const auto chains = static_cast<unsigned>(params.number("chains"));
                  const auto hops = static_cast<int>(params.number("hops")) / static_cast<int>(chains);
                  return CudaLaunch([=] {
                    launch(chase, dim3(chains), dim3(1), 0, stream, array<std::uint32_t>(arrays, 0),
                           array<std::uint32_t>(arrays, 1), array<std::uint32_t>(arrays, 2), hops);
                  });
                }});
}

}  // namespace palstudy
