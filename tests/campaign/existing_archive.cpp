// SPDX-License-Identifier: MIT
#include "campaign/existing_archive.hpp"

#include <gtest/gtest.h>

#include <string>

namespace palstudy {
namespace {

// What was found out of an archive may have advice of its own on a further line; the campaign's stands in its place.
TEST(ExistingArchive, DamageIsToldInOneLineWithTheCampaignsAdvice) {
  const Error error = damaged_archive("results/a.h5", "a chunk is torn\n  copy it again");
  EXPECT_EQ(error.code(), ErrorCode::data);
  const std::string told = error.what();
  EXPECT_NE(told.find("the archive is damaged: a chunk is torn"), std::string::npos) << told;
  EXPECT_NE(told.find("results/a.h5"), std::string::npos) << told;
  EXPECT_NE(told.find("--resume"), std::string::npos) << told;
  EXPECT_EQ(told.find("copy it again"), std::string::npos) << told;
}

}  // namespace
}  // namespace palstudy
