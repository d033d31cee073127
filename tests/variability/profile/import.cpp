// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>

#include "core/error.hpp"
#include "message_of.hpp"
#include "variability/carried.hpp"
#include "variability/profile/profile.hpp"
#include "variability/profile/profile_import.hpp"
#include "variability/sources/measurements.hpp"

namespace palstudy {
namespace {

// What a profile says of an import is what the CSV says, to single precision, run by run in the order of the file; GPUs
// in the order of a profile.
TEST(ImportMeasurements, ComesBackAsTheCsv) {
  for (const std::string name : {"longhorn-pagerank", "lonestar6-resnet50"}) {
    const Measurements from = carried(name);
    const Profile profile = in_order(import_measurements(carried_measurements / (name + ".csv"), "s"));
    check_profile(profile, name);
    EXPECT_EQ(profile.origin, "imported");
    const auto all = measurements_of(profile);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].name, name);
    ASSERT_EQ(all[0].gpus.size(), from.gpus.size());
    std::size_t same = 0;
    for (const auto& gpu : from.gpus) {
      for (const auto& other : all[0].gpus) {
        if (gpu.id != other.id) continue;
        ++same;
        EXPECT_EQ(gpu.host, other.host);
        EXPECT_EQ(gpu.local, other.local);
        EXPECT_TRUE(other.session_of_run.empty());
        ASSERT_EQ(gpu.times_ms.size(), other.times_ms.size());
        for (std::size_t i = 0; i < gpu.times_ms.size(); ++i) {
          EXPECT_NEAR(other.times_ms[i] / gpu.times_ms[i], 1, 1e-7);
        }
      }
    }
    EXPECT_EQ(same, from.gpus.size());
  }
}

// Sensors and times of a run are kept where the file has them: the first run of the first GPU of Longhorn.
TEST(ImportMeasurements, KeepsSensors) {
  const Profile profile = import_measurements(carried_measurements / "longhorn-pagerank.csv", "s");
  const ProfileRepeat& first = profile.repeats[0];
  EXPECT_EQ(first.start_ns, 1648045347LL * 1000000000);
  EXPECT_EQ(first.telemetry.power_w, std::vector<double>{78.722});
  EXPECT_EQ(first.telemetry.sm_mhz, std::vector<double>{1530});
  EXPECT_TRUE(std::isnan(first.telemetry.energy_j.at(0)));
  EXPECT_EQ(profile.gpus[0].cabinet, "c002");
  EXPECT_FALSE(profile.sessions.at(0).solo);  // the file does not say that GPUs were measured one at a time
}

/// A profile of one GPU with these runs, by way of files that are removed.
Profile import_of_runs(const std::string& runs) {
  const auto dir = std::filesystem::temp_directory_path() / ("palstudy-import-" + std::to_string(getpid()));
  std::filesystem::create_directories(dir / "runs");
  std::ofstream(dir / "m.csv") << "gpu_id\na\n";
  std::ofstream(dir / "runs" / "m.csv") << runs;
  Profile profile;
  const Error error = error_of([&] {
    profile = import_measurements(dir / "m.csv", "s");
    throw fault("imported");
  });
  std::filesystem::remove_all(dir);
  if (error.code() != ErrorCode::fault) throw error;
  return profile;
}

// The column `run` has times since 1970, from 2001 on, or else numbers of runs, which are no times; a number that no
// time in nanoseconds can be is none either. A run without any sensor has no samples.
TEST(ImportMeasurements, NumbersOfRunsAreNoTimes) {
  const Profile profile = import_of_runs(
      "gpu_id,run,time_ms,power_w\na,7,2,\na,1000000000,3,250\na,999999999,4,\na,,5,\na,9999999999,6,\n");
  ASSERT_EQ(profile.repeats.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    const ProfileRepeat& repeat = profile.repeats[i];
    EXPECT_EQ(repeat.repeat, static_cast<std::int32_t>(i));
    EXPECT_EQ(repeat.batch_ms, std::vector<float>{static_cast<float>(i + 2)});
    EXPECT_EQ(repeat.start_ns, i == 1 ? 1000000000000000000 : 0) << i;
    EXPECT_EQ(repeat.telemetry.t_ns.size(), i == 1 ? 1U : 0U) << i;
  }
  const ProfileTelemetry& sensors = profile.repeats[1].telemetry;
  EXPECT_EQ(sensors.t_ns, std::vector<std::int64_t>{1000000000000000000});
  EXPECT_EQ(sensors.power_w, std::vector<double>{250});
  EXPECT_TRUE(std::isnan(sensors.sm_mhz.at(0)) && std::isnan(sensors.mem_mhz.at(0)));
  EXPECT_EQ(sensors.reasons, std::vector<std::int64_t>{0});
  check_profile(profile, "m");
}

