// SPDX-License-Identifier: MIT
// --set KEY=VALUE: as if the study said so.
#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

class Overrides : public Scratch {};
const std::string axes =
    "policy.order = \"las\"\n[axes]\n\"policy.placement\" = [\"pal\", \"packed-sticky\"]\nseed = [1, 2]\n";

TEST_F(Overrides, ReplaceAKey) {
  const Study set = read(minimal + axes, {"policy.order=srtf", "engine.round_s=60"});
  EXPECT_EQ(set.runs[0].policy.order, "srtf");
  EXPECT_EQ(set.runs[0].engine.round_s, 60);
  EXPECT_EQ(set.runs.size(), 4u);
}

// Bare words are texts; TOML is TOML; a name that looks like a number is a name where a text is wanted.
TEST_F(Overrides, ValuesAreTomlOrBareWords) {
  EXPECT_EQ(read(minimal, {"policy.order=\"srtf\""}).runs[0].policy.order, "srtf");
  EXPECT_EQ(read(minimal, {"workload.trace=../x, y.csv"}).runs[0].workload.trace, "../x, y.csv");
  EXPECT_EQ(read(minimal, {"study.name=2024"}).name, "2024");
  EXPECT_EQ(read(minimal, {"engine.starvation_s=inf"}).runs[0].engine.starvation_s,
            std::numeric_limits<double>::infinity());
  EXPECT_EQ(read(minimal, {"output.events = true"}).runs[0].output.events, true);
  EXPECT_EQ(read(minimal, {"cluster.nodes=[{count=3,gpus=2}]"}).runs[0].cluster.nodes[0].count, 3u);
}

// A table replaces the whole table.
TEST_F(Overrides, ReplaceATable) {
  const std::string before = minimal + "network.penalty = { node = 1.2, cabinet = 1.3, cluster = 1.4 }";
  EXPECT_EQ(read(before, {"network.penalty={cluster=2}"}).runs[0].network.penalty, (LocalityPenalty{1, 2, 2}));
  EXPECT_EQ(read(before, {"network.penalty.cluster=2"}).runs[0].network.penalty, (LocalityPenalty{1.2, 1.3, 2}));
}

// An axis becomes the one value, and stays an axis, so that the columns of the archive are the same; a list replaces
// it.
TEST_F(Overrides, ReplaceAnAxis) {
  const Study one = read(minimal + axes, {"policy.placement=pm-first"});
  ASSERT_EQ(one.runs.size(), 2u);
  EXPECT_EQ(one.axes.size(), 2u);
  EXPECT_EQ(one.runs[0].policy.placement, "pm-first");
  EXPECT_EQ(read(minimal + axes, {"policy.placement=[\"pm-first\", \"pal\", \"random-sticky\"]"}).runs.size(), 6u);
  EXPECT_EQ(read(minimal + axes, {"seed={first=1,count=5}"}).runs.size(), 10u);
}

// A baseline that --set itself names has to be on the axis. One that --set leaves out of the axis is no baseline any
// more, so that `compare` does not refuse the archive; it is said where there is something left to compare.
TEST_F(Overrides, BaselinesThatAreLeftOut) {
  const std::string both = "compare.baseline = [\"packed-sticky\", \"pal\"]\n";
  expect_parts(
      refusal(minimal + axes, {"compare.baseline=random-sticky"}),
      {"--set compare.baseline", "the baseline \"random-sticky\" is not on the axis policy.placement", "choose of"});
  const Study two = read(minimal + both + axes, {"policy.placement=[\"pm-first\", \"pal\"]"});
  EXPECT_EQ(two.baselines, std::vector<std::string>{"pal"});
  const auto lost = [](const std::string& name, bool is_axis) {
    return std::vector<Note>{
        {"lost-baseline", Severity::care, name, {{"key", "policy.placement"}, {"is_axis", is_axis}}}};
  };
  EXPECT_EQ(two.notes, lost("packed-sticky", true));
  EXPECT_EQ(parse_study(two.resolved, "again").baselines, two.baselines);
  const Study one = read(minimal + both + axes, {"policy.placement=pm-first"});
  EXPECT_TRUE(one.baselines.empty());
  EXPECT_TRUE(one.notes.empty());
  EXPECT_EQ(read(minimal + both, {}).notes, lost("", false));
  const std::string single = "compare.baseline = \"packed-sticky\"\n";
  EXPECT_TRUE(read(minimal + single + axes, {"policy.placement=[\"pm-first\", \"pal\"]"}).baselines.empty());
}

