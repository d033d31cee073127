// SPDX-License-Identifier: MIT
// The table of what goes together.
#include "sim/together.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

namespace palstudy {
namespace {

// A feature stands at its own place, with a name of its own, and no pair stands twice, either way round.
TEST(Together, NamesEachFeatureAndEachPairOnce) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < feature_count; ++i) {
    const FeatureInfo& info = feature_infos()[i];
    EXPECT_EQ(static_cast<std::size_t>(info.feature), i);
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
  }
  std::set<std::pair<Feature, Feature>> pairs;
  for (const Apart& row : apart()) {
    EXPECT_NE(row.first, row.second);
    EXPECT_TRUE(pairs.insert(std::minmax(row.first, row.second)).second) << info_of(row.first).name;
  }
}

// Of every pair of the table the run is refused for that pair; without one of the two it is not.
TEST(Together, FindsThePairThatARunHas) {
  EXPECT_EQ(first_apart(Features()), nullptr);
  for (const Apart& row : apart()) {
    Features both;
    both.set(row.first);
    EXPECT_EQ(first_apart(both), nullptr);
    both.set(row.second);
    EXPECT_EQ(first_apart(both), &row);
  }
}

}  // namespace
}  // namespace palstudy
