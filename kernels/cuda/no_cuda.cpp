// SPDX-License-Identifier: MIT
#include "kernels/cuda/cuda_backend.hpp"

namespace palstudy {
namespace {

Error absent() {
  return usage_error("this build has no CUDA", "--backend cuda",
                     "build where nvcc is on the PATH, or take --backend host");
}

}  // namespace

int count_cuda_devices() { return 0; }

DeviceInfo cuda_device_info(int) { throw absent(); }

bool has_cuda_kernel(const std::string&) { return false; }

std::unique_ptr<Runner> make_cuda_runner(const KernelEntry&, const ParamValues&, const RunnerOptions&) {
  throw absent();
}

}  // namespace palstudy
