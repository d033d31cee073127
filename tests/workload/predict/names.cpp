// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "workload/predict/close_names.hpp"

namespace palstudy {
namespace {

TEST(NamePrefix, IsWhatRunsOfOneExperimentShare) {
  EXPECT_EQ(name_prefix("train_bert_v3"), "train_bert");
  EXPECT_EQ(name_prefix("train_bert_lr0.1"), "train_bert");
  EXPECT_EQ(name_prefix("job17"), "job");
  EXPECT_EQ(name_prefix("train_bert"), "train_bert");
  EXPECT_EQ(name_prefix("123"), "123");
  EXPECT_EQ(name_prefix("_1"), "_1");
  EXPECT_EQ(name_prefix(""), "");
  EXPECT_EQ(name_prefixes({"a_1", "b", "a_2"}), (std::vector<std::uint32_t>{0, 1, 0}));
}

// 2 x matched / all bytes, by hand: "abcd" in "xabcdy" 2 x 4 / 10; of "ab_ba" and "ba_ab" the block "b_b"... is none:
// the longest common block of these is "ab" (earliest in the first), and right of it nothing is left.
TEST(NameRatio, CountsMatchedBytes) {
  EXPECT_EQ(name_ratio("abcd", "xabcdy"), 0.8);
  EXPECT_EQ(name_ratio("ab_ba", "ba_ab"), 0.4);
  EXPECT_EQ(name_ratio("same", "same"), 1);
  EXPECT_EQ(name_ratio("abc", "xyz"), 0);
  EXPECT_EQ(name_ratio("", ""), 1);
}

// What lies left and right of the longest block is matched side by side: besides "mid" the a and the b; besides "_abc_"
// nothing, since each x and y lies on the other side.
TEST(NameRatio, MatchesEachSideOfABlockByItself) {
  EXPECT_EQ(name_ratio("a_mid_b", "a-mid-b"), 2.0 * 5 / 14);
  EXPECT_EQ(name_ratio("x_abc_y", "y_abc_x"), 2.0 * 5 / 14);
}

// In a query of 200 bytes, those that make up more than 1 % of it begin no block, but lengthen one: of 200 equal bytes
// none begins a block, and the match grows from the beginning of both.
TEST(NameRatio, SkipsFrequentBytesOfLongQueries) {
  const std::string query = std::string(199, 'a') + "b";
  EXPECT_EQ(name_ratio("aab", query), 2.0 * 3 / 203);  // grown from the one b
  EXPECT_EQ(name_ratio("caa", query), 0);              // no block begins
  EXPECT_EQ(name_ratio("aac", query), 2.0 * 2 / 203);  // grown from the beginning of both
}

TEST(CloseNames, AreTheTwoBestByRatioThenName) {
  const std::vector<std::string> names = {"resnet_1", "bert", "resnet_3", "resnet_2"};
  EXPECT_EQ(close_names("resnet_9", names), (std::vector<std::uint32_t>{2, 3}));
  EXPECT_EQ(close_names("bert", names), (std::vector<std::uint32_t>{1}));
  EXPECT_TRUE(close_names("zzz", names).empty());
  const std::vector<std::string> beginning = {"abc"};
  EXPECT_EQ(close_names("abcdefg", beginning).size(), 1u) << "2 x 3 / 10, the least";
  EXPECT_TRUE(close_names("abcdefgh", beginning).empty()) << "2 x 3 / 11";
}

}  // namespace
}  // namespace palstudy
