// SPDX-License-Identifier: MIT
// Host lists as Slurm writes them, by hand; and that a list of names comes back from the list made of it.
#include "study/host_lists.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "message_of.hpp"

namespace palstudy {
namespace {

using Names = std::vector<std::string>;

// As `scontrol show hostlist` of Slurm 22.05 packs, but for a number that would lose its zeros.
TEST(HostLists, JoinNeighbours) {
  EXPECT_EQ(host_list({"gpu001", "gpu002", "gpu003", "gpu004", "gpu007"}), "gpu[001-004,007]");
  EXPECT_EQ(host_list({"n1", "n2", "n10", "n09", "n8"}), "n[1-2,10,09,8]");
  EXPECT_EQ(host_list({"n1", "n1", "n2"}), "n[1,1-2]");
  EXPECT_EQ(host_list({"gpu-a-01", "gpu-a-03", "gpu-b-01"}), "gpu-a-[01,03],gpu-b-01");
  EXPECT_EQ(host_list({"r1n1", "r1n2", "r2n1", "r2n2"}), "r1n[1-2],r2n[1-2]");
  EXPECT_EQ(host_list({"n8", "n9", "n10", "n11"}), "n[8-11]");
  EXPECT_EQ(host_list({"n08", "n09", "n10"}), "n[08-10]");
  EXPECT_EQ(host_list({"n09", "n010"}), "n[09,010]") << "n[09-10] would be another node";
}

// Slurm reads no text after a bracket, so only numbers at the end are joined; and a lone name needs no bracket.
TEST(HostLists, LeaveOtherNamesAlone) {
  EXPECT_EQ(host_list({"login", "n7", "a1b", "a2b"}), "login,n7,a1b,a2b");
  EXPECT_EQ(host_list({"n", "n1"}), "n,n1");
  EXPECT_EQ(host_list({"x12345678901", "x12345678902"}), "x12345678901,x12345678902") << "no number of 32 bits";
  EXPECT_EQ(host_list({"7000", "7001", "7003"}), "[7000-7001,7003]") << "ports";
  EXPECT_EQ(host_list({}), "");
}

TEST(HostLists, ArePartedWhereTheyGetLong) {
  const Names odd = {"n1", "n3", "n5", "n7", "n9", "m1"};
  EXPECT_EQ(host_lists(odd, 10), (Names{"n[1,3,5]", "n[7,9]", "m1"}));
  EXPECT_EQ(host_lists(odd, 1), odd) << "at least a name each";
  EXPECT_EQ(host_lists({"n1", "n2", "n3"}, 1), Names{"n[1-3]"}) << "a range is one piece";
  EXPECT_EQ(host_lists(odd, 1000), Names{"n[1,3,5,7,9],m1"});
  EXPECT_EQ(host_lists({}, 10), Names{});
}

// Every list reads as the names that it was made of, in their order, however it was parted.
TEST(HostLists, ComeBack) {
  Names names = {"login", "n09", "n010", "n9", "c007-12", "c007-13", "a1b", "12", "13"};
  for (int i = 90; i < 130; ++i) names.push_back((i % 7 == 0 ? "g0" : "g") + std::to_string(i * i % 131));
  EXPECT_EQ(host_names(host_list(names), "here"), names);
  for (const std::size_t most : {1, 10, 25, 60}) {
    Names all;
    for (const std::string& list : host_lists(names, most)) {
      EXPECT_TRUE(list.size() <= most || list.find(',') == std::string::npos) << list;
      for (const std::string& name : host_names(list, "here")) all.push_back(name);
    }
    EXPECT_EQ(all, names) << most;
  }
}

// The last of several brackets runs fastest; a bracket that stays open is refused with its place.
TEST(HostLists, AreRead) {
  EXPECT_EQ(host_names("r[1-2]n[08-09],login", "here"), (Names{"r1n08", "r1n09", "r2n08", "r2n09", "login"}));
  expect_parts(message_of(ErrorCode::data, [] { (void)host_names("a[1-", "x.conf:3"); }), {"x.conf:3", "a[1-"});
}

TEST(HostLists, OrderByNumber) {
  EXPECT_EQ(in_host_order({"n10", "n2", "login", "n02", "m7", "n"}), (Names{"login", "m7", "n", "n02", "n2", "n10"}));
}

}  // namespace
}  // namespace palstudy
