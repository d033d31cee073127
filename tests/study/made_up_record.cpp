// SPDX-License-Identifier: MIT
// Records that stand for runs which nobody simulated, where an archive is weighed: as hard to pack as the real ones.
#include "study/made_up_record.hpp"

#include <cmath>

#include "scratch.hpp"
#include "sim/exchange.hpp"
#include "study/campaign.hpp"

namespace palstudy {
namespace {

class MadeUpRecords : public Scratch {
 protected:
  MadeUpRecords() {
    std::string table = "gpu_id,node_id,class,score\n",
                trace = "job_id,submit_s,num_gpus,iterations,iteration_s,class\n";
    for (int gpu = 0; gpu < 8; ++gpu) {
      table += std::to_string(gpu) + "," + std::to_string(gpu / 4) + ",A," + std::to_string(1 + 0.01 * gpu) + "\n";
    }
    for (int job = 0; job < 30; ++job) {
      trace += std::to_string(job) + "," + std::to_string(100 * job) + "," + std::to_string(1 + job % 4) + "," +
               std::to_string(1000 + 37 * job) + ",0.7,A\n";
    }
    write("c.csv", table);
    write("jobs.csv", trace);
    study = read(minimal + "cluster.gpus = 8\nmeasure.jobs = { first = 0, last = 29 }\n[axes]\nseed = [1, 2, 3]\n");
    inputs.emplace(study);
    LocalExchange alone;
    real = *execute(study, study.runs.at(0), *inputs, alone);
  }
  [[nodiscard]] RunRecord made_up(std::size_t number, double jobs = 0) {
    return made_up_record(study, study.runs.at(1), inputs->load(study.runs.at(1)), jobs, {&real, number});
  }
  static double metric(const RunRecord& record, std::string_view name) {
    const ColumnValues& values = *record.runs.find(name);
    if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&values)) {
      return static_cast<double>(integers->front());
    }
    return std::get<std::vector<double>>(values).front();
  }
  static const std::vector<double>& busy_s(const RunRecord& record) {
    return std::get<std::vector<double>>(*record.nodes.find("busy_s"));
  }

  Study study;
  std::optional<Inputs> inputs;
  RunRecord real;
};

// A mean of many jobs has other digits in every run; what is nowhere, such as unfinished jobs, is nowhere.
TEST_F(MadeUpRecords, HaveMetricsNearThoseOfTheirModel) {
  const RunRecord one = made_up(1), other = made_up(2);
  for (const char* name : {"jct_mean_s", "busy_fraction", "effective_fraction", "bounded_slowdown_mean"}) {
    EXPECT_NE(metric(one, name), metric(other, name)) << name;
  }
  for (const MetricInfo& info : metric_infos) {
    const double seen = metric(real, info.name), made = metric(one, info.name);
    if (seen == 0 || std::isnan(seen)) {
      EXPECT_TRUE(made == seen || (std::isnan(made) && std::isnan(seen))) << info.name;
    } else {
      EXPECT_NEAR(made / seen, 1, 0.06) << info.name;
    }
  }
  ASSERT_EQ(busy_s(one).size(), 2u);
  for (std::size_t node = 0; node < 2; ++node) {
    EXPECT_NEAR(busy_s(one)[node] / busy_s(real)[node], 1, 0.06);
    EXPECT_NE(busy_s(one)[node], busy_s(other)[node]);
  }
}

// Compression finds what is the same in two runs, so runs that came to the same have to have the same number.
TEST_F(MadeUpRecords, AreAlikeWithTheSameNumber) {
  const RunRecord one = made_up(7), again = made_up(7);
  for (const MetricInfo& info : metric_infos) {
    const double left = metric(one, info.name), right = metric(again, info.name);
    EXPECT_TRUE(left == right || (std::isnan(left) && std::isnan(right))) << info.name;
  }
  EXPECT_EQ(busy_s(one), busy_s(again));
}

// As many rows as were asked for, and no more than there are jobs.
TEST_F(MadeUpRecords, HaveRowsOfTheFirstJobs) {
  EXPECT_EQ(made_up(1).jobs.rows(), 0u);
  EXPECT_EQ(made_up(1, 12.7).jobs.rows(), 12u);
  EXPECT_EQ(made_up(1, 1000).jobs.rows(), 30u);
}

}  // namespace
}  // namespace palstudy
