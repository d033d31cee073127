// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <bit>
#include <cstring>

#include "kernels/runner.hpp"
#include "kernels/small_kernels.hpp"

namespace palstudy {
namespace {

/// Each kernel with code of ours: the twin passes its check on fresh inputs, and no mistaken result does.
class Checks : public testing::TestWithParam<std::string> {
 protected:
  /// The check of a result that was spoilt after it was computed; spoil(bytes of an output).
  template <class Spoil>
  static Verdict spoilt(Spoil spoil) {
    Computed done(small_problem(GetParam()));
    for (std::size_t i = 0; i < done.arrays.size(); ++i) {
      if (done.arrays.specs()[i].role == ArrayRole::output) spoil(done.arrays.bytes(i));
    }
    return done.problem->check(done.arrays);
  }
};

TEST_P(Checks, TwinPassesOnFreshInputs) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Computed done(small_problem(GetParam()), seed);
    const Verdict verdict = done.problem->check(done.arrays);
    EXPECT_TRUE(verdict.passed()) << verdict.error << " " << verdict.worst;
  }
}

TEST_P(Checks, KernelThatWritesNothingFails) {
  auto problem = small_problem(GetParam());
  Arrays arrays(problem->arrays());
  problem->fill(arrays, 1);
  arrays.poison_outputs();
  EXPECT_FALSE(problem->check(arrays).passed());
  // Nor do zeros pass, as in memory that was never touched.
  const Verdict zeros = spoilt([](std::span<std::byte> out) { std::memset(out.data(), 0, out.size()); });
  EXPECT_FALSE(zeros.passed());
}

TEST_P(Checks, KernelThatWritesHalfFails) {
  const Verdict poison = spoilt(
      [](std::span<std::byte> out) { std::memset(out.data() + out.size() / 2, 0xff, out.size() - out.size() / 2); });
  EXPECT_FALSE(poison.passed());
  const Verdict zeros = spoilt(
      [](std::span<std::byte> out) { std::memset(out.data() + out.size() / 2, 0, out.size() - out.size() / 2); });
  EXPECT_FALSE(zeros.passed());
}

// A relative error of 1e-3 is what a lower precision would make; an index is wrong by one.
TEST_P(Checks, LessPrecisionFails) {
  const Verdict verdict = spoilt([](std::span<std::byte> out) {
    for (std::size_t i = 0; i + 4 <= out.size(); i += 4) {
      float value = 0;
      std::memcpy(&value, out.data() + i, 4);
      value *= i / 4 % 2 == 0 ? 1.001F : 0.999F;
      if (GetParam() == "chase") value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) ^ 1U);
      std::memcpy(out.data() + i, &value, 4);
    }
  });
  EXPECT_FALSE(verdict.passed()) << verdict.error;
}

TEST_P(Checks, EveryInputMatters) {
  // Another seed, another result: the outputs of one input do not pass for another.
  const Computed one(small_problem(GetParam()), 1);
  Arrays other(one.problem->arrays());
  one.problem->fill(other, 2);
  for (std::size_t i = 0; i < other.size(); ++i) {
    if (other.specs()[i].role != ArrayRole::output) continue;
    std::memcpy(other.bytes(i).data(), one.arrays.bytes(i).data(), other.bytes(i).size());
  }
  EXPECT_FALSE(one.problem->check(other).passed());
}

TEST_P(Checks, RunnerRunsAndChecks) {
  const KernelEntry& kernel = kernels().at(GetParam());
  const auto runner =
      make_runner(Backend::host, kernel, kernel_params(kernel, Backend::host, small_sizes().at(GetParam())));
  const auto seconds = runner->batches(3, 2);
  ASSERT_EQ(seconds.size(), 3u);
  for (const double s : seconds) EXPECT_GT(s, 0);
  EXPECT_TRUE(runner->check().passed());
}

std::vector<std::string> ours() {
  std::vector<std::string> names;
  for (const auto& kernel : kernels().entries()) {
    if (kernel.make.library.empty()) names.push_back(kernel.name);
  }
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, Checks, testing::ValuesIn(ours()), [](const auto& of) {
  std::string name = of.param;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace palstudy
