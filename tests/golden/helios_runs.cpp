// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "replay_world/helios_world.hpp"

namespace palstudy::replay {
namespace {

/// "node:gpus" of each node, whatever their order.
std::set<std::string> parts(std::string_view nodes) {
  std::set<std::string> all;
  for (std::size_t begin = 0; begin < nodes.size();) {
    const std::size_t end = std::min(nodes.find(';', begin), nodes.size());
    all.emplace(nodes.substr(begin, end - begin));
    begin = end + 1;
  }
  return all;
}

// The engine with one-second rounds has the semantics of Helios' simulator where no job is stopped and predictions are
// fixed: a whole run starts and ends every job when the recorded run does, on the same nodes.
TEST(HeliosRuns, AreThoseOfTheEngine) {
  const std::filesystem::path folder =
      std::filesystem::path(PALSTUDY_SOURCE_DIR) / "tests/golden/runs/helios/qssf_synth";
  const HeliosInputs inputs(folder);
  for (const std::string order : {"fifo", "sjf", "qssf"}) {
    const CsvTable recorded = CsvTable::read(folder / (order + ".csv"));
    const auto& vc = inputs.vcs.at("vcC");
    const auto ours = run_engine(inputs, vc, order, "column");
    ASSERT_EQ(recorded.rows(), ours.size());
    for (std::size_t row = 0; row < recorded.rows(); ++row) {
      SCOPED_TRACE(order + ", row " + std::to_string(row + 1));
      ASSERT_EQ(inputs.job_ids[row], recorded.text(row, recorded.column("job_id")));
      EXPECT_EQ(ours[row].start_s, recorded.number(row, recorded.column("start_s")));
      EXPECT_EQ(ours[row].end_s, recorded.number(row, recorded.column("end_s")));
      EXPECT_EQ(parts(ours[row].nodes), parts(recorded.text(row, recorded.column("nodes"))));
      EXPECT_EQ(ours[row].preemptions, 0U);
    }
  }
}

}  // namespace
}  // namespace palstudy::replay
