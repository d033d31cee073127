// SPDX-License-Identifier: MIT
#include "measure/collect.hpp"

#include <gtest/gtest.h>

namespace palstudy {
namespace {

MeasuredRepeat measured(const std::string& uuid, const std::string& kernel, int repeat, float ms) {
  MeasuredRepeat result;
  result.gpu.uuid = uuid;
  result.kernel.name = kernel;
  result.kernel.params = "n = 8";
  result.repeat.repeat = repeat;
  result.repeat.batch_ms.assign(20, ms);
  result.remarks = uuid == "GPU-2" ? "1 other process\n" : "";
  return result;
}

// Frames come in any order; GPUs and kernels are listed once, and the repeats point to them.
TEST(Collect, JoinsFrames) {
  const Measured frames{{measured("GPU-2", "triad", 1, 5), measured("GPU-1", "sgemm", 0, 7),
                         measured("GPU-2", "sgemm", 0, 6), measured("GPU-2", "triad", 0, 5)},
                        {}};
  ProfileSession session;
  session.id = "s";
  const Profile profile = collect(frames, session, {});
  ASSERT_EQ(profile.gpus.size(), 2U);
  ASSERT_EQ(profile.kernels.size(), 2U);
  ASSERT_EQ(profile.repeats.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    const ProfileRepeat& repeat = profile.repeats[i];
    EXPECT_EQ(profile.gpus[static_cast<std::size_t>(repeat.gpu)].uuid, frames.repeats[i].gpu.uuid);
    EXPECT_EQ(profile.kernels[static_cast<std::size_t>(repeat.kernel)].name, frames.repeats[i].kernel.name);
    EXPECT_EQ(repeat.batch_ms, frames.repeats[i].repeat.batch_ms);
    EXPECT_EQ(repeat.flags, 0U);
  }
  EXPECT_EQ(profile.sessions.at(0).remarks, "1 other process\n");  // once
}

// Of three repeats of one GPU and kernel the one that took 3 % longer is flagged, and kept; what another GPU took says
// nothing of it.
TEST(Collect, FlagsRepeatsThatAreOff) {
  const Measured frames{{measured("GPU-1", "sgemm", 0, 100), measured("GPU-1", "sgemm", 1, 103),
                         measured("GPU-1", "sgemm", 2, 100), measured("GPU-2", "sgemm", 0, 150)},
                        {}};
  const Profile profile = collect(frames, {}, {});
  ASSERT_EQ(profile.repeats.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(profile.repeats[i].flags, i == 1 ? std::uint32_t{unstable} : 0U) << i;
  }
  const auto lines = flag_lines(profile);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0], "sgemm: 4 repeats, 1 unstable");
}

}  // namespace
}  // namespace palstudy
