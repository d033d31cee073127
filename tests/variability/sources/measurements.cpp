// SPDX-License-Identifier: MIT
#include "variability/sources/measurements.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <tuple>

#include "core/error.hpp"
#include "message_of.hpp"
#include "stats/descriptive.hpp"
#include "topology/gpu_set.hpp"
#include "variability/carried.hpp"

namespace palstudy {
namespace {

// A folder with the two files of a measurement "m", removed at the end.
class MeasurementFiles : public testing::Test {
 protected:
  void SetUp() override {
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    dir_ = std::filesystem::temp_directory_path() / ("palstudy-" + name + "-" + std::to_string(getpid()));
    std::filesystem::create_directories(dir_ / "runs");
  }
  void TearDown() override { std::filesystem::remove_all(dir_); }

  Measurements read(const std::string& gpus, const std::string& runs) {
    std::ofstream(dir_ / "m.csv") << gpus;
    std::ofstream(dir_ / "runs" / "m.csv") << runs;
    return read_measurements(dir_, "m");
  }
  // The files have to be refused as data, with this in the message.
  void expect_refusal(const std::string& gpus, const std::string& runs, const std::string& message) {
    EXPECT_NE(message_of(ErrorCode::data, [&] { static_cast<void>(read(gpus, runs)); }).find(message),
              std::string::npos);
  }

