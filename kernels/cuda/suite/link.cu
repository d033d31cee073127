// SPDX-License-Identifier: MIT
#include "kernels/cuda/device.hpp"

namespace palstudy {

void PALSTUDY_REGISTER_CUDA(link)(CudaKernelRegistry& registry) {
  registry.add({"link", "", {}, [](const ParamValues& params, const std::vector<void*>& arrays, void* stream) {
                  const std::size_t bytes = static_cast<std::size_t>(params.number("kib")) * 1024;
#ifdef PALSTUDY_EMULATE
                  (void)stream;
                  return CudaLaunch([=] { std::memcpy(arrays[1], arrays[0], bytes); });
#else
                  return CudaLaunch([=] {
                    check_cuda(cudaMemcpyAsync(arrays[1], arrays[0], bytes, cudaMemcpyDeviceToDevice,
                                               static_cast<cudaStream_t>(stream)),
                               "copy from memory to memory");
                  });
#endif
                }});
}

}  // namespace palstudy
