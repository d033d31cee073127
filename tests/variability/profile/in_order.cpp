// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "variability/profile/profile.hpp"

namespace palstudy {
namespace {

// Transfers of one path stand by their size whatever order they were measured in, and of one size by their time; one
// that was tried and is not there has no time (NaN) and comes last.
TEST(ProfileOrder, TransfersRiseBySizeAndTime) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  Profile profile;
  profile.sessions.emplace_back();
  for (const auto& [bytes, seconds] :
       {std::pair{4096.0, 2e-5}, {8.0, none}, {1048576.0, 3e-4}, {8.0, 3e-6}, {8.0, 1e-6}}) {
    ProfileTransfer one;
    one.kernel = "link";
    one.bytes = bytes;
    one.seconds = seconds;
    profile.transfers.push_back(one);
  }
  const Profile sorted = in_order(profile);
  std::vector<double> bytes, seconds;
  for (const ProfileTransfer& one : sorted.transfers) {
    bytes.push_back(one.bytes);
    seconds.push_back(one.seconds);
  }
  EXPECT_EQ(bytes, (std::vector<double>{8, 8, 8, 4096, 1048576}));
  EXPECT_EQ(std::vector(seconds.begin(), seconds.begin() + 2), (std::vector<double>{1e-6, 3e-6}));
  EXPECT_TRUE(std::isnan(seconds[2]));
}

}  // namespace
}  // namespace palstudy
