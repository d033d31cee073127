// SPDX-License-Identifier: MIT
#include "kernels/cuda/device.hpp"

namespace palstudy {
namespace PALSTUDY_DEVICE_SPACE {
namespace {

constexpr int words = 8, legs = 64;  // as in the twin

__global__ void chase(const std::uint32_t* next, std::uint32_t* end, int hops) {
  std::uint32_t at = 0;
  for (int leg = 0; leg < legs; ++leg) {
    for (int i = 0; i < hops / legs; ++i) at = next[static_cast<std::size_t>(at) * words];
    end[leg] = at;
  }
}

}  // namespace
}  // namespace PALSTUDY_DEVICE_SPACE

void PALSTUDY_REGISTER_CUDA(chase)(CudaKernelRegistry& registry) {
  using namespace PALSTUDY_DEVICE_SPACE;
  registry.add({"chase", "", {}, [](const ParamValues& params, const std::vector<void*>& arrays, void* stream) {
                  const auto hops = static_cast<int>(params.number("hops"));
                  return CudaLaunch([=] {
                    launch(chase, dim3(1), dim3(1), 0, stream, array<std::uint32_t>(arrays, 0),
                           array<std::uint32_t>(arrays, 1), hops);
                  });
                }});
}

}  // namespace palstudy
