// SPDX-License-Identifier: MIT
// The data in jobs/ is what its README says.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "core/csv.hpp"
#include "workload/models.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

const std::filesystem::path traces = PALSTUDY_SOURCE_DIR "/jobs/traces";

class SiaPhilly : public ::testing::TestWithParam<int> {};

// 160 jobs, 56 to 75 of them on one GPU, sorted, and the first 160 of the continued trace are the same jobs; job k
// after them is job k mod 160 with another arrival. The models of the table give the class and the time that the
// continued files state.
TEST_P(SiaPhilly, TheContinuedTraceBeginsWithTheTraceAndRepeatsIt) {
  const auto models = testing_workload::carried_models();
  const auto number = std::to_string(GetParam());
  const auto trace = read_trace(traces / "sia-philly" / ("workload-" + number + ".csv"), "sia", models);
  const auto continued = read_trace(traces / "sia-philly/continued" / ("sia" + number + ".csv"), "native", models);
  EXPECT_TRUE(trace.notes.empty());
  EXPECT_TRUE(continued.notes.empty());
  ASSERT_EQ(trace.jobs.size(), 160u);
  ASSERT_GT(continued.jobs.size(), 160u);
  int single = 0;
  for (std::size_t k = 0; k < continued.jobs.size(); ++k) {
    const Job& job = continued.jobs[k];
    const Job& row = trace.jobs[k % 160];
    ASSERT_EQ(job.id, static_cast<std::int64_t>(k));
    ASSERT_EQ(job.gpus, row.gpus) << k;
    ASSERT_EQ(job.iterations, row.iterations) << k;
    ASSERT_EQ(job.iteration_s, row.iteration_s) << k;
    ASSERT_EQ(continued.classes[job.cls.index()], trace.classes[row.cls.index()]) << k;
    ASSERT_EQ(continued.models[job.model], trace.models[row.model]) << k;
    if (k >= 160) continue;
    ASSERT_EQ(job.submit_s, row.submit_s) << k;
    single += job.gpus == 1 ? 1 : 0;
  }
  EXPECT_GE(single, 56);
  EXPECT_LE(single, 75);
}

INSTANTIATE_TEST_SUITE_P(All, SiaPhilly, ::testing::Range(1, 9));

TEST(GavelPhilly, HasTheDemandsThatItsReadmeCounts) {
  const auto table = CsvTable::read(traces / "gavel-philly/gavel_philly_by_vc.csv");
  std::map<long long, int> count;
  const auto column = table.column("num_gpus");
  for (std::size_t row = 0; row < table.rows(); ++row) ++count[table.integer(row, column)];
  const std::map<long long, int> expected = {{1, 10480}, {2, 463}, {4, 2044}, {7, 2},   {8, 1916}, {12, 6},
                                             {16, 255},  {20, 1},  {24, 5},   {32, 91}, {64, 1}};
  EXPECT_EQ(count, expected);
}

}  // namespace
}  // namespace palstudy
