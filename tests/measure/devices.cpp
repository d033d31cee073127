// SPDX-License-Identifier: MIT
#include "measure/devices.hpp"

#include <gtest/gtest.h>

#include <set>

#include "core/error.hpp"
#include "message_of.hpp"

namespace palstudy {
namespace {

// On a node of 4 GPUs and 4 ranks: with --gpu-bind=none each rank sees all 4 and takes its own; with --gpus-per-task=1
// each sees one, which is number 0 to it, whatever its place.
TEST(Devices, EachRankTakesItsOwnGpu) {
  std::set<int> taken;
  for (int local = 0; local < 4; ++local) {
    taken.insert(choose_device(local, 4));
    EXPECT_EQ(choose_device(local, 1), 0);
  }
  EXPECT_EQ(taken, (std::set<int>{0, 1, 2, 3}));
}

// Ranks beyond the GPUs come back to the first one, which require_distinct then refuses.
TEST(Devices, TooManyRanksShareAGpu) {
  std::vector<std::string> uuids;
  std::vector<RankPlace> places;
  for (int local = 0; local < 3; ++local) {
    uuids.push_back("GPU-" + std::to_string(choose_device(local, 2)));
    places.push_back({"node7", local});
  }
  const std::string message = message_of(ErrorCode::usage, [&] { require_distinct(uuids, places); });
  for (const char* part : {"ranks 0 and 2", "GPU-0", "node7", "--gpu-bind=none", "--gpus-per-task=1"}) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
  EXPECT_NO_THROW(require_distinct({"GPU-0", "GPU-1"}, {{"a", 0}, {"b", 0}}));
}

TEST(Devices, RanksPoseAsHostsOfSoMany) {
  const RankPlace real = rank_place(5, 1, "node7", 0), posed = rank_place(5, 5, "node7", 2);
  EXPECT_EQ(real.host, "node7");
  EXPECT_EQ(real.local, 1);
  EXPECT_EQ(posed.host, "pretended-2");  // ranks 4 and 5
  EXPECT_EQ(posed.local, 1);
}

TEST(Devices, CoresAreKnownByHostAndPlace) {
  MeasureOptions options;
  options.backend = Backend::host;
  const MeasuredDevice core = find_device(options, {"node7", 3});
  EXPECT_EQ(core.gpu.uuid, "host-node7-3");
  EXPECT_EQ(core.gpu.host, "node7");
  EXPECT_EQ(core.gpu.local, 3);
  EXPECT_EQ(core.gpu.multiprocessors, 1);
  EXPECT_GT(core.gpu.memory_bytes, 0);
}

TEST(Devices, WithoutAGpuTheHostBackendIsNamed) {
  if (cuda_devices() > 0) GTEST_SKIP() << "there is a GPU";
  EXPECT_NE(message_of(ErrorCode::usage,
                       [&] {
                         (void)find_device({}, {"node7", 0});
                       })
                .find("--backend host"),
            std::string::npos);
}

TEST(Devices, CabinetsFromHostNames) {
  EXPECT_EQ(cabinet_of("c101-021", ""), "");
  EXPECT_EQ(cabinet_of("c101-021", "^c[0-9]+"), "c101");
  EXPECT_EQ(cabinet_of("c101-021", "^c([0-9]+)-"), "101");
  EXPECT_EQ(cabinet_of("login1", "^c[0-9]+"), "");
  EXPECT_THROW((void)cabinet_of("c101-021", "(["), Error);
}

}  // namespace
}  // namespace palstudy
