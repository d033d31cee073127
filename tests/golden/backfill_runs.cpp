// SPDX-License-Identifier: MIT
// Whole runs of the engine against recorded starts (runs/backfill/README.md): with jobs that start when others arrive
// or end, on a flat machine, every start of FCFS, EASY and conservative backfilling is equal.
#include <gtest/gtest.h>

#include <filesystem>

#include "core/csv.hpp"
#include "sim/small_world.hpp"

namespace palstudy {
namespace {

SmallWorld recorded_world(const std::filesystem::path& input) {
  const CsvTable jobs = CsvTable::read(input / "jobs.csv");
  const auto number = [&](std::size_t row, const char* column) { return jobs.number(row, jobs.column(column)); };
  SmallWorld world;
  world.gpus_per_node = 32;
  world.penalty = {1, 1, 1};
  world.engine.start = Start::event;
  for (std::size_t row = 0; row < jobs.rows(); ++row) {
    world.add(number(row, "submit_s"), static_cast<std::uint32_t>(number(row, "num_gpus")), number(row, "duration_s"));
    world.jobs.back().estimate_s = number(row, "estimate_s");
  }
  world.measure.last = static_cast<std::int64_t>(jobs.rows()) - 1;
  return world;
}

TEST(BackfillRuns, EveryStartIsEqual) {
  for (const char* input : {"bg1_exact", "bg2_uniform", "bg3_classes"}) {
    const auto folder = std::filesystem::path(PALSTUDY_SOURCE_DIR) / "tests/golden/runs/backfill" / input;
    const CsvTable recorded = CsvTable::read(folder / "expected.csv");
    SmallWorld world = recorded_world(folder);
    for (const auto& [name, backfill] : {std::pair("fcfs", ""), {"easy", "easy"}, {"conservative", "conservative"}}) {
      world.backfill = backfill;
      const RunResult result = world.run();
      EXPECT_EQ(result.metric(Metric::reservation_violations), 0);
      for (std::size_t row = 0; row < recorded.rows(); ++row) {
        const std::size_t column = recorded.column(std::string(name) + "_start_s");
        ASSERT_EQ(result.jobs.start_s[row], recorded.number(row, column)) << input << " " << name << " " << row;
      }
    }
  }
}

}  // namespace
}  // namespace palstudy
