// SPDX-License-Identifier: MIT
#include "inputs/power_inputs.hpp"

#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

class NodeSeriesFile : public Scratch {
 protected:
  [[nodiscard]] std::string refused(const std::string& text) const {
    try {
      (void)read_node_series(write("series.csv", text));
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::data);
      return error.what();
    }
    return "accepted";
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

}  // namespace
}  // namespace palstudy
