// SPDX-License-Identifier: MIT
#include "variability/classify/utilization.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "variability/made_up_profile.hpp"

namespace palstudy {
namespace {

using made_up::kernel;
using made_up::measure;

using Names = std::vector<std::string>;

constexpr double near = 1e-6;  // batches are stored as float

const KernelUse& use_of(const std::vector<KernelUse>& uses, const std::string& label) {
  return *std::find_if(uses.begin(), uses.end(), [&](const auto& use) { return use.label == label; });
}

// 1000 bytes/s and 8000 operations/s: triad moves 500 bytes in half a second, fma-peak computes 800 in a tenth.
Profile with_ceilings(int gpus = 8, int sessions = 2) {
  Profile profile = made_up::empty_profile(gpus, sessions);
  measure(profile, kernel("triad", "fp32", 80, 500, 500), 0.5);
  measure(profile, kernel("fma-peak", "fp32", 800, 1, 1), 0.1);
  return profile;
}

// By hand: 4000 operations and 100 to 400 bytes in a second are 4000/8000 of the pipe and 100/1000 to 400/1000 of the
// bandwidth.
TEST(Utilization, ByHand) {
  Profile profile = with_ceilings();
  measure(profile, kernel("mine", "fp32", 4000, 100, 400), 1.0);
  const auto uses = kernel_uses(profile);
  ASSERT_EQ(uses.size(), 3U);
  const KernelUse& mine = use_of(uses, "mine");
  EXPECT_NEAR(mine.time_s, 1.0, near);
  EXPECT_NEAR(mine.u_fu, 0.5, near);
  EXPECT_NEAR(mine.u_dram, 0.1, near);
  EXPECT_NEAR(mine.u_dram_most, 0.4, near);
  EXPECT_EQ(mine.gpus, 8U);
  EXPECT_TRUE(mine.notes.empty());
  EXPECT_FALSE(mine.no_application);
  const KernelUse& triad = use_of(uses, "triad");
  EXPECT_TRUE(triad.no_application);
  EXPECT_NEAR(triad.u_dram, 1, near);
  EXPECT_NEAR(triad.u_fu, 80 / 0.5 / 8000, near);
  EXPECT_TRUE(use_of(uses, "fma-peak").no_application);
}

// The ceiling is that of the same GPU: where GPU and ceiling are slow alike, the shares are equal on all GPUs; where
// the kernel alone is slower on some, the median GPU tells. Times are 0.8 ... 1.2 s, of which the middle is 1.
TEST(Utilization, IsOfTheSameGpuAndTheMedianOfAll) {
  Profile alike = made_up::empty_profile(9, 2);
  measure(alike, kernel("triad", "fp32", 80, 500, 500), 0.5, 0.05);
  measure(alike, kernel("fma-peak", "fp32", 800, 1, 1), 0.1, 0.05);
  measure(alike, kernel("mine", "fp32", 4000, 100, 100), 1.0, 0.05);
  EXPECT_NEAR(use_of(kernel_uses(alike), "mine").u_fu, 0.5, near);
  Profile alone = with_ceilings(9);
  measure(alone, kernel("mine", "fp32", 4000, 100, 100), 1.0, 0.05);
  const KernelUse use = use_of(kernel_uses(alone), "mine");
  EXPECT_NEAR(use.u_fu, 0.5, near);
  // The spread is 1.4826 x the fifth of the nine |log(1 +- 0.05 k)|, k = 0..4: that of 0.9.
  EXPECT_NEAR(use.spread, 1.4826 * -std::log(0.9), 1e-4);
}

// A pipe without a ceiling kernel: the best rate seen of that pipe stands for it, and that is said.
TEST(Utilization, OfAPipeWithoutCeilingIsOfTheBestKernel) {
  Profile profile = with_ceilings();
  measure(profile, kernel("gemm-tc", "tensor", 4000, 100, 100), 1.0);
  measure(profile, kernel("gemm-tc-cublas", "tensor", 4000, 100, 100), 0.5);
  const auto uses = kernel_uses(profile);
  EXPECT_NEAR(use_of(uses, "gemm-tc").u_fu, 0.5, near);
  EXPECT_NEAR(use_of(uses, "gemm-tc-cublas").u_fu, 1.0, near);
  const Note expected{"ceilings", Severity::care, "gemm-tc", {{"what", "stand-in"}, {"pipe", "tensor"}}};
  EXPECT_EQ(use_of(uses, "gemm-tc").notes, std::vector{expected});
}

// Nothing is clipped: a kernel whose arrays stay in a cache seems to move more than memory can, and is noted.
TEST(Utilization, OverOneIsNoted) {
  Profile profile = with_ceilings();
  measure(profile, kernel("cached", "fp32", 10, 3000, 3000), 1.0);
  const KernelUse use = use_of(kernel_uses(profile), "cached");
  EXPECT_NEAR(use.u_dram, 3, near);
  ASSERT_EQ(use.notes.size(), 1U);
  EXPECT_EQ(use.notes[0].id, "ceilings");
  EXPECT_EQ(use.notes[0]["what"].name(), "u_dram");
  EXPECT_NEAR(use.notes[0]["share"].number(), 3, near);
}

// Noise between two kernels that reach a ceiling, half a percent, is not noted; a percent is.
TEST(Utilization, OverOneByNoiseIsNotNoted) {
  Profile profile = with_ceilings();
  measure(profile, kernel("within", "fp32", 10, 1003, 1003), 1.0);
  measure(profile, kernel("beyond", "fp32", 8080, 10, 10), 1.0);
  const auto uses = kernel_uses(profile);
  EXPECT_TRUE(use_of(uses, "within").notes.empty());
  ASSERT_EQ(use_of(uses, "beyond").notes.size(), 1U);
  EXPECT_EQ(use_of(uses, "beyond").notes[0]["what"].name(), "u_fu");
  EXPECT_NEAR(use_of(uses, "beyond").notes[0]["share"].number(), 1.01, near);
}

// A kernel that computes nothing uses no pipe; without a ceiling in the same session nothing can be told.
TEST(Utilization, WithoutOperationsOrCeilings) {
  Profile profile = with_ceilings();
  measure(profile, kernel("chase", "", 0, 10, 10), 1.0);
  EXPECT_EQ(use_of(kernel_uses(profile), "chase").u_fu, 0);
  Profile other = made_up::empty_profile(8, 2);
  measure(other, kernel("mine", "fp32", 4000, 100, 400), 1.0);
  for (auto& repeat : other.repeats) repeat.session = 0;
  measure(other, kernel("triad", "fp32", 80, 500, 500), 0.5);
  for (auto& repeat : other.repeats) repeat.session = repeat.kernel == 1 ? 1 : repeat.session;
  EXPECT_TRUE(std::isnan(use_of(kernel_uses(other), "mine").u_dram));
  EXPECT_EQ(use_of(kernel_uses(other), "mine").missing, Names{"triad-in-session"});
}

// Which of the two is missing and why, for who has to measure it: the ceiling, or what the kernel itself does. (A pipe
// has no ceiling at all only if nothing of it was timed, since its best kernel stands for one; here there is no pipe.)
TEST(Utilization, NamesWhatIsMissing) {
  Profile profile = made_up::empty_profile(8, 2);
  measure(profile, kernel("mine", "fp32", 4000, 100, 400), 1.0);
  measure(profile, kernel("app", "", NAN, NAN, NAN), 1.0);
  const auto uses = kernel_uses(profile);
  EXPECT_EQ(use_of(uses, "mine").missing, Names{"triad"});
  EXPECT_EQ(use_of(uses, "app").missing, (Names{"bytes", "operations"}));
  Profile whole = with_ceilings();
  measure(whole, kernel("mine", "fp32", 4000, 100, 400), 1.0);
  EXPECT_EQ(use_of(kernel_uses(whole), "mine").missing, Names{});
  whole.utilization.push_back({.application = "mine", .u_dram = 0.7});
  EXPECT_EQ(use_of(kernel_uses(whole), "mine").missing, Names{"u_fu"});
}

// Repeats with a wrong result count for nothing, be they ever so fast.
TEST(Utilization, LeavesWrongResultsOut) {
  Profile profile = with_ceilings();
  measure(profile, kernel("mine", "fp32", 4000, 100, 400), 1.0);
  const auto before = use_of(kernel_uses(profile), "mine");
  auto wrong = profile.repeats.back();
  wrong.flags = 32;
  for (float& batch : wrong.batch_ms) batch = 1e-3F;
  for (int i = 0; i < 5; ++i) profile.repeats.push_back(wrong);
  const auto after = use_of(kernel_uses(profile), "mine");
  EXPECT_EQ(before.u_fu, after.u_fu);
  EXPECT_EQ(before.spread, after.spread);
}

// A kernel that was not measured on all GPUs is told, but too little of it is there to stand for a class.
TEST(Utilization, SaysWhatIsTooLittle) {
  Profile profile = with_ceilings();
  measure(profile, kernel("mine", "fp32", 4000, 100, 400), 1.0);
  EXPECT_EQ(use_of(kernel_uses(profile), "mine").too_little, std::nullopt);
  profile.repeats.pop_back();
  profile.repeats.pop_back();  // both sessions of the last GPU
  const KernelUse use = use_of(kernel_uses(profile), "mine");
  EXPECT_EQ(use.gpus, 7U);
  EXPECT_EQ(use.too_little, (TooLittle{7, 2}));
  EXPECT_NEAR(use.u_fu, 0.5, near);
}

// Two sizes of a kernel are two kernels, told apart by their parameters; what a profiler counted goes first.
TEST(Utilization, SizesAndImports) {
  Profile profile = with_ceilings();
  auto small = kernel("mine", "fp32", 4000, 100, 400), large = small;
  small.params = "n = 1";
  large.params = "n = 2";
  measure(profile, small, 1.0);
  measure(profile, large, 2.0);
  measure(profile, kernel("app", "", NAN, NAN, NAN), 1.0);
  profile.utilization.push_back({.application = "app", .u_dram = 0.7, .u_fu = 0.2});
  const auto uses = kernel_uses(profile);
  EXPECT_NEAR(use_of(uses, "mine (n = 1)").u_fu, 0.5, near);
  EXPECT_NEAR(use_of(uses, "mine (n = 2)").u_fu, 0.25, near);
  EXPECT_EQ(use_of(uses, "app").u_dram, 0.7);
  EXPECT_EQ(use_of(uses, "app").u_fu, 0.2);
  EXPECT_TRUE(use_of(uses, "app").imported);
}

// What only a profiler saw has no times, and of no GPU; what was neither counted nor timed lacks everything that was
// not measured for it.
TEST(Utilization, OfAKernelThatWasNotTimed) {
  Profile profile = with_ceilings();
  profile.kernels.push_back(kernel("app", "", NAN, NAN, NAN));
  profile.kernels.push_back(kernel("untimed", "fp64", 4000, 100, 400));
  profile.utilization.push_back({.application = "app", .u_dram = 0.7, .u_fu = 0.2});
  const auto uses = kernel_uses(profile);
  const KernelUse& app = use_of(uses, "app");
  EXPECT_EQ(app.gpus, 0U);
  EXPECT_TRUE(std::isnan(app.time_s));
  EXPECT_TRUE(std::isnan(app.spread));
  EXPECT_EQ(app.missing, Names{});
  EXPECT_EQ(use_of(uses, "untimed").gpus, 0U);
  EXPECT_EQ(use_of(uses, "untimed").missing, (Names{"triad-in-session", "fma-peak"}));
  profile.utilization[0].u_dram = profile.utilization[0].u_fu = NAN;
  EXPECT_EQ(use_of(kernel_uses(profile), "app").missing, (Names{"u_dram", "u_fu"}));
}

// What moves data between GPUs stands for no application, and neither do the ceilings of any pipe; other kernels do,
// also where their names begin alike.
TEST(Utilization, CeilingsAndCopiesAreNoApplications) {
  Profile profile = made_up::empty_profile(8, 2);
  for (const char* name : {"triad", "fma-peak", "fma-peak-fp64", "link", "allreduce"}) {
    measure(profile, kernel(name, "fp32", 80, 500, 500), 0.5);
  }
  for (const char* name : {"triads", "fma", "linked", "allreduce2"}) {
    measure(profile, kernel(name, "fp32", 80, 500, 500), 0.5);
  }
  int none = 0;
  for (const KernelUse& use : kernel_uses(profile)) {
    EXPECT_EQ(use.no_application, use.kernel < 5) << use.label;
    none += use.no_application ? 1 : 0;
  }
  EXPECT_EQ(none, 5);
}

}  // namespace
}  // namespace palstudy