// Times are kept in single precision; one that becomes nothing there, or infinite, is refused where it stands.
TEST(ImportMeasurements, RefusesTimesBeyondSinglePrecision) {
  for (const std::string time : {"1e-60", "1e60"}) {
    const Error error = error_of([&] { (void)import_of_runs("gpu_id,time_ms\na," + time + "\n"); });
    EXPECT_EQ(error.code(), ErrorCode::data) << time;
    EXPECT_NE(std::string(error.what()).find("m.csv:2:3: a time that single precision"), std::string::npos)
        << error.what();
  }
}

const std::string head =
    "==PROF== Connected to process 7 (/bin/app)\nstarting, step 1\n==PROF== Profiling \"k\": 0%....100% - 1 pass\n"
    "\"ID\",\"Process ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n";

std::string row(int id, const std::string& metric, const std::string& unit, const std::string& value) {
  return "\"" + std::to_string(id) + "\",\"7\",\"void k<int, 2>(float *, int)\",\"" + metric + "\",\"" + unit +
         "\",\"" + value + "\"\n";
}

constexpr auto time_metric = "gpu__time_duration.sum";
constexpr auto dram_metric = "dram__throughput.avg.pct_of_peak_sustained_elapsed";
constexpr auto fma_metric = "sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_elapsed";
constexpr auto tensor_metric = "sm__pipe_tensor_op_hmma_cycles_active.avg.pct_of_peak_sustained_elapsed";

// Two launches of one kernel, 3 ms and 1 ms: DRAM (3 x 0.2 + 1 x 0.6) / 4 = 0.3, FMA (3 x 0.5 + 1 x 0.1) / 4 = 0.4,
// tensor (3 x 0 + 1 x 0.4) / 4 = 0.1. A tool that weighted by the last duration of the kernel's name would say 0.4,
// 0.3, 0.2.
const std::string two_launches =
    head + row(0, dram_metric, "%", "20") + row(0, time_metric, "usecond", "3,000.0") + row(0, fma_metric, "%", "50") +
    row(0, tensor_metric, "%", "0") + row(1, time_metric, "ms", "1") + row(1, dram_metric, "%", "60") +
    row(1, fma_metric, "%", "10") + row(1, tensor_metric, "%", "40") + row(1, "sm__cycles_elapsed.max", "cycle", "n/a");

TEST(ImportNcu, WeighsEachLaunchByItsOwnDuration) {
  ASSERT_TRUE(is_ncu_csv(two_launches));
  const Profile profile = import_ncu(two_launches, "dir/bert.csv");
  check_profile(profile, "bert");
  ASSERT_EQ(profile.utilization.size(), 1U);
  const ProfileUtilization& use = profile.utilization[0];
  EXPECT_EQ(use.application, "bert");
  EXPECT_EQ(use.launches, 2);
  EXPECT_NEAR(use.duration_s, 0.004, 1e-12);
  EXPECT_NEAR(use.u_dram, 0.3, 1e-12);
  EXPECT_NEAR(use.u_fma, 0.4, 1e-12);
  EXPECT_NEAR(use.u_tensor, 0.1, 1e-12);
  EXPECT_NEAR(use.u_fu, 0.4, 1e-12);
  EXPECT_TRUE(std::isnan(use.u_fp64));
}

