// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <limits>

#include "words/phrases.hpp"

namespace palstudy {
namespace {

// Two digits of the error are shown, and the value to the same place.
TEST(Digits, FollowTheError) {
  EXPECT_EQ(places_of_error(2.7), 1);
  EXPECT_EQ(places_of_error(0.27), 2);
  EXPECT_EQ(places_of_error(27), 0);
  EXPECT_EQ(places_of_error(130), -1);
  EXPECT_EQ(to_places(25321.04, places_of_error(130)), "25320");
  EXPECT_EQ(to_places(41.87, places_of_error(2.7)), "41.9");
}

TEST(Digits, HaveNoNegativeNought) {
  EXPECT_EQ(to_places(-0.004, 2), "0.00");
  EXPECT_EQ(to_places(-0.4, 0), "0");
  EXPECT_EQ(to_places(-0.04, 2), "-0.04");
}

// No error, or none that is known, asks for as many places as there are.
TEST(Digits, AreManyWithoutAnError) {
  EXPECT_EQ(places_of_error(0), 6);
  EXPECT_EQ(places_of_error(std::numeric_limits<double>::quiet_NaN()), 6);
}

}  // namespace
}  // namespace palstudy
