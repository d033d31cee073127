// SPDX-License-Identifier: MIT
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/runner.hpp"

namespace palstudy {

/// Plain C++, so that the rest of the library needs no CUDA header. A build without CUDA has no_cuda.cpp behind it.
[[nodiscard]] int count_cuda_devices();
[[nodiscard]] DeviceInfo cuda_device_info(int device);
[[nodiscard]] bool has_cuda_kernel(const std::string& name);
[[nodiscard]] std::unique_ptr<Runner> make_cuda_runner(const KernelEntry& kernel, const ParamValues& params,
                                                       const RunnerOptions& options);

/// Enqueues one launch.
using CudaLaunch = std::function<void()>;
/// Prepares a kernel on the arrays that a device holds (in the order of the problem's specs) and a cudaStream_t.
using MakeCudaLaunch = std::function<CudaLaunch(const ParamValues&, const std::vector<void*>& arrays, void* stream)>;
using CudaKernelRegistry = Registry<MakeCudaLaunch>;

}  // namespace palstudy