// The same numbers as a row a launch, with the units in a row of their own.
TEST(ImportNcu, RawPage) {
  const std::string metrics = std::string(time_metric) + "," + dram_metric + "," + fma_metric + "," + tensor_metric;
  const std::string text =
      "ID,Process ID,Kernel Name," + metrics + "\n,,,us,%,%,%\n0,7,k,3000,20,50,0\n1,7,k,1000,60,10,40\n";
  const ProfileUtilization use = import_ncu(text, "bert.csv").utilization.at(0);
  EXPECT_NEAR(use.u_dram, 0.3, 1e-12);
  EXPECT_NEAR(use.u_fu, 0.4, 1e-12);
}

// Of several counters of one pipe the largest counts.
TEST(ImportNcu, TheBusiestCounterOfAPipe) {
  const std::string other = "smsp__pipe_fmaheavy_cycles_active.avg.pct_of_peak_sustained_elapsed";
  const std::string text = head + row(0, time_metric, "ns", "10") + row(0, dram_metric, "%", "1") +
                           row(0, fma_metric, "%", "5") + row(0, other, "%", "90");
  EXPECT_NEAR(import_ncu(text, "a.csv").utilization[0].u_fma, 0.9, 1e-12);
}

// Metrics that resemble those of a pipe's cycles, and are not, say nothing of the pipe.
TEST(ImportNcu, OtherMetricsAreOfNoPipe) {
  for (const std::string other :
       {"sm__pipe_fma_instructions", "sm__fma_cycles_active", "l1tex__pipe_fma_cycles_active"}) {
    const std::string text = head + row(0, time_metric, "ns", "10") + row(0, dram_metric, "%", "1") +
                             row(0, fma_metric, "%", "5") +
                             row(0, other + ".avg.pct_of_peak_sustained_elapsed", "%", "90");
    EXPECT_NEAR(import_ncu(text, "a.csv").utilization[0].u_fma, 0.05, 1e-12) << other;
  }
}

// Each of the units that ncu writes, short or long: 7 of it are 7 times its seconds.
TEST(ImportNcu, UnitsOfTime) {
  const std::map<std::string, double> seconds = {{"ns", 1e-9}, {"nsecond", 1e-9}, {"us", 1e-6}, {"usecond", 1e-6},
                                                 {"ms", 1e-3}, {"msecond", 1e-3}, {"s", 1},     {"second", 1}};
  for (const auto& [unit, one] : seconds) {
    const std::string text =
        head + row(0, time_metric, unit, "7") + row(0, dram_metric, "%", "1") + row(0, fma_metric, "%", "5");
    EXPECT_NEAR(import_ncu(text, "a.csv").utilization[0].duration_s, 7 * one, 1e-12 * one) << unit;
  }
}

void refused(const std::string& text, const std::string& part) {
  EXPECT_NE(message_of(ErrorCode::data, [&] { (void)import_ncu(text, "a.csv"); }).find(part), std::string::npos);
}

// Lines are those of the file, what ncu printed before the table included (the header is line 4).
TEST(ImportNcu, BadRecordsAreRefusedByLine) {
  const std::string good = head + row(0, time_metric, "ns", "10") + row(0, dram_metric, "%", "1");
  const std::string whole = good + row(0, fma_metric, "%", "5");
  refused(head, "no launches");
  refused(good, "no pipe is counted");
  refused(good + row(0, "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_active", "%", "5"), "active cycles");
  refused(head + row(0, dram_metric, "%", "1") + row(0, fma_metric, "%", "5"),
          "launch 0 of process 7 has no metric of its duration");
  refused(whole + row(1, time_metric, "ns", "1"), "a.csv:8:");
  refused(whole + row(1, time_metric, "ns", "1") + row(1, dram_metric, "%", "2"), "no metric of its fma");
  refused(good + row(0, fma_metric, "%", "fast"), "a.csv:7:");
  refused(good + row(0, fma_metric, "%", "1,23"), "\"1,23\" is no number");
  refused(good + row(0, fma_metric, "%", "nan"), "\"nan\" is no number");
  refused(good + row(0, fma_metric, "%", "340"), "340 is no share of a peak");
  refused(good + row(0, fma_metric, "%", "-1"), "-1 is no share of a peak");
  refused(good + row(0, fma_metric, "byte", "5"), "\"byte\" is no unit of a share");
  refused(head + row(0, time_metric, "hour", "5"), "\"hour\" is no unit of time");
  refused(head + row(0, time_metric, "ns", "0"), "0 is no duration");
}

