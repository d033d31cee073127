// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "bundle/anonymous_copy.hpp"

namespace palstudy::test {
namespace {

// Clusters are drawn from nodes in the order of their names, so that order has to stay: of 12 names, whose numbers have
// two digits, given in another order than theirs. Another kind has numbers of its own, and no name has none.
TEST(NumberedNames, NumbersKeepTheOrderOfNames) {
  NumberedNames names;
  std::vector<std::string> hosts;
  for (int i = 12; i > 0; --i) hosts.push_back("c" + std::to_string(i * 7));
  for (const auto& host : hosts) EXPECT_EQ(names("host", host), host);
  (void)names("gpu", "c7");
  names.number();
  std::sort(hosts.begin(), hosts.end());
  std::vector<std::string> made;
  for (const auto& host : hosts) made.push_back(names("host", host));
  EXPECT_TRUE(std::is_sorted(made.begin(), made.end()));
  EXPECT_EQ(std::set<std::string>(made.begin(), made.end()).size(), hosts.size());
  EXPECT_EQ(made.front(), "host-01");
  EXPECT_EQ(names("gpu", "c7"), "gpu-1");
  EXPECT_EQ(names("host", ""), "");
}

}  // namespace
}  // namespace palstudy::test
