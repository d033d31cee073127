// SPDX-License-Identifier: MIT
// Tables of power: the bundled one, and what is refused.
#include "workload/power_table.hpp"

#include <gtest/gtest.h>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "message_of.hpp"

namespace palstudy {
namespace {

constexpr const char* header = "name,kind,watts,exponent\n";

// The numbers are the medians of the measurements beside the table: kernels/measurements/power/README.md.
TEST(PowerTable, OfV100s) {
  const PowerTable table = power_table(CsvTable::read(PALSTUDY_SOURCE_DIR "/kernels/measurements/power/v100.csv"));
  EXPECT_EQ(table.idle_w, 44);
  ASSERT_EQ(table.busy.size(), 4U);
  EXPECT_EQ(table.busy.at("sgemm").watts, 297.2);
  EXPECT_EQ(table.busy.at("sgemm").kind, PowerKind::capped);
  EXPECT_EQ(table.busy.at("bert").kind, PowerKind::lockstep);
  EXPECT_EQ(table.busy.at("pagerank").kind, PowerKind::uncapped);
  EXPECT_EQ(table.busy.at("pagerank").exponent, 1.15);
}

// The class goes before the measurements, and these before their application.
TEST(PowerTable, TheMostSpecificNameCounts) {
  const std::string rows = "idle,idle,40,\nsgemm,capped,300,\nlonghorn-sgemm,capped,290,\nA,lockstep,200,\n";
  const PowerTable table = power_table(CsvTable::parse(header + rows, "t.csv"));
  EXPECT_EQ(table.find("A", "longhorn-sgemm")->watts, 200);
  EXPECT_EQ(table.find("B", "longhorn-sgemm")->watts, 290);
  EXPECT_EQ(table.find("B", "frontera-sgemm")->watts, 300);
  EXPECT_EQ(table.find("sgemm", "sgemm")->watts, 300);
  EXPECT_EQ(table.find("B", "longhorn-bert"), nullptr);
}

// A million watts and the tenth power are the most; only an uncapped row has an exponent, whatever stands in others.
TEST(PowerTable, LimitsMayBeReached) {
  const std::string rows = "idle,idle,0,\nA,uncapped,1000000,10\nB,uncapped,0,0\nC,capped,300,no\n";
  const PowerTable table = power_table(CsvTable::parse(header + rows, "t.csv"));
  EXPECT_EQ(table.idle_w, 0);
  EXPECT_EQ(table.busy.at("A").watts, 1e6);
  EXPECT_EQ(table.busy.at("A").exponent, 10);
  EXPECT_EQ(table.busy.at("B").watts, 0);
  EXPECT_EQ(table.busy.at("C").exponent, 0);
}

TEST(PowerTable, Refusals) {
  const auto refuse = [](const std::string& rows, const char* what) {
    EXPECT_NE(
        message_of(ErrorCode::data, [&] { (void)power_table(CsvTable::parse(header + rows, "t.csv")); }).find(what),
        std::string::npos);
  };
  refuse("A,capped,300,\n", "no row of kind idle");
  refuse("A,fixed,300,\nidle,idle,40,\n", "t.csv:2:3: \"fixed\" in column kind");
  refuse("A,capped,-1,\nidle,idle,40,\n", "t.csv:2:10: -1 in column watts");
  refuse("A,uncapped,80,\nidle,idle,40,\n", "t.csv:2");
  refuse("A,uncapped,80,11\nidle,idle,40,\n", "t.csv:2:15: 11 in column exponent");
  refuse("A,capped,1000001,\nidle,idle,40,\n", "t.csv:2:10: 1000001 in column watts");
  refuse("A,capped,80,\nA,capped,90,\nidle,idle,40,\n", "\"A\" is there twice");
  refuse("idle,idle,40,\nidle,idle,44,\n", "a second row of kind idle");
}

}  // namespace
}  // namespace palstudy