// Seeds by the list or by the range make an axis where the study has none, as if it stood under [axes], also in place
// of one value; no other key does.
TEST_F(Overrides, AddAnAxisOfSeeds) {
  const std::string placements = "[axes]\n\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n";
  const Study written = read(minimal + placements + "seed = { first = 1, count = 10 }\n");
  const Study set = read(minimal + placements, {"seed={first=1,count=10}"});
  ASSERT_EQ(set.runs.size(), 20u);
  EXPECT_EQ(set.resolved, written.resolved);
  for (std::size_t i = 0; i < set.runs.size(); ++i) EXPECT_EQ(set.runs[i].id, written.runs[i].id);
  const Study of_cluster = read("seed = 7\ncluster.seed = 3\n" + minimal, {"cluster.seed={first=4,count=3}"});
  ASSERT_EQ(of_cluster.runs.size(), 3u);
  EXPECT_EQ(of_cluster.runs[2].cluster.seed, 6u);
  EXPECT_EQ(of_cluster.runs[2].workload.seed, 7u);
  EXPECT_EQ(read(minimal, {"workload.seed=[5, 9]"}).runs.at(1).workload.seed, 9u);
  expect_parts(refusal(minimal, {"seed={first=1}"}), {"--set seed={first=1}", "not a range of integers"});
  expect_parts(refusal(minimal, {"seed=[1, 1]"}), {"has 1 twice"});
}

// Seeds up to the largest are no error, one more is; that is another thing than too many of them.
TEST_F(Overrides, SayThatSeedsGoBeyondTheLargest) {
  EXPECT_EQ(read(minimal, {"seed={first=9223372036854775806,count=2}"}).runs.size(), 2u);
  expect_parts(refusal(minimal, {"seed={first=9223372036854775806,count=3}"}),
               {"the axis seed goes beyond 9223372036854775807", "begin with a smaller one"});
  expect_parts(refusal(minimal, {"seed={first=1,count=1000001}"}), {"the axis seed is too long"});
}

// The same point by another way is the same run.
TEST_F(Overrides, GiveTheSameIds) {
  EXPECT_EQ(read(minimal, {"policy.order=las"}).runs[0].id, read(minimal + "policy.order = \"las\"").runs[0].id);
}

TEST_F(Overrides, AreCheckedLikeTheFile) {
  expect_parts(refusal(minimal, {"policy.ordr=las"}), {"--set policy.ordr=las", "did you mean policy.order?"});
  expect_parts(refusal(minimal, {"policy.order=lass"}), {"--set policy.order=lass", "did you mean \"las\"?"});
  expect_parts(refusal(minimal, {"cluster.gpus=6x"}), {"--set cluster.gpus=6x", "an integer"});
  expect_parts(refusal(minimal, {"cluster.gpus="}), {"--set cluster.gpus=", "an integer"});
  expect_parts(refusal(minimal, {"policy.order"}), {"KEY=VALUE"});
  expect_parts(refusal(minimal, {"=3"}), {"KEY=VALUE"});
  expect_parts(refusal(minimal, {"policy.order=[\"fifo\"]"}), {"under [axes]"});
  expect_parts(refusal(minimal + axes, {"seed=[]"}), {"--set seed=[]", "is empty"});
  expect_parts(refusal(minimal, {"stop.looks=9"}), {"a rising list of numbers of seeds"});
  expect_parts(refusal(minimal, {"seed=1\nengine.round_s = 3"}), {"an integer"});
}

// A whole number that does not fit is called so, not a text; where a text is wanted it is one.
TEST_F(Overrides, IntegersBeyond64BitsAreCalledSo) {
  const std::string axis = minimal + "[axes]\n\"cluster.bins\" = [1, 2]\n";
  for (const std::string value :
       {"9223372036854775808", "-9223372036854775809", "99999999999999999999", "0xfffffffffffffffff"}) {
    const std::string set = "cluster.gpus=" + value;
    expect_parts(refusal(minimal, {set}), {"--set " + set, "a whole number beyond 64 bits", "9223372036854775807"});
    expect_parts(refusal(axis, {"cluster.bins=[1, " + value + "]"}), {"--set cluster.bins", "beyond 64 bits"});
    expect_parts(refusal(minimal + "engine.round_s = " + value + "\n", {}), {"a whole number beyond 64 bits"});
  }
  EXPECT_EQ(read(minimal, {"study.name=99999999999999999999"}).name, "99999999999999999999");
  expect_parts(refusal(minimal, {"cluster.gpsu=99999999999999999999"}), {"did you mean cluster.gpus?"});
}

}  // namespace
}  // namespace palstudy
