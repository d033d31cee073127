// SPDX-License-Identifier: MIT
#include "measure/build_profile.hpp"

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
TEST(BuildProfile, JoinsFrames) {
  const Measured frames{{measured("GPU-2", "triad", 1, 5), measured("GPU-1", "sgemm", 0, 7),
                         measured("GPU-2", "sgemm", 0, 6), measured("GPU-2", "triad", 0, 5)},
                        {}};
  ProfileSession session;
  session.id = "s";
  const Profile profile = build_profile(frames, session, {});
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
TEST(BuildProfile, FlagsRepeatsThatAreOff) {
  const Measured frames{{measured("GPU-1", "sgemm", 0, 100), measured("GPU-1", "sgemm", 1, 103),
                         measured("GPU-1", "sgemm", 2, 100), measured("GPU-2", "sgemm", 0, 150)},
                        {}};
  const Profile profile = build_profile(frames, {}, {});
  ASSERT_EQ(profile.repeats.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(profile.repeats[i].flags, i == 1 ? std::uint32_t{unstable} : 0U) << i;
  }
}

// A repeat measured beside another process that shares evenly takes twice as long a launch; it finds half as many
// launches for a batch, so that its batches are as long as the others'. It is told by its launches. GPU-2 was shared in
// all but its first repeat, which then is not the one to be distrusted for contention.
TEST(BuildProfile, FlagsRepeatsThatWereShared) {
  const auto repeat = [](const std::string& uuid, int number, int launches) {
    MeasuredRepeat result = measured(uuid, "sgemm", number, 100);
    result.repeat.launches = launches;
    return result;
  };
  const Measured frames{{repeat("GPU-1", 0, 40), repeat("GPU-1", 1, 20), repeat("GPU-1", 2, 40), repeat("GPU-2", 0, 40),
                         repeat("GPU-2", 1, 20), repeat("GPU-2", 2, 20)},
                        {}};
  const Profile profile = build_profile(frames, {}, {});
  const std::vector<bool> shared = {false, true, false, false, true, true};
  const std::vector<bool> off = {false, true, false, true, false, false};
  for (std::size_t i = 0; i < shared.size(); ++i) {
    EXPECT_EQ((profile.repeats[i].flags & contended) != 0, shared[i]) << i;
    EXPECT_EQ((profile.repeats[i].flags & unstable) != 0, off[i]) << i;
  }
}

// Each line of what was remarked stands once, after what the session itself says, though a GPU has more to say later.
TEST(BuildProfile, KeepsEveryRemarkOnce) {
  Measured frames{{measured("GPU-2", "sgemm", 0, 6), measured("GPU-2", "triad", 0, 5)}, {}};
  frames.repeats[1].remarks += "another line\n";
  ProfileSession session;
  session.remarks = "chase is left out\n";
  EXPECT_EQ(build_profile(frames, session, {}).sessions.at(0).remarks,
            "chase is left out\n1 other process\nanother line\n");
}

}  // namespace
}  // namespace palstudy
