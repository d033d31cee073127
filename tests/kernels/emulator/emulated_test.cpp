// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

#include "kernels/cuda/cuda_backend.hpp"
#include "kernels/cuda/emulator.hpp"
#include "kernels/small_kernels.hpp"

namespace palstudy {

void register_emulated_kernels(CudaKernelRegistry& registry);  // generated

namespace {

const CudaKernelRegistry& emulated_kernels() {
  static const CudaKernelRegistry registry = [] {
    CudaKernelRegistry all("emulated kernel");
    register_emulated_kernels(all);
    return all;
  }();
  return registry;
}

// The device code of each kernel, run thread by thread on the CPU: its results are those of float64, at sizes that fill
// no tile evenly as well as at those that do.
Verdict run(const std::string& name, const std::map<std::string, std::string>& sizes, int launches = 1) {
  const ParamValues params = kernel_params(kernels().at(name), Backend::host, sizes);
  const auto problem = kernels().at(name).make.make(params);
  Arrays arrays(problem->arrays());
  problem->fill(arrays, 11);
  std::vector<void*> pointers;
  for (std::size_t i = 0; i < arrays.size(); ++i) pointers.push_back(arrays.bytes(i).data());
  const CudaLaunch launch = emulated_kernels().at(name).make(params, pointers, nullptr);
  for (int i = 0; i < launches; ++i) {
    arrays.poison_outputs();
    launch();
  }
  return problem->check(arrays);
}

TEST(Emulated, EveryKernelIsThere) {
  for (const auto& kernel : kernels().entries()) {
    if (!kernel.make.library.empty()) continue;
    EXPECT_EQ(emulated_kernels().at(kernel.name).name, kernel.name);
  }
}

TEST(Emulated, EveryKernelIsRight) {
  for (const auto& [name, sizes] : small_sizes()) {
    const Verdict verdict = run(name, sizes);
    EXPECT_TRUE(verdict.passed()) << name << ": " << verdict.error << " " << verdict.worst;
  }
}

// A launch leaves nothing behind that the next would trip over.
TEST(Emulated, EveryKernelIsRightAgain) {
  for (const auto& [name, sizes] : small_sizes()) {
    if (name == "gemm-tc") continue;  // keeps no state at all, and takes longest
    EXPECT_TRUE(run(name, sizes, 2).passed()) << name;
  }
}

TEST(Emulated, SizesAroundTheTile) {
  for (const char* n : {"1", "15", "16", "17", "127", "128", "129"}) {
    const Verdict verdict = run("sgemm", {{"n", n}});
    EXPECT_TRUE(verdict.passed()) << n << ": " << verdict.error << " " << verdict.worst;
  }
  for (const char* n : {"4", "1020", "4096", "8196"}) EXPECT_TRUE(run("triad", {{"n", n}}).passed()) << n;
}

// Radix 2, 4 and 8 last, and more than one of 8.
TEST(Emulated, EveryLengthOfTransform) {
  for (const char* n : {"2", "4", "8", "16", "32", "64"}) {
    const Verdict verdict = run("fft3d", {{"n", n}});
    EXPECT_TRUE(verdict.passed()) << n << ": " << verdict.error << " " << verdict.worst;
  }
}

TEST(Emulated, BothTypesOfTensorCores) {
  for (const char* type : {"bf16", "fp16"}) {
    const Verdict verdict = run("gemm-tc", {{"n", "256"}, {"type", type}});
    EXPECT_TRUE(verdict.passed()) << type << ": " << verdict.error << " " << verdict.worst;
  }
}

TEST(Emulated, LargerLayers) {
  EXPECT_TRUE(run("transformer", {{"hidden", "144"}, {"heads", "1"}, {"length", "140"}, {"batch", "1"}}).passed());
  EXPECT_TRUE(run("conv3x3", {{"batch", "3"}, {"in", "3"}, {"out", "130"}, {"side", "12"}}).passed());
  EXPECT_TRUE(run("pagerank", {{"scale", "8"}, {"edges", "64"}}).passed());
}

// The emulator itself: a barrier waits for all, threads that have ended are not waited for, and threads at different
// barriers for ever are found out.
TEST(Emulator, BarriersAndShuffles) {
  namespace gpu = emulated;
  std::vector<int> order;
  gpu::run_grid(gpu::dim3(1), gpu::dim3(70), 0, [&] {
    if (gpu::threadIdx.x == 3) return;
    order.push_back(1);
    gpu::__syncthreads();
    order.push_back(2);
  });
  EXPECT_EQ(order.size(), 2u * 69);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
  std::vector<float> got(64);
  gpu::run_grid(gpu::dim3(1), gpu::dim3(64), 0,
                [&] { got[gpu::threadIdx.x] = gpu::__shfl_xor_sync(~0U, static_cast<float>(gpu::threadIdx.x), 5); });
  for (unsigned i = 0; i < 64; ++i) EXPECT_EQ(got[i], static_cast<float>(i ^ 5U));
  EXPECT_THROW(gpu::run_grid(gpu::dim3(1), gpu::dim3(64), 0,
                             [] { gpu::threadIdx.x == 0 ? gpu::__syncwarp() : gpu::__syncthreads(); }),
               std::logic_error);
}

}  // namespace
}  // namespace palstudy
