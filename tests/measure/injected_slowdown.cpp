// SPDX-License-Identifier: MIT
#include "measure/injected_slowdown.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "message_of.hpp"

namespace palstudy {
namespace {

const std::vector<RankPlace> four = {{"a", 0}, {"a", 1}, {"b", 0}, {"b", 1}};
const std::vector<std::string> two_kernels = {"sgemm", "triad"};

InjectedSlowdown plant(const std::string& text) {
  return InjectedSlowdown::parse(CsvTable::parse(text, "plant.csv"), four, two_kernels);
}

std::string refusal(const std::string& text) {
  return message_of(ErrorCode::data, [&] { (void)plant(text); });
}

// Who is not named is not slowed.
TEST(InjectedSlowdown, ByRank) {
  const InjectedSlowdown given = plant("rank,factor\n1,1.25\n3,2\n");
  EXPECT_EQ(given.factor(0, "sgemm"), 1);
  EXPECT_EQ(given.factor(1, "sgemm"), 1.25);
  EXPECT_EQ(given.factor(1, "triad"), 1.25);
  EXPECT_EQ(given.factor(3, "sgemm"), 2);
  EXPECT_EQ(InjectedSlowdown().factor(0, "sgemm"), 1);
}

TEST(InjectedSlowdown, ByHostAndPlaceOnIt) {
  const InjectedSlowdown given = plant("host,local,factor\nb,0,1.5\n");
  EXPECT_EQ(given.factor(2, "triad"), 1.5);
  EXPECT_EQ(given.factor(3, "triad"), 1);
}

// A row that names a kernel goes before the one for all, in whatever order they stand.
TEST(InjectedSlowdown, OfOneKernel) {
  const InjectedSlowdown given = plant("rank,factor,kernel\n0,3,triad\n0,2,\n1,2,\n1,3,triad\n2,4,sgemm\n");
  for (const std::size_t rank : {0U, 1U}) {
    EXPECT_EQ(given.factor(rank, "triad"), 3);
    EXPECT_EQ(given.factor(rank, "sgemm"), 2);
  }
  EXPECT_EQ(given.factor(2, "sgemm"), 4);
  EXPECT_EQ(given.factor(2, "triad"), 1);
}

// Each says where: line 2, and the column of the field.
TEST(InjectedSlowdown, Refusals) {
  EXPECT_NE(refusal("rank\n1\n").find("factor"), std::string::npos);
  EXPECT_NE(refusal("factor\n2\n").find("host"), std::string::npos);
  EXPECT_NE(refusal("rank,factor\n4,2\n").find("plant.csv:2:1"), std::string::npos);
  EXPECT_NE(refusal("rank,factor\n4,2\n").find("no rank 4"), std::string::npos);
  EXPECT_NE(refusal("rank,factor\n-1,2\n").find("no rank -1"), std::string::npos);
  EXPECT_NE(refusal("rank,factor\n0,0.5\n").find("plant.csv:2:3"), std::string::npos);
  EXPECT_NE(refusal("rank,factor\n0,101\n").find("plant.csv:2:3"), std::string::npos);
  EXPECT_NE(refusal("rank,factor\n0,2\n0,3\n").find("plant.csv:3:3"), std::string::npos);
  EXPECT_NE(refusal("host,local,factor\nc,0,2\n").find("host \"c\""), std::string::npos);
  EXPECT_NE(refusal("rank,factor,kernel\n0,2,dgemm\n").find("\"dgemm\""), std::string::npos);
}

}  // namespace
}  // namespace palstudy
