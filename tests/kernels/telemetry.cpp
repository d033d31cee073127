// SPDX-License-Identifier: MIT
#include "kernels/telemetry.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <latch>

namespace palstudy {
namespace {

TEST(Telemetry, HostHasNoSensors) {
  NoTelemetry none;
  const TelemetrySample sample = none.sample();
  EXPECT_TRUE(std::isnan(sample.sm_mhz) && std::isnan(sample.power_mw) && std::isnan(sample.temp_c));
  EXPECT_EQ(sample.reasons, 0u);
  EXPECT_GT(sample.t_ns, 1'700'000'000'000'000'000U);  // after 2023: nanoseconds since 1970
}

// fake_nvml.cpp knows one GPU, and answers with numbers of its own.
TEST(Telemetry, NvmlByPciBusId) {
  const NvmlResult nvml = open_nvml("00000000:0F:00.0", PALSTUDY_FAKE_NVML);
  ASSERT_NE(nvml.source, nullptr) << nvml.problem;
  const TelemetrySample sample = nvml.source->sample();
  EXPECT_EQ(sample.sm_mhz, 1980);
  EXPECT_EQ(sample.mem_mhz, 2619);
  EXPECT_EQ(sample.power_mw, 512'000);
  EXPECT_EQ(sample.temp_c, 61);
  EXPECT_EQ(sample.energy_mj, 123'456'789'012);
  EXPECT_EQ(sample.reasons, 0x4u);  // by the function's old name
}

// A process that comes while the sensors are read is counted from then on, and one that goes no longer. Ranks of the
// same measurement are none of the others.
TEST(Telemetry, CountsOtherProcessesWhenTheyCome) {
  void* library = dlopen(PALSTUDY_FAKE_NVML, RTLD_NOW);
  ASSERT_NE(library, nullptr);
  auto* set = reinterpret_cast<void (*)(unsigned others, unsigned own)>(dlsym(library, "fakeNvmlProcesses"));
  ASSERT_NE(set, nullptr);
  const auto watch = [](std::vector<unsigned> own) {
    return open_nvml("00000000:0F:00.0", PALSTUDY_FAKE_NVML, {std::move(own), 0}).source;
  };
  const auto this_process = static_cast<unsigned>(getpid());
  const auto source = watch({});
  for (const unsigned others : {0U, 1U, 100U, 0U}) {
    set(others, 0);
    EXPECT_EQ(source->sample().other_processes, others);
  }
  set(3, 0);  // their ids are 1, 2, 3
  EXPECT_EQ(watch({this_process, 2, 3})->sample().other_processes, 1U);
  // In a container this process is listed by an id that it does not know: one of those listed has to be it.
  set(0, 4711);
  EXPECT_EQ(source->sample().other_processes, 0U);
  set(2, 4711);
  EXPECT_EQ(source->sample().other_processes, 2U);
  set(1, 0);
  // The list is not asked for more often than was said.
  const auto seldom = open_nvml("00000000:0F:00.0", PALSTUDY_FAKE_NVML, {{}, 3600}).source;
  EXPECT_EQ(seldom->sample().other_processes, 1U);
  set(5, 0);
  EXPECT_EQ(seldom->sample().other_processes, 1U);
  set(1, 0);
  dlclose(library);
}

TEST(Telemetry, SaysWhyThereIsNone) {
  EXPECT_EQ(open_nvml("00000000:0F:00.0", "libno-such-library.so").source, nullptr);
  EXPECT_NE(open_nvml("00000000:0F:00.0", "libno-such-library.so").problem.find("libno-such-library"),
            std::string::npos);
  const NvmlResult other = open_nvml("00000000:10:00.0", PALSTUDY_FAKE_NVML);
  EXPECT_EQ(other.source, nullptr);
  EXPECT_NE(other.problem.find("00000000:10:00.0"), std::string::npos);
  const NvmlResult not_nvml = open_nvml("00000000:0F:00.0", "libm.so.6");
  EXPECT_EQ(not_nvml.source, nullptr);
  EXPECT_NE(not_nvml.problem.find("not NVML"), std::string::npos);
}

/// Counts, and says when it was asked often enough.
class Counting : public TelemetrySource {
 public:
  [[nodiscard]] TelemetrySample sample() override {
    TelemetrySample sample;
    sample.temp_c = static_cast<double>(asked_++);
    if (asked_ == 5) enough.count_down();
    return sample;
  }
  std::latch enough{1};

 private:
  std::atomic<int> asked_ = 0;
};

TEST(Telemetry, ThreadSamplesUntilStopped) {
  Counting source;
  TelemetryThread thread(source, 1000);
  source.enough.wait();
  const auto samples = thread.stop();
  ASSERT_GE(samples.size(), 5u);
  for (std::size_t i = 0; i < samples.size(); ++i) EXPECT_EQ(samples[i].temp_c, static_cast<double>(i));
}

// However short, there is a sample from the begin and one from the end; and one that nobody stops ends by itself.
TEST(Telemetry, ThreadEndsAtOnce) {
  Counting source;
  TelemetryThread slow(source, 0.001);
  EXPECT_EQ(slow.stop().size(), 2u);
  const TelemetryThread forgotten(source, 0.001);
}

}  // namespace
}  // namespace palstudy