TEST(ImportNcu, OtherCsvIsNone) {
  EXPECT_FALSE(is_ncu_csv("gpu_id,host\na,b\n"));
  EXPECT_FALSE(is_ncu_csv(""));
  EXPECT_TRUE(is_ncu_csv("ID,Process ID\n"));
}

// What a profiler counted is imported too, so that no sessions are asked of it. Passes may add up to 110 %, not more;
// commas stand before each three digits in front of the point, and nowhere else; launches of a file that names no
// process go by their number.
TEST(ImportNcu, TakesWhatProfilersWrite) {
  const std::string good = head + row(0, time_metric, "ns", "1,234,567.5") + row(0, dram_metric, "%", "110");
  const Profile profile = import_ncu(good + row(0, fma_metric, "%", "5"), "a.csv");
  EXPECT_EQ(profile.origin, "imported");
  EXPECT_NEAR(profile.utilization.at(0).duration_s, 1.2345675e-3, 1e-12);
  EXPECT_NEAR(profile.utilization.at(0).u_dram, 1.1, 1e-12);
  refused(good + row(0, fma_metric, "%", "110.5"), "110.5 is no share of a peak");
  for (const std::string number : {",123", "1.123,456", "1234,567", "1,234567"}) {
    refused(good + row(0, fma_metric, "%", number), "\"" + number + "\" is no number");
  }
  const std::string of_one_process = "\"ID\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n\"3\",\"" +
                                     std::string(dram_metric) + "\",\"%\",\"5\"\n";
  refused(of_one_process, "launch 3 has no metric of its duration");
}

// Operations of half precision that run on the FMA pipe count for half precision.
TEST(ImportNcu, HalfPrecisionOnTheFmaPipe) {
  const std::string half = "sm__inst_executed_pipe_fma_type_fp16.avg.pct_of_peak_sustained_elapsed";
  const std::string dram = "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed";
  const std::string text = head + row(0, time_metric, "ns", "10") + row(0, dram, "%", "40") +
                           row(0, fma_metric, "%", "5") + row(0, half, "%", "30");
  const ProfileUtilization use = import_ncu(text, "a.csv").utilization.at(0);
  EXPECT_NEAR(use.u_fp16, 0.3, 1e-12);
  EXPECT_NEAR(use.u_fma, 0.05, 1e-12);
  EXPECT_NEAR(use.u_dram, 0.4, 1e-12);
}

// What a CSV does not say is not claimed: numbers are unknown, and there are one session of one process, and one batch
// of one launch a run.
TEST(ImportMeasurements, ClaimsNothingThatTheFileDoesNotSay) {
  const Profile profile = import_of_runs("gpu_id,time_ms\na,2\n");
  const ProfileGpu& gpu = profile.gpus.at(0);
  EXPECT_EQ(gpu.local, -1);
  EXPECT_EQ(gpu.numa_node, -1);
  EXPECT_EQ(gpu.multiprocessors, 0);
  EXPECT_TRUE(std::isnan(gpu.memory_bytes) && std::isnan(gpu.power_limit_w) && std::isnan(gpu.max_sm_mhz));
  const ProfileSession& session = profile.sessions.at(0);
  EXPECT_EQ(session.id, "s");
  EXPECT_EQ(session.ranks, 1);
  EXPECT_EQ(session.seed, 1);
  EXPECT_FALSE(session.injected_slowdown);
  const ProfileRepeat& repeat = profile.repeats.at(0);
  EXPECT_EQ(repeat.launches, 1);
  EXPECT_EQ(repeat.flags, 0U);
  EXPECT_EQ(repeat.start_ns, 0);
  EXPECT_TRUE(std::isnan(repeat.check_error));
  EXPECT_EQ(ProfileGpu{}.local, -1);
}

}  // namespace
}  // namespace palstudy
