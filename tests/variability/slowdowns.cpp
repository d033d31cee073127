// SPDX-License-Identifier: MIT
#include "variability/slowdowns.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/error.hpp"
#include "message_of.hpp"
#include "topology/topology.hpp"

namespace palstudy {
namespace {

// Two nodes of two GPUs.
Topology small() { return Topology(std::vector{NodeGroup{2, 2}}, 16); }

const std::string header = "gpu_id,node_id,class,score\n";
const std::string class_a = "0,0,A,1\n1,0,A,1.5\n2,1,A,0.5\n3,1,A,1\n";

Slowdowns parse(const std::string& rows) { return parse_slowdown_table(header + rows, "t.csv", small()); }

// The message of the refusal, which has to be a data error.
std::string refusal(const std::string& text) {
  return message_of(ErrorCode::data, [&] { static_cast<void>(parse_slowdown_table(text, "t.csv", small())); });
}

void expect_refusal(const std::string& rows, const std::string& message) {
  EXPECT_EQ(refusal(header + rows).substr(0, message.size()), message);
}

// Rows in any order, further columns ignored, classes sorted by name.
TEST(SlowdownTable, Reads) {
  const auto slowdowns = parse_slowdown_table(
      "host,score,class,node_id,gpu_id\n"
      "h,1.25,B,1,3\nh,4,A,1,3\nh,1,A,0,0\nh,2,A,0,1\nh,3,A,1,2\nh,0.5,B,0,0\nh,0.75,B,0,1\nh,1,B,1,2\n",
      "t.csv", small());
  EXPECT_EQ(slowdowns.class_names(), (std::vector<std::string>{"A", "B"}));
  const auto a = slowdowns.of(ClassId(0));
  const auto b = slowdowns.of(ClassId(1));
  EXPECT_EQ(std::vector(a.begin(), a.end()), (std::vector<double>{1, 2, 3, 4}));
  EXPECT_EQ(std::vector(b.begin(), b.end()), (std::vector<double>{0.5, 0.75, 1, 1.25}));
}

// The table of the recorded runs, 64 GPUs and 4 classes; its last digits are read to the last bit.
TEST(SlowdownTable, ReadsAFile) {
  const auto slowdowns = read_slowdown_table(std::string(PALSTUDY_SOURCE_DIR) + "/tests/golden/runs/cluster-64.csv",
                                             Topology(std::vector{NodeGroup{16, 4}}, 16));
  EXPECT_EQ(slowdowns.classes(), 4U);
  EXPECT_EQ(slowdowns.at(ClassId(0), GpuId(0)), 0.9533856925372175);
}

// Every refusal says where: file:line:column of the field that is wrong, or the file where a row is missing.
TEST(SlowdownTable, RefusesBadValuesWithTheirPlace) {
  expect_refusal("0,0,A,0\n", "t.csv:2:7: a slowdown of 0 is not within");
  expect_refusal("0,0,A,1\n1,0,A,-1\n", "t.csv:3:7: a slowdown of -1 is not within");
  expect_refusal("0,0,A,1e300\n", "t.csv:2:7: a slowdown of 1e+300 is not within");
  expect_refusal("0,0,A,nan\n", "t.csv:2:7: ");
  expect_refusal("0,0,A,inf\n", "t.csv:2:7: ");
  expect_refusal("0,0,A,fast\n", "t.csv:2:7: ");
  expect_refusal("x,0,A,1\n", "t.csv:2:1: ");
  expect_refusal("0.5,0,A,1\n", "t.csv:2:1: ");
  expect_refusal("0,x,A,1\n", "t.csv:2:3: ");
  expect_refusal("0,0,,1\n", "t.csv:2:5: a class without a name");
}

TEST(SlowdownTable, RefusesGpusThatAreNotThere) {
  expect_refusal("4,2,A,1\n", "t.csv:2:1: GPU 4 is beyond the cluster, whose GPUs are 0 to 3");
  expect_refusal("-1,0,A,1\n", "t.csv:2:1: GPU -1 is beyond the cluster");
  expect_refusal("0,0,A,1\n1,1,A,1\n", "t.csv:3:3: GPU 1 is in node 1 here, but in node 0 of the study's cluster");
  expect_refusal("0,-1,A,1\n", "t.csv:2:3: GPU 0 is in node -1 here");
}

// A doubled pair is named with both places, the second first; of several, the one that comes first in the file.
TEST(SlowdownTable, RefusesDoubledPairs) {
  expect_refusal(class_a + "1,0,A,1\n", "t.csv:6:1: GPU 1, class \"A\" is there twice; first at t.csv:3:1");
  expect_refusal(class_a + "3,1,A,1\n0,0,A,1\n", "t.csv:6:1: GPU 3, class \"A\" is there twice; first at t.csv:5:1");
}

TEST(SlowdownTable, RefusesMissingPairs) {
  expect_refusal(class_a + "0,0,B,1\n1,0,B,1\n3,1,B,1\n", "t.csv: no row for GPU 2, class \"B\"");
  expect_refusal(class_a + "0,0,B,1\n1,0,B,1\n2,1,B,1\n", "t.csv: no row for GPU 3, class \"B\"");
  expect_refusal("0,0,A,1\n1,0,A,1\n", "t.csv: the table has 2 GPUs, the study needs 4");
}

TEST(SlowdownTable, RefusesFilesThatAreNone) {
  expect_refusal("", "t.csv: no rows");
  EXPECT_NE(refusal("").find("t.csv"), std::string::npos);
  EXPECT_NE(refusal("gpu_id,node_id,class\n0,0,A\n").find("score"), std::string::npos);
  EXPECT_THROW(static_cast<void>(read_slowdown_table("no/such/file.csv", small())), Error);
}

// A class a row on a cluster of a million GPUs is a table of 10^9 pairs: it has to be refused without making it.
TEST(SlowdownTable, RefusesManyClassesWithoutAskingForTheirMemory) {
  std::string text = header;
  for (int i = 0; i < 1000; ++i) text += "0,0,class" + std::to_string(i) + ",1\n";
  const Topology large(std::vector{NodeGroup{1U << 17, 8}}, 16);
  EXPECT_THROW(static_cast<void>(parse_slowdown_table(text, "t.csv", large)), Error);
}

// The table asks for what it is: classes are data, so any name will do, quotes included.
TEST(SlowdownTable, KeepsQuotedClassNames) {
  const auto slowdowns = parse("0,0,\"a,b\",1\n1,0,\"a,b\",1\n2,1,\"a,b\",1\n3,1,\"a,b\",1\n");
  EXPECT_EQ(slowdowns.class_names(), std::vector<std::string>{"a,b"});
}

// From a millionth to a million times the median's time: beyond is a slip of units.
TEST(SlowdownTable, TakesSlowdownsWithinAMillion) {
  const auto slowdowns = parse("0,0,A,1e-6\n1,0,A,1e6\n2,1,A,1\n3,1,A,1\n");
  EXPECT_EQ(slowdowns.at(ClassId(0), GpuId(0)), 1e-6);
  EXPECT_EQ(slowdowns.at(ClassId(0), GpuId(1)), 1e6);
  expect_refusal("0,0,A,9e-7\n", "t.csv:2:7: a slowdown of 9e-07 is not within");
  expect_refusal("0,0,A,1000000.5\n", "t.csv:2:7: a slowdown of 1000000.5 is not within");
}

// A value for each class and GPU, or it is a mistake in the program.
TEST(Slowdowns, AreOneForEachClassAndGpu) {
  EXPECT_NO_THROW(Slowdowns({"A", "B"}, 2, {1, 1, 1, 1}));
  EXPECT_THROW(Slowdowns({"A", "B"}, 2, {1, 1, 1}), Error);
  EXPECT_THROW(Slowdowns({"A", "B"}, 2, {1, 1, 1, 1, 1}), Error);
}

// Of the pairs that are missing the first by class and GPU is named, be it the very first of the table.
TEST(SlowdownTable, NamesTheFirstMissingPair) {
  const std::string class_b = "0,0,B,1\n1,0,B,1\n2,1,B,1\n3,1,B,1\n";
  expect_refusal("1,0,A,1\n2,1,A,1\n3,1,A,1\n" + class_b, "t.csv: no row for GPU 0, class \"A\"");
  expect_refusal("1,0,A,1\n3,1,A,1\n" + class_b, "t.csv: no row for GPU 0, class \"A\"");
  expect_refusal(class_a + "1,0,B,1\n2,1,B,1\n3,1,B,1\n", "t.csv: no row for GPU 0, class \"B\"");
}

}  // namespace
}  // namespace palstudy
