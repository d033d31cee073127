// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "cli/tables/profile_tables.hpp"
#include "cli/tables/text_table.hpp"
#include "inputs/profile/profile_files.hpp"

namespace palstudy {
namespace {

const FigureTable table{{"name", "Large GPUs", "share"},
                        {{"a", Figure{3, 0}, Figure{0.12345, 2, true}},
                         {"b", Figure{std::numeric_limits<double>::quiet_NaN(), 0}, Figure{1.0 / 3}}}};

// People get rounded figures, programs all digits; what is not known is a dash or null, and a count stays whole.
TEST(FigureTable, RoundsForPeopleOnly) {
  const std::string text = figures_text(table);
  EXPECT_NE(text.find("12.35 %"), std::string::npos);
  EXPECT_NE(text.find("0.3333"), std::string::npos);
  const auto json = nlohmann::json::parse(figures_json(table));
  EXPECT_EQ(json.at(0).at("large_gpus"), 3);
  EXPECT_TRUE(json.at(0).at("large_gpus").is_number_integer());
  EXPECT_EQ(json.at(0).at("share"), 0.12345);
  EXPECT_TRUE(json.at(1).at("large_gpus").is_null());
  EXPECT_EQ(json.at(1).at("share"), 1.0 / 3);
}

double number(const FigureTable& from, std::size_t row, std::size_t column) {
  return std::get<Figure>(from.rows.at(row).at(column)).value;
}

// The published SGEMM times: 392 GPUs on 86 known nodes, 4 of them over 1.05 and one over 1.10, the slowest at 1.203.
TEST(ProfileTables, OfSgemm) {
  const auto profile = load_profile("longhorn-sgemm").measured;
  const auto kernels = distribution_table(profile);
  ASSERT_EQ(kernels.rows.size(), 1U);
  EXPECT_EQ(number(kernels, 0, 1), 392);
  EXPECT_EQ(number(kernels, 0, 2), 86);
  EXPECT_NEAR(number(kernels, 0, 10), 1.203, 0.001);
  EXPECT_EQ(number(kernels, 0, 11), 4);
  EXPECT_EQ(number(kernels, 0, 12), 1);
  EXPECT_EQ(std::get<std::string>(kernels.rows[0].back()), "reliable: A; trusted: A");
  const auto nodes = node_table(profile, 1000);
  ASSERT_EQ(nodes.rows.size(), 86U);
  for (std::size_t i = 1; i < nodes.rows.size(); ++i) EXPECT_GE(number(nodes, i - 1, 3), number(nodes, i, 3));
  EXPECT_EQ(node_table(profile, 3).rows.size(), 3U);
}

// Every GPU is in one bin, and bins do not overlap.
TEST(ProfileTables, BinsHoldAllGpus) {
  const auto bins = bin_table(load_profile("longhorn-sgemm").measured, {3, false});
  double gpus = 0;
  for (std::size_t b = 0; b < bins.rows.size(); ++b) {
    gpus += number(bins, b, 3);
    if (b > 0) {
      EXPECT_LT(number(bins, b - 1, 5), number(bins, b, 4));
    }
  }
  EXPECT_EQ(gpus, 392);
}

}  // namespace
}  // namespace palstudy
