// SPDX-License-Identifier: MIT
// What other programs measured: made-up import_logs with what is in them beside (importers/README.md), and traps by
// hand.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "core/files.hpp"
#include "message_of.hpp"
#include "variability/profile/importer.hpp"
#include "variability/profile/profile_coverage.hpp"
#include "variability/profile/profile_summary.hpp"

namespace palstudy {
namespace {

const std::filesystem::path import_logs = PALSTUDY_SOURCE_DIR "/tests/variability/profile/importers";

nlohmann::json expected_of(const std::string& file) {
  return nlohmann::json::parse(read_text_file(import_logs / (file + ".expected.json")));
}
Profile imported(const std::string& file) { return import_files({import_logs / file}).merged.profile; }

std::map<std::string, Measurements> by_kernel(const Profile& profile) {
  std::map<std::string, Measurements> all;
  for (Measurements& one : measurements_of(profile)) all.emplace(one.name, std::move(one));
  return all;
}

/// The GPU with the longest time, by its index, and its slowdown.
std::pair<int, double> slowest(const Measurements& measured) {
  const auto most = std::ranges::max_element(measured.gpus, {}, &Measurements::Gpu::median);
  return {most->local, summarize(measured).largest};
}

const Measurements::Gpu* gpu_called(const Measurements& measured, const std::string& id) {
  const auto at = std::ranges::find(measured.gpus, id, &Measurements::Gpu::id);
  return at == measured.gpus.end() ? nullptr : &*at;
}

// Times and rates of each GPU, with the slowest GPU and node that were planted; what is of a node or says nothing of
// speed is counted.
TEST(Importers, SuperBenchIsOfGpus) {
  const Imported read = import_files({import_logs / "superbench.jsonl"});
  const auto measured = by_kernel(read.merged.profile);
  const auto expected = expected_of("superbench.jsonl");
  std::set<std::string> kernels;
  for (const auto& [kernel, of] : expected["per_gpu"].items()) {
    SCOPED_TRACE(kernel);
    kernels.insert(kernel);
    const Measurements& one = measured.at(kernel);
    EXPECT_EQ(one.gpus.size(), of["gpus"]);
    const KernelSummary summary = summarize(one);
    EXPECT_NEAR(summary.largest, of["slowest_gpu_slowdown"], 1e-4);
    EXPECT_EQ(summary.over_10_percent, of["over_10_percent"]);
    ASSERT_NE(gpu_called(one, of["slowest_gpu"]), nullptr);
    const NodeSummary node = summarize_nodes(one).front();
    EXPECT_EQ(node.host, of["slowest_node_by_median_gpu"].get<std::string>());
    EXPECT_NEAR(node.median, of["slowest_node_slowdown"], 1e-4);
  }
  EXPECT_EQ(measured.size(), kernels.size());
  const Note* const left = find(read.merged.notes, "left-values");
  ASSERT_NE(left, nullptr);
  std::map<std::string, std::size_t> reasons;
  for (const Value& one : (*left)["reasons"].list()) reasons[one["reason"].name()] = one["values"].count();
  EXPECT_EQ(reasons["missing"], 1U) << "a null";
  EXPECT_EQ(reasons["of a node"], 32U);
}

// A log that is written over: rates count when the GPU had done more; one that was faulty counts for nothing.
TEST(Importers, GpuBurnGivesTheMedianOfItsReports) {
  const auto expected = expected_of("gpu-burn.log");
  const Profile profile = imported("gpu-burn.log");
  const auto measured = by_kernel(profile);
  ASSERT_EQ(measured.size(), 1U);
  const Measurements& burn = measured.begin()->second;
  ASSERT_EQ(burn.gpus.size(), 7U);
  for (const auto& gpu : burn.gpus) {
    const double gflops = expected["median_gflops_over_changes"][std::to_string(gpu.local)];
    EXPECT_NEAR(ms_of_throughput(gflops) / gpu.median, 1, 1e-4) << gpu.local;
    EXPECT_NE(gpu.local, expected["faulty"][0]);
    EXPECT_EQ(gpu.host, "gpu-burn") << "the file's name: the log has none";
    EXPECT_NEAR(gpu.temp_c, 58 + gpu.local, 3);
  }
  EXPECT_EQ(slowest(burn).first, expected["slowest_gpu"]);
  EXPECT_NEAR(slowest(burn).second, expected["slowdown_by_medians"], expected["tolerance"]);
  EXPECT_EQ(profile.gpus.at(0).uuid.substr(0, 4), "GPU-");
}

// Only a GPU that the log calls OK at its end counts: of a log that is cut off none does, and GPUs with errors do not
// whatever the end says. A warning has no blank before the dash behind it.
TEST(Importers, GpuBurnTellsGoodGpusFromOthers) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "palstudy-burn";
  std::filesystem::create_directories(folder);
  const auto read = [&](const std::string& log) {
    std::ofstream(folder / "burn.log") << log;
    return import_files({folder / "burn.log"}).merged;
  };
  const auto good = [](const MergedProfile& merged) {
    std::set<int> local;
    const auto measured = measurements_of(merged.profile);
    for (const auto& gpu : measured.at(0).gpus) local.insert(gpu.local);
    return local;
  };
  const std::string rates = "9%  proc'd: 5 (10 Gflop/s) - 5 (10 Gflop/s) - 5 (10 Gflop/s) - 5 (10 Gflop/s)   errors: ",
                    temps = "   temps: 50 C - -- - 50 C - 50 C \r", all_ok = "\tGPU 0: OK\n\tGPU 1: OK\n\tGPU 2: OK\n",
                    no_errors = rates + "0 - 0 - 0 - 0" + temps;
  EXPECT_EQ(good(read(no_errors + all_ok + "\tGPU 3: FAULTY\n")), (std::set<int>{0, 1, 2}));
  EXPECT_EQ(good(read(rates + "0 - 3  (WARNING!)- 0 - -1  (DIED!)" + temps + no_errors + all_ok + "\tGPU 3: OK\n")),
            (std::set<int>{0, 2}));
  const MergedProfile cut = read(no_errors + all_ok + "\tGPU ");
  EXPECT_EQ(good(cut), (std::set<int>{0, 1, 2}));
  const Note* const left = find(cut.notes, "left-values");
  ASSERT_NE(left, nullptr);
  EXPECT_EQ((*left)["reasons"].list().at(0)["values"].count(), 1U);
  EXPECT_NE(message_of(ErrorCode::data, [&] { (void)read(no_errors); }).find("burn.log: ends before"),
            std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST(Importers, NvbenchHasAKernelForEachAxisValue) {
  const auto expected = expected_of("nvbench.json");
  const auto measured = by_kernel(imported("nvbench.json"));
  ASSERT_EQ(measured.size(), 2U);
  for (const char* elements : {"16777216", "67108864"}) {
    const Measurements& one = measured.at(std::string("copy (Elements=") + elements + ")");
    const auto& of = expected["kernels"][std::string("copy Elements=") + elements];
    EXPECT_EQ(one.gpus.size(), of["gpus"]);
    EXPECT_EQ(slowest(one).first, of["slowest_gpu"]);
    EXPECT_NEAR(slowest(one).second, of["slowdown"], 1e-4);
  }
}

// Units change from row to row, thousands have commas, rows of rules have no metric; raw pages have units in a line.
TEST(Importers, NsightComputeGivesDurationsByDevice) {
  for (const char* file : {"ncu-details.csv", "ncu-raw.csv"}) {
    SCOPED_TRACE(file);
    const auto expected = expected_of(file);
    const auto measured = by_kernel(imported(file));
    ASSERT_EQ(measured.size(), 2U);
    for (const auto& [kernel, of] : expected["kernels"].items()) {
      const Measurements& one = measured.at(kernel);
      EXPECT_EQ(one.runs(), of["launches"]);
      for (const auto& gpu : one.gpus) {
        EXPECT_NEAR(1e3 * gpu.median / of["median_us"][std::to_string(gpu.local)].get<double>(), 1, 1e-3);
      }
      EXPECT_EQ(slowest(one).first, of["slowest_device"]);
    }
  }
}

// Sessions are kept, so that a GPU that was slow in one of them alone is told from one that always is.
TEST(Importers, ATableKeepsItsSessions) {
  const auto expected = expected_of("sessions.csv");
  const Profile profile = imported("sessions.csv");
  EXPECT_EQ(profile.sessions.size(), expected["sessions"]);
  EXPECT_EQ(profile.repeats.size(), expected["rows"]);
  const auto measured = by_kernel(profile);
  std::map<std::string, bool> confirmed;
  for (const Outlier& one : find_outliers(measured.at("gemm"))) confirmed[one.id] = one.confirmed();
  EXPECT_TRUE(confirmed[expected["confirmed_in_all_sessions"]["gpu"]]);
  EXPECT_FALSE(confirmed[expected["in_one_session_only"]["gpu"]]);
  const NodeSummary node = summarize_nodes(measured.at("gemm")).front();
  EXPECT_EQ(node.host, expected["confirmed_in_all_sessions"]["node"].get<std::string>());
  EXPECT_NEAR(node.median, expected["confirmed_in_all_sessions"]["node_factor_gemm"], 0.005);
}

// Clocks are no times: a log of sensors needs a benchmark beside it, whose GPUs get the medians of busy samples.
TEST(Importers, SensorsGoToGpusThatHaveTimes) {
  for (const char* file : {"nvidia-smi.csv", "dcgm.csv", "dcgm-dmon.txt"}) {
    EXPECT_NE(message_of(ErrorCode::data, [&] { (void)imported(file); }).find("no times"), std::string::npos);
  }
  const auto folder = std::filesystem::path(testing::TempDir()) / "palstudy-sensors";
  std::filesystem::create_directories(folder);
  const auto beside = [&](const std::string& rows, const char* log) {
    std::ofstream(folder / "times.csv") << "host,gpu,time_ms\n" << rows;
    return import_files({folder / "times.csv", import_logs / log}).merged;
  };
  const MergedProfile smi = beside("x,0,1\nx,1,1\nx,2,1\nx,3,1\nx,4,1\nx,5,1\nx,6,1\nx,7,1\n", "nvidia-smi.csv");
  const auto expected = expected_of("nvidia-smi.csv");
  for (const ProfileRepeat& repeat : smi.profile.repeats) {
    const int local = smi.profile.gpus.at(static_cast<std::size_t>(repeat.gpu)).local;
    ASSERT_EQ(repeat.telemetry.sm_mhz.size(), 1U) << local;
    EXPECT_EQ(repeat.telemetry.sm_mhz[0], expected["median_sm_mhz_when_busy"][std::to_string(local)]);
    EXPECT_EQ(std::isnan(repeat.telemetry.power_w[0]), local == 3) << "[N/A]";
  }
  const MergedProfile dcgm = beside("node002,7,1\nnode002,6,1\n", "dcgm.csv");
  const auto clock = [&](int local) {
    for (const ProfileRepeat& repeat : dcgm.profile.repeats) {
      if (dcgm.profile.gpus.at(static_cast<std::size_t>(repeat.gpu)).local == local) return repeat.telemetry.sm_mhz[0];
    }
    return nan;
  };
  EXPECT_NEAR(clock(6) / clock(7), 1.25, 0.01);
  EXPECT_EQ((*find(dcgm.notes, "idle-sensors"))["gpus"].count(), 30U);
  const auto other_uuids = [&] { (void)import_files({import_logs / "gpu-burn.log", import_logs / "nvidia-smi.csv"}); };
  EXPECT_NE(message_of(ErrorCode::data, other_uuids), "") << "other GPUs, though of the same index";
  const MergedProfile dmon = beside("x,0,1\nx,1,1\nx,2,1\nx,3,1\n", "dcgm-dmon.txt");
  EXPECT_NEAR(dmon.profile.repeats.at(1).telemetry.sm_mhz.at(0), 1204, 3);
  EXPECT_TRUE(std::isnan(dmon.profile.repeats.at(2).telemetry.power_w.at(0))) << "N/A";
  EXPECT_NE(message_of(ErrorCode::data, [&] { (void)beside("y,0,1\nz,0,1\n", "dcgm-dmon.txt"); }), "")
      << "the log does not say of which host it is";
  std::filesystem::remove_all(folder);
}

// A log of sensors with a header alone has nothing to give, whatever else is imported.
TEST(Importers, SensorsWithoutASampleAreRefused) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "palstudy-no-sample";
  std::filesystem::create_directories(folder);
  for (const char* log : {"nvidia-smi.csv", "dcgm.csv", "dcgm-dmon.txt"}) {
    SCOPED_TRACE(log);
    const std::string whole = read_text_file(import_logs / log);
    std::ofstream(folder / log) << whole.substr(0, whole.find('\n') + 1);
    const auto import = [&] { (void)import_files({import_logs / "gpu-burn.log", folder / log}); };
    EXPECT_NE(message_of(ErrorCode::data, import).find(std::string(log) + ": has no sample"), std::string::npos);
  }
  std::filesystem::remove_all(folder);
}

// Columns have the names that are told, units that their names end in, and places for what is wrong.
TEST(Importers, ATableSaysWhatItsColumnsAre) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "palstudy-table";
  std::filesystem::create_directories(folder);
  const auto read = [&](const std::string& text, const ImportColumns& columns) {
    std::ofstream(folder / "burn.csv") << text;
    return import_files({folder / "burn.csv"}, "", columns);
  };
  const ImportColumns named = {{"host", "where"}, {"gpu", "card"}, {"time", "elapsed_us"}};
  const Imported told = read("where,card,elapsed_us,rate\nn,0,1500,2\nn,1,,2\n", named);
  ASSERT_EQ(told.merged.profile.repeats.size(), 1U);
  EXPECT_EQ(told.merged.profile.repeats[0].batch_ms.at(0), 1.5F);
  EXPECT_EQ(told.merged.profile.kernels.at(0).name, "burn");
  EXPECT_EQ((*find(told.merged.notes, "left-values"))["reasons"].list().at(0)["values"].count(), 1U);
  ImportColumns rates = named;
  rates.erase("time");
  rates["throughput"] = "rate";
  EXPECT_EQ(read("where,card,rate\nn,0,2\nn,1,4\n", rates).merged.profile.repeats.at(1).batch_ms.at(0), 250.0F);
  const auto refused = [&](const std::string& text, const ImportColumns& columns = {}) {
    return message_of(ErrorCode::data, [&] { (void)read(text, columns); });
  };
  EXPECT_NE(refused("host,gpu,time_ms\nn,0,-1\n").find("burn.csv:2:5"), std::string::npos);
  EXPECT_NE(refused("host,gpu,time_ms\nn,0,x\n").find("burn.csv:2:5"), std::string::npos);
  EXPECT_NE(refused("host,gpu,took\nn,0,1\n", {{"time", "took"}}).find("no unit"), std::string::npos);
  EXPECT_NE(refused("a,b\n1,2\n").find("no known format"), std::string::npos);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace palstudy
