// SPDX-License-Identifier: MIT
#include "measure/completed_repeats.hpp"

#include <gtest/gtest.h>

namespace palstudy {
namespace {

Protocol three_repeats() {
  Protocol protocol;
  protocol.repeats = 3;
  protocol.unstable_change = 0.01;
  return protocol;
}

CompletedRepeat repeat_of(std::size_t kernel, std::size_t repeat, double median_ms) {
  return {0, kernel, repeat, median_ms, 0};
}

// What this GPU has finished is not measured again; what another has finished says nothing of it.
TEST(WorkList, SkipsWhatIsDone) {
  const CompletedRepeat other{1, 1, 2, 5, 0};
  const WorkList work(0, 2, three_repeats(), {repeat_of(0, 0, 5), other, repeat_of(1, 1, 5)});
  EXPECT_TRUE(work.done(0, 0));
  EXPECT_TRUE(work.done(1, 1));
  EXPECT_FALSE(work.done(0, 1));
  EXPECT_FALSE(work.done(1, 2));
}

// 100, 100.5 and 103 ms: the last is 2.5 % off the median, and 1 % is allowed. So the kernel is measured again, and
// once more if that is still so; two like ones are not.
TEST(WorkList, UnstableRepeatsAreMeasuredAgainTwice) {
  const Protocol protocol = three_repeats();
  std::vector<CompletedRepeat> completed;
  for (std::size_t kernel = 0; kernel < 2; ++kernel) {
    for (std::size_t repeat = 0; repeat < 2; ++repeat) {
      completed.push_back(repeat_of(kernel, repeat, repeat == 0 ? 100 : 100.5));
    }
    completed.push_back(repeat_of(kernel, 2, kernel == 0 ? 103 : 100.2));
  }
  WorkList work(0, 2, protocol, completed);
  EXPECT_TRUE(work.wants_rerun(0, 0));
  EXPECT_FALSE(work.wants_rerun(1, 0));
  work.add(repeat_of(0, 3, 100.1));
  EXPECT_FALSE(work.wants_rerun(0, 0));  // that attempt has been made: after a kill it is not made twice
  EXPECT_TRUE(work.wants_rerun(0, 1));
  work.add(repeat_of(0, 4, 100.3));
  EXPECT_FALSE(work.wants_rerun(0, 2));
}

// A kernel that was left out has no repeat that others could be off.
TEST(WorkList, AKernelWithoutRepeatsIsNotMeasuredAgain) {
  const WorkList work(0, 2, three_repeats(), {repeat_of(1, 0, 100)});
  for (const std::size_t kernel : {0, 1}) EXPECT_FALSE(work.wants_rerun(kernel, 0)) << kernel;
}

// 100 ms for 20 launches where it was 40: twice as long a launch, though the batches are equal.
TEST(CompletedRepeat, HasTheTimeOfOneLaunch) {
  MeasuredRepeat measured;
  measured.repeat.repeat = 2;
  measured.repeat.launches = 20;
  measured.repeat.batch_ms = {99, 100, 101};
  const CompletedRepeat made = completed_repeat(measured, 1, 3);
  EXPECT_EQ(made.rank, 1U);
  EXPECT_EQ(made.kernel, 3U);
  EXPECT_EQ(made.repeat, 2U);
  EXPECT_DOUBLE_EQ(made.median_ms, 5);
  EXPECT_DOUBLE_EQ(made.mad_ms, 0.05);
}

// A scatter of 2 ms within the repeats excuses 2.5 ms between them: five times that is allowed.
TEST(WorkList, TheScatterOfBatchesIsAllowed) {
  const WorkList work(0, 1, three_repeats(), {{0, 0, 0, 100, 2}, {0, 0, 1, 100.5, 2}, {0, 0, 2, 103, 2}});
  EXPECT_FALSE(work.wants_rerun(0, 0));
}

// However noisy the machine, repeats done again are at most a fifth of the others, rounded up: 2 for 2 kernels x 3, so
// the time said beforehand holds.
TEST(WorkList, RerunsAreBounded) {
  EXPECT_EQ(reruns_of_gpu(2, 3), 2U);
  EXPECT_EQ(reruns_of_gpu(5, 3), 3U);
  std::vector<CompletedRepeat> completed;
  for (std::size_t kernel = 0; kernel < 4; ++kernel) {
    for (std::size_t repeat = 0; repeat < 3; ++repeat) {
      completed.push_back(repeat_of(kernel, repeat, 100 + 5 * static_cast<double>(repeat)));
    }
  }
  WorkList work(0, 4, three_repeats(), completed);
  std::size_t again = 0;
  for (std::size_t attempt = 0; attempt < 5; ++attempt) {
    for (std::size_t kernel = 0; kernel < 4; ++kernel) {
      if (!work.wants_rerun(kernel, attempt)) continue;
      work.add(repeat_of(kernel, 3 + attempt, 200));
      ++again;
    }
  }
  EXPECT_EQ(again, 3U);
}

// Of three repeats in the shards one is of a GPU that no rank has now and one of a kernel that is not measured now: the
// third is left, with the rank of its GPU.
TEST(CompletedRepeat, IsKnownByTheRankThatHasItsGpuNow) {
  ChosenKernel triad{};
  triad.record.name = "triad";
  Measured measured;
  for (const auto& [uuid, kernel] : {std::pair("GPU-9", "triad"), {"GPU-2", "sgemm"}, {"GPU-2", "triad"}}) {
    MeasuredRepeat& repeat = measured.repeats.emplace_back();
    repeat.gpu.uuid = uuid;
    repeat.kernel.name = kernel;
    repeat.repeat.batch_ms = {1};
  }
  const auto completed = completed_repeats(measured, {triad}, {"GPU-1", "GPU-2"});
  ASSERT_EQ(completed.size(), 1U);
  EXPECT_EQ(completed[0].rank, 1U);
  EXPECT_EQ(completed[0].kernel, 0U);
}

}  // namespace
}  // namespace palstudy
