// SPDX-License-Identifier: MIT
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT: mkdtemp is POSIX

#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "campaign/execute.hpp"
#include "inputs/inputs.hpp"
#include "message_of.hpp"
#include "study/study.hpp"

namespace palstudy {

/// A folder of its own for each test, removed with it.
class Scratch : public ::testing::Test {
 protected:
  Scratch() {
    std::string name = (std::filesystem::temp_directory_path() / "palstudy-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw fault("no temporary folder");
    dir = name;
  }
  ~Scratch() override {
    std::error_code ignored;
    std::filesystem::remove_all(dir, ignored);
  }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(dir / name, std::ios::binary) << text;
    return dir / name;
  }
  /// c.csv: GPUs on nodes of so many, each with this slowdown in every class.
  void write_cluster(
      int gpus, int per_node = 4, const std::function<double(int)>& slowdown = [](int) { return 1.0; },
      const std::vector<std::string>& classes = {"A"}) const {
    std::string table = "gpu_id,node_id,class,score\n";
    for (int gpu = 0; gpu < gpus; ++gpu) {
      for (const auto& cls : classes) table += fmt::format("{},{},{},{}\n", gpu, gpu / per_node, cls, slowdown(gpu));
    }
    write("c.csv", table);
  }
  /// A trace of so many jobs: for each what stands behind its number.
  void write_trace_of(int jobs, const std::function<std::string(int)>& row, const char* name = "jobs.csv") const {
    std::string trace = "job_id,submit_s,num_gpus,iterations,iteration_s,class\n";
    for (int job = 0; job < jobs; ++job) trace += fmt::format("{},{}\n", job, row(job));
    write(name, trace);
  }
  [[nodiscard]] Study read(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    return read_study(write("study.toml", text), overrides);
  }
  /// What all runs of a study come to.
  [[nodiscard]] static std::vector<RunRecord> simulate_all(const Study& study) {
    Inputs inputs(study);
    LocalExchange alone;
    std::vector<RunRecord> records;
    for (const RunPlan& run : study.runs) records.push_back(execute(study, run, inputs, alone).value());
    return records;
  }
  /// The message of the refusal of a study; the code must be that of a usage error.
  [[nodiscard]] std::string refusal(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    const std::string message = message_or_none(ErrorCode::usage, [&] { (void)read(text, overrides); });
    EXPECT_NE(message, "") << "was accepted:\n" << text;
    return message;
  }

  std::filesystem::path dir;
};

/// The least that a study has to say, in three lines; what is added after it stands from line 4 on.
inline const std::string minimal =
    "workload.trace = \"jobs.csv\"\nworkload.reader = \"native\"\ncluster.table = \"c.csv\"\n";

/// What is noted of a key that no run depends on.
inline Note unused_key(const std::string& key) { return {"unused-key", Severity::info, "", {{"key", key}}}; }

}  // namespace palstudy
