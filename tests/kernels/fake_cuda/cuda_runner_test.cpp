// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cstring>

#include "core/error.hpp"
#include "fake_cuda.hpp"
#include "kernels/cuda/cuda_backend.hpp"
#include "kernels/cuda/emulator.hpp"
#include "kernels/runner.hpp"
#include "kernels/small_kernels.hpp"
#include "kernels/transfer_buffer.hpp"
#include "message_of.hpp"

namespace palstudy {

// cuda_runner.cu is compiled with cuda_runtime.h of this folder, the kernels that run on the CPU, and no library's.
void register_no_kernels(CudaKernelRegistry&) {}

namespace {

/// Two pretended GPUs; what a test changes is set back.
class CudaRunners : public testing::Test {
 protected:
  CudaRunners() {
    fake_gpus.devices = 2;
    emulated::enqueue = enqueue_on_fake_stream;
  }
  ~CudaRunners() override {
    fake_gpus = {};
    emulated::enqueue = [](void*, const std::function<void()>& work) { work(); };
    emulated::emulated_limits = h100_;
  }
  static std::unique_ptr<Runner> make(const std::string& name, std::map<std::string, std::string> sizes = {}) {
    const KernelEntry& kernel = kernels().at(name);
    if (sizes.empty()) sizes = small_sizes().at(name);
    return make_runner(Backend::cuda, kernel, kernel_params(kernel, Backend::host, sizes));
  }
  /// How a kernel is refused, "" if it is not.
  static std::string refusal(const std::string& name, const std::map<std::string, std::string>& sizes) {
    return message_or_none(ErrorCode::usage, [&] { (void)make(name, sizes); });
  }

 private:
  DeviceLimits h100_ = emulated::emulated_limits;
};

// Every copy, fill and launch of a runner goes through its stream: none is done here before somebody waits for the
// stream that it was given to, so inputs that came by another one would not be there, and outputs not yet.
TEST_F(CudaRunners, EveryKernelIsRightThoughStreamsWait) {
  for (const auto& [name, sizes] : small_sizes()) {
    const auto runner = make(name, sizes);
    const Verdict verdict = runner->check();
    EXPECT_TRUE(verdict.passed()) << name << ": " << verdict.error << " " << verdict.worst;
  }
}

// A launch of `link` takes a millisecond of the pretended clock: three of them three, between the events of each batch.
TEST_F(CudaRunners, BatchesAreTimedByEventsAroundThem) {
  const auto runner = make("link");
  const auto seconds = runner->batches(4, 3);
  ASSERT_EQ(seconds.size(), 4U);
  for (const double s : seconds) EXPECT_NEAR(s, 3e-3, 1e-4);
}

// A block of gemm-tc takes 27,136 bytes of shared memory a stage: four stages on an A100 or H100, three where a block
// can have 99 KiB (8.6, 8.9) or 96 KiB (7.0), two in the 64 KiB of 7.5. All of them are right.
TEST_F(CudaRunners, TensorCoreProductFitsEveryGpu) {
  struct Gpu {
    DeviceLimits limits;
    std::string type;
  };
  for (const Gpu& gpu : {Gpu{{80, 166'912}, "bf16"}, Gpu{{86, 101'376}, "bf16"}, Gpu{{89, 101'376}, "fp16"},
                         Gpu{{75, 65'536}, "fp16"}, Gpu{{70, 98'304}, "fp16"}}) {
    emulated::emulated_limits = gpu.limits;
    std::size_t most = 0;
    emulated::on_shared = [&](std::size_t bytes) { most = std::max(most, bytes); };
    const auto runner = make("gemm-tc", {{"n", "256"}, {"type", gpu.type}});
    const Verdict verdict = runner->check();
    emulated::on_shared = nullptr;
    EXPECT_TRUE(verdict.passed()) << gpu.limits.capability << ": " << verdict.error << " " << verdict.worst;
    EXPECT_GT(most, 0U);
    EXPECT_LE(most, gpu.limits.shared_bytes) << gpu.limits.capability;
  }
}

// bfloat16 came with 8.0; before, the refusal says what can be had. What has too little shared memory is refused too.
TEST_F(CudaRunners, TensorCoreProductSaysWhatItNeeds) {
  emulated::emulated_limits = {75, 65'536};
  EXPECT_EQ(refusal("gemm-tc", {{"n", "256"}, {"type", "fp16"}}), "");
  const std::string bf16 = refusal("gemm-tc", {{"n", "256"}, {"type", "bf16"}});
  EXPECT_NE(bf16.find("compute capability 8.0"), std::string::npos) << bf16;
  EXPECT_NE(bf16.find("gemm-tc.type=fp16"), std::string::npos) << bf16;
  emulated::emulated_limits = {60, 65'536};
  EXPECT_NE(refusal("gemm-tc", {{"n", "256"}, {"type", "fp16"}}).find("capability 7.0"), std::string::npos);
  emulated::emulated_limits = {75, 49'152};
  EXPECT_NE(refusal("gemm-tc", {{"n", "256"}, {"type", "fp16"}}).find("49152"), std::string::npos);
}

TEST_F(CudaRunners, ProblemThatDoesNotFitIsRefused) {
  fake_gpus.free_bytes = 1000;
  EXPECT_NE(refusal("triad", {{"n", "4100"}}).find("triad"), std::string::npos);
}

// A kernel that fails while it runs is an error of that kernel, and the next one runs.
TEST_F(CudaRunners, KernelThatFailsIsAnError) {
  const auto runner = make("triad");
  fake_gpus.failing_waits = 1;
  EXPECT_NE(message_of(ErrorCode::fault, [&] { (void)runner->batches(1, 1); }).find("launch failure"),
            std::string::npos);
  EXPECT_TRUE(make("sgemm")->check().passed());
}

// What was copied is there when the call returns, and peer copies arrive.
TEST_F(CudaRunners, TransfersWaitForTheirCopies) {
  const auto buffers = make_device_buffers(0, 64);
  using Which = DeviceBuffers::Which;
  std::memset(buffers->on_host(Which::sent), 7, 64);
  buffers->to_device(Which::sent, 64);
  EXPECT_EQ(buffers->on_device(Which::sent)[63], std::byte{7});
  std::memset(buffers->on_device(Which::received), 9, 64);
  buffers->to_host(Which::received, 64);
  EXPECT_EQ(buffers->on_host(Which::received)[63], std::byte{9});
  double error = 1;
  EXPECT_GT(peer_copy_s("0000:00:00.0", "0000:01:00.0", 1 << 16, error), 0);
  EXPECT_EQ(error, 0);
}

}  // namespace
}  // namespace palstudy
