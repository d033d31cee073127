// SPDX-License-Identifier: MIT
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT: mkdtemp is POSIX

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "campaign/execute.hpp"
#include "core/error.hpp"
#include "inputs/inputs.hpp"
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
    try {
      (void)read(text, overrides);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "was accepted:\n" << text;
    return "";
  }

  std::filesystem::path dir;
};

/// The least that a study has to say, in three lines; what is added after it stands from line 4 on.
inline const std::string minimal =
    "workload.trace = \"jobs.csv\"\nworkload.reader = \"native\"\ncluster.table = \"c.csv\"\n";

/// What is noted of a key that no run depends on.
inline Note unused_key(const std::string& key) { return {"unused-key", Severity::info, "", {{"key", key}}}; }

inline void expect_parts(const std::string& message, const std::vector<std::string>& parts) {
  for (const auto& part : parts) EXPECT_NE(message.find(part), std::string::npos) << part << "\nis not in\n" << message;
}

}  // namespace palstudy
