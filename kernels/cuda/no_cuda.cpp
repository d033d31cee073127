// SPDX-License-Identifier: MIT
#include <limits>

#include "kernels/cuda/cuda_backend.hpp"
#include "kernels/transfer_buffer.hpp"

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

std::unique_ptr<DeviceBuffers> make_device_buffers(int, std::size_t) { throw absent(); }

double peer_copy_s(const std::string&, const std::string&, std::size_t, double& error) {
  error = std::numeric_limits<double>::quiet_NaN();
  return error;
}

}  // namespace palstudy
