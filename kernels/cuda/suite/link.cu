// SPDX-License-Identifier: MIT
#include "kernels/cuda/device.hpp"

namespace palstudy {

void PALSTUDY_REGISTER_CUDA(link)(CudaKernelRegistry& registry) {
  registry.add({"link", "", {}, [](const ParamValues& params, const std::vector<void*>& arrays, void* stream) {
                  const std::size_t bytes = static_cast<std::size_t>(params.number("kib")) * 1024;
                  return CudaLaunch(
                      [=] { PALSTUDY_DEVICE_SPACE::copy_on_device(arrays[1], arrays[0], bytes, stream); });
                }});
}

}  // namespace palstudy