  std::filesystem::path dir_;
};

const std::string gpus_csv = "gpu_id,host,local_gpu,runs,median_ms\na,h,0,2,3\nb,,,1,7\n";
const std::string runs_csv = "gpu_id,run,time_ms\na,0,2\nb,0,7\na,1,4\n";

// Runs go to their GPU in file order, whatever the order of the file; what is not known stays so.
TEST_F(MeasurementFiles, AreJoined) {
  const Measurements m = read(gpus_csv, runs_csv);
  EXPECT_EQ(m.name, "m");
  ASSERT_EQ(m.gpus.size(), 2U);
  EXPECT_EQ(m.runs(), 3U);
  EXPECT_EQ(m.gpus[0].times_ms, (std::vector<double>{2, 4}));
  EXPECT_EQ(m.gpus[0].median, 3);
  EXPECT_EQ(m.gpus[0].host, "h");
  EXPECT_EQ(m.gpus[0].local, 0);
  EXPECT_EQ(m.gpus[1].host, "");
  EXPECT_EQ(m.gpus[1].local, -1);
}

// Host, local index, number of runs and median may be left out: then nothing is held against the runs.
TEST_F(MeasurementFiles, NeedIdsAndTimesOnly) {
  const Measurements m = read("gpu_id\na\nb\n", runs_csv);
  EXPECT_EQ(m.gpus[1].host, "");
  EXPECT_EQ(m.gpus[0].median, 3);
}

TEST_F(MeasurementFiles, ThatDoNotFitTogetherAreRefused) {
  expect_refusal(gpus_csv, "gpu_id,run,time_ms\na,0,2\na,1,4\n", "m.csv:3:1: GPU \"b\" has no runs");
  expect_refusal(gpus_csv, runs_csv + "c,0,1\n", "m.csv:5:1: a run of GPU \"c\"");
  expect_refusal(gpus_csv, runs_csv + "b,1,7\n", "m.csv:3:5: GPU \"b\" has 1 runs here and 2 in");
  expect_refusal("gpu_id,median_ms\na,3.1\nb,7\n", runs_csv, "m.csv:2:3: GPU \"a\" has the median 3.1 here and 3 over");
}

TEST_F(MeasurementFiles, ThatAreBrokenAreRefused) {
  expect_refusal("gpu_id\na\nb\na\n", runs_csv, "m.csv:4:1: GPU \"a\" is there twice");
  expect_refusal("gpu_id,host\n,h\n", runs_csv, "m.csv:2:1: a GPU without an id");
  expect_refusal("gpu_id\n", "gpu_id,time_ms\n", "no GPUs");
  expect_refusal("gpu_id\na\nb\n", "gpu_id,time_ms\na,0\nb,1\n", "m.csv:2:3: a time of 0 is not positive");
  expect_refusal("gpu_id\na\nb\n", "gpu_id,time_ms\na,-2\nb,1\n", "m.csv:2:3: a time of -2 is not positive");
  expect_refusal("gpu_id\na\nb\n", "gpu_id,time_ms\na,nan\nb,1\n", "m.csv:2:3: ");
  expect_refusal("gpu_id,local_gpu\na,-1\nb,1\n", runs_csv, "m.csv:2:3: ");
  expect_refusal("gpu\na\n", runs_csv, "gpu_id");
  expect_refusal("gpu_id\na\nb\n", "gpu_id,time_s\na,1\nb,1\n", "time_ms");
}

// A temperature is kept where there is one. A node has local indices up to one less than the GPUs it may have, and a
// median may be off by the rounding of both files, a ten-thousandth.
TEST_F(MeasurementFiles, KeepTemperaturesAndAreRounded) {
  const Measurements m = read("gpu_id,temp_c,median_ms\na,61.5,3.0002\nb,,7\n", runs_csv);
  EXPECT_EQ(m.gpus[0].temp_c, 61.5);
  EXPECT_TRUE(std::isnan(m.gpus[1].temp_c));
  EXPECT_EQ(m.gpus[0].median, 3);
  expect_refusal("gpu_id,median_ms\na,3.0005\nb,7\n", runs_csv, "GPU \"a\" has the median 3.0005 here");
  expect_refusal("gpu_id,median_ms\na,2.9995\nb,7\n", runs_csv, "GPU \"a\" has the median 2.9995 here");
  const std::string most = std::to_string(max_gpus_per_node - 1), beyond = std::to_string(max_gpus_per_node);
  EXPECT_EQ(read("gpu_id,local_gpu\na,0\nb," + most + "\n", runs_csv).gpus[1].local,
            static_cast<int>(max_gpus_per_node) - 1);
  expect_refusal("gpu_id,local_gpu\na,0\nb," + beyond + "\n", runs_csv, "m.csv:3:3: ");
}

TEST_F(MeasurementFiles, ThatAreMissingAreRefused) {
  EXPECT_THROW(static_cast<void>(read_measurements(dir_, "m")), Error);
  std::ofstream(dir_ / "m.csv") << gpus_csv;
  EXPECT_THROW(static_cast<void>(read_measurements(dir_, "m")), Error);
}

// What is carried reads without complaint and has the GPUs and runs that its README states. The README also states that
// no Longhorn GPU has a ResNet-50 median over 1.123 though 19 of its runs are over 2.
TEST(CarriedMeasurements, AreWhatTheirReadmeSays) {
  const std::vector<std::tuple<std::string, std::size_t, std::size_t>> expected = {
      {"longhorn-sgemm", 392, 8803},    {"longhorn-resnet50", 336, 1404}, {"longhorn-bert", 136, 1096},
      {"longhorn-pagerank", 172, 880},  {"frontera-resnet50", 296, 1480}, {"frontera-bert", 276, 1656},
      {"frontera-pagerank", 248, 1240}, {"lonestar6-resnet50", 219, 219}};
  for (const auto& [name, gpus, runs] : expected) {
    const Measurements m = carried(name);
    EXPECT_EQ(m.gpus.size(), gpus) << name;
    EXPECT_EQ(m.runs(), runs) << name;
  }
  const Measurements resnet = carried("longhorn-resnet50");
  std::vector<double> medians, runs;
  for (const auto& gpu : resnet.gpus) {
    medians.push_back(gpu.median);
    runs.insert(runs.end(), gpu.times_ms.begin(), gpu.times_ms.end());
  }
  EXPECT_LT(*std::max_element(medians.begin(), medians.end()) / median(medians), 1.123);
  const double twice = 2 * median(runs);
  EXPECT_EQ(std::count_if(runs.begin(), runs.end(), [&](double t) { return t > twice; }), 19);
}

// Odd: the middle one; even: the mean of the middle two; nothing has none.
TEST(Median, ByHand) {
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 3, 2}), 2.5);
  EXPECT_EQ(median({7}), 7);
  EXPECT_THROW(static_cast<void>(median({})), Error);
}

}  // namespace
}  // namespace palstudy
