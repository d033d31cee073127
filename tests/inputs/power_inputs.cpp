// SPDX-License-Identifier: MIT
#include "inputs/power_inputs.hpp"

#include <optional>

#include "campaign/scratch.hpp"
#include "sim/state/energy_model.hpp"

namespace palstudy {
namespace {

class NodeSeriesFile : public Scratch {
 protected:
  [[nodiscard]] std::string refused(const std::string& text) const {
    return message_of(ErrorCode::data, [&] { (void)read_node_series(write("series.csv", text)); });
  }
};

TEST_F(NodeSeriesFile, ReadsItsColumns) {
  const NodeSeries series = read_node_series(write("s.csv", "total,tick,used,more,forecast\n4,7,1,x,1.5\n5,8,5,y,2\n"));
  EXPECT_EQ(series.total, (std::vector<double>{4, 5}));
  EXPECT_EQ(series.used, (std::vector<double>{1, 5}));
  EXPECT_EQ(series.forecast, (std::vector<double>{1.5, 2}));
  EXPECT_TRUE(read_node_series(write("s.csv", "tick,total,used\n0,4,0\n")).forecast.empty());
}

// Each message has the place.
TEST_F(NodeSeriesFile, RefusesWhatCannotBe) {
  const auto expect_part = [&](const std::string& text, const std::string& part) {
    EXPECT_NE(refused(text).find(part), std::string::npos) << refused(text);
  };
  expect_part("tick,total,used\n", "no rows");
  expect_part("tick,total\n0,4\n", "used");
  expect_part("tick,total,used\n0,4,1\n2,4,1\n", "series.csv:3:1: tick 2 follows tick 0");
  expect_part("tick,total,used\n0,4,5\n", "series.csv:2:5");
  expect_part("tick,total,used\n0,0,0\n", "series.csv:2:3");
  expect_part("tick,total,used\n0,4,1.5\n", "series.csv:2:5");
  expect_part("tick,total,used,forecast\n0,4,1,nan\n", "series.csv:2:7");
}

/// Four GPUs of the classes A and B; five jobs of all GPUs and 100 s, one of which is not measured.
class EnergyOf : public Scratch {
 protected:
  EnergyOf() {
    write_cluster(4, 2, [](int) { return 1; }, {"A", "B"});
    write_trace_of(5, [](int) { return "0,4,100,1,A"; });
    write("watts.csv", "name,kind,watts,exponent\nA,capped,300,\nB,lockstep,200,\nidle,idle,40,\n");
    write("same.csv", "name,kind,watts,exponent\nA,capped,300,\nB,lockstep,200,\nidle,idle,40,\n");
  }
  [[nodiscard]] Study study(const std::string& more) const {
    return read(minimal + "cluster.gpus = 4\ncluster.gpus_per_node = 2\n" + more);
  }
  [[nodiscard]] EnergyModel model(const std::string& more) const {
    const Study one = study("measure.jobs.last = 3\npower.watts = \"watts.csv\"\n" + more);
    Inputs inputs(one);
    return *inputs.load(one.runs.at(0)).energy;
  }
};

// What a waiting GPU of a lockstep class draws lies between idle, 40 W or what is given, and its 200 W. The horizon is
// given, or the end of the run, or 1.5 times the 400 s that four GPUs need for the four measured jobs.
TEST_F(EnergyOf, KeysAndTableMakeTheModel) {
  const EnergyModel usual = model("");
  EXPECT_EQ(usual.idle_w, 40);
  EXPECT_EQ(usual.classes.at(0).wait_w, 300);
  EXPECT_EQ(usual.classes.at(1).wait_w, 120);
  EXPECT_EQ(usual.classes.at(1).busy_w, 200);
  EXPECT_EQ(usual.leaky, std::optional(ClassId(0)));
  EXPECT_EQ(usual.horizon_s, 600);
  EXPECT_EQ(model("measure.end_s = 70\n").horizon_s, 70);
  EXPECT_EQ(model("measure.end_s = 70\npower.horizon_s = 80\n").horizon_s, 80);
  const EnergyModel given = model("power.idle_w = 0\npower.wait = 0.25\n");
  EXPECT_EQ(given.idle_w, 0);
  EXPECT_EQ(given.classes.at(1).wait_w, 50);
}

// It is made once for the runs that agree in all that it is made from.
TEST_F(EnergyOf, RunsWithOtherKeysHaveOthers) {
  const auto share = [&](const std::string& key, const std::string& values) {
    const std::string watts = key == "power.watts" ? "" : "power.watts = \"watts.csv\"\n";
    const Study two = study(watts + "[axes]\n\"" + key + "\" = " + values + "\n");
    EXPECT_EQ(two.runs.size(), 2u) << key;
    Inputs inputs(two);
    return inputs.load(two.runs.at(0)).energy == inputs.load(two.runs.at(1)).energy;
  };
  for (const char* key : {"power.idle_w", "power.base_w", "power.off_w", "power.pue", "power.horizon_s",
                          "measure.end_s", "measure.jobs.last", "measure.window_s"}) {
    EXPECT_FALSE(share(key, "[1, 2]")) << key;
  }
  EXPECT_FALSE(share("power.wait", "[0, 1]"));
  EXPECT_FALSE(share("power.watts", "[\"watts.csv\", \"same.csv\"]"));
  EXPECT_TRUE(share("policy.placement", "[\"pal\", \"packed-sticky\"]"));
}

}  // namespace
}  // namespace palstudy
