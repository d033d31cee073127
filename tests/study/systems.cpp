// SPDX-License-Identifier: MIT
// policy.system: an axis of which each value sets several keys of [policy].
#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

class Systems : public Scratch {};
const std::string two =
    "[axes]\n\"policy.system\" = [{ name = \"a\", order = \"las\", placement = \"pal\" }, "
    "{ name = \"b\", order = \"fifo\", placement = \"packed-sticky\" }]\nseed = [1, 2]\n";

// A run of a system has the options of a run whose study gives those keys; in the archive it bears the system's name.
TEST_F(Systems, SetTheirKeys) {
  const Study study = read(minimal + two);
  ASSERT_EQ(study.runs.size(), 4u);
  for (const RunPlan& run : study.runs) {
    const bool first = run.values.at(0) == AxisValue("a");
    EXPECT_EQ(run.policy.order, first ? "las" : "fifo");
    EXPECT_EQ(run.policy.placement, first ? "pal" : "packed-sticky");
  }
  EXPECT_EQ(study.axes.at(0).key, "policy.system");
  EXPECT_EQ(study.runs[0].values.at(0), AxisValue("a"));
  EXPECT_EQ(study.runs[1].values.at(0), AxisValue("b"));
}

// The resolved study gives the same runs, and no key of a system a second time; so do systems that were chosen by hand.
TEST_F(Systems, ResolvedStudiesHaveThem) {
  for (const std::vector<std::string>& set :
       {std::vector<std::string>{}, {"policy.system=b"}, {"policy.system=[\"b\", \"a\"]"}}) {
    const Study study = read(minimal + two, set);
    const Study again = read_study(write("study-resolved.toml", study.resolved));
    EXPECT_EQ(again.resolved, study.resolved);
    ASSERT_EQ(again.runs.size(), study.runs.size());
    for (std::size_t i = 0; i < study.runs.size(); ++i) EXPECT_EQ(again.runs[i].id, study.runs[i].id);
  }
  EXPECT_EQ(read(minimal + two, {"policy.system=b"}).runs.at(0).policy.order, "fifo");
}

// Where no axis of placements is there, baselines are systems: the one that is usual if a system is called so.
TEST_F(Systems, BaselinesAreSystems) {
  EXPECT_EQ(read(minimal + "compare.baseline = \"b\"\n" + two).baselines, std::vector<std::string>{"b"});
  EXPECT_TRUE(read(minimal + two).baselines.empty());
  expect_parts(refusal(minimal + "compare.baseline = \"pal\"\n" + two),
               {"the baseline \"pal\" is not on the axis policy.system", "choose of a, b"});
}

// A parameter stands in the systems that use it, and goes with them where --set leaves them out.
TEST_F(Systems, MayHaveParameters) {
  const std::string rho =
      "[axes]\n\"policy.system\" = [{ name = \"a\", order = \"rho\", lease_s = 600 }, "
      "{ name = \"b\", order = \"las\" }]\n";
  EXPECT_EQ(read(minimal + rho).runs.at(0).policy.order_params.number("lease_s"), 600);
  const Study one = read(minimal + rho, {"policy.system=b"});
  EXPECT_EQ(read_study(write("study-resolved.toml", one.resolved)).runs.at(0).id, one.runs.at(0).id);
  expect_parts(refusal(minimal + "policy.lease_s = 60\n" + rho), {"policy.lease_s is given, and by policy.system"});
  std::string unused = rho;
  unused.replace(unused.find("rho"), 3, "srtf");
  expect_parts(refusal(minimal + unused), {"no run of this study uses policy.lease_s"});
}

// What is not such an axis is refused, with its place and what to write.
TEST_F(Systems, Refusals) {
  const auto axis = [](const std::string& tables) {
    return minimal + "[axes]\n\"policy.system\" = [" + tables + "]\n";
  };
  expect_parts(refusal(minimal + "policy.system = \"a\"\n"), {"study.toml", "policy.system wants an axis of tables"});
  expect_parts(refusal(axis("\"a\"")), {"a value of policy.system wants a name and keys", "such as { name"});
  expect_parts(refusal(axis("{ order = \"las\" }")), {"a value of policy.system wants a name and keys"});
  expect_parts(refusal(axis("{ name = 1, order = \"las\" }")), {"policy.system name wants a text that is not empty"});
  expect_parts(refusal(axis("{ name = \"a\\nb\", order = \"las\" }")), {"has a control character"});
  expect_parts(refusal(axis("{ name = \"a\" }")), {"a value of policy.system wants a name and keys"});
  expect_parts(refusal(axis("{ name = \"a\", oder = \"las\" }")), {"policy.oder", "did you mean"});
  expect_parts(refusal(axis("{ name = \"a\", order = \"last\" }")), {"unknown policy.order \"last\""});
  expect_parts(refusal(axis("{ name = \"a\", system = \"b\" }")), {"policy.system"});
  expect_parts(refusal(axis("{ name = \"a\", order = \"las\" }, { name = \"b\", backfill = \"none\" }")),
               {"policy.system \"b\" sets policy.backfill, and the first sets policy.order", "the same keys in all"});
  expect_parts(refusal(axis("{ name = \"a\", order = \"las\" }, { name = \"a\", order = \"fifo\" }")), {"twice"});
  expect_parts(refusal(minimal + "policy.order = \"las\"\n" + two),
               {"policy.order is given, and by policy.system as well"});
  expect_parts(refusal(minimal + two, {"policy.order=las"}), {"--set policy.order", "by policy.system as well"});
  expect_parts(refusal(minimal + two, {"policy.system=c"}),
               {"policy.system is the text \"c\", which the study does not have", "its systems are a, b"});
  expect_parts(refusal(minimal + two, {"policy.system=[\"a\", \"a\"]"}), {"policy.system has the text \"a\" twice"});
  expect_parts(refusal(minimal + two + "\"policy.placement\" = [\"pal\", \"pm-first\"]\n"),
               {"policy.placement is given, and by policy.system as well"});
}

}  // namespace
}  // namespace palstudy
