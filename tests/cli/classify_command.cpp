// SPDX-License-Identifier: MIT
// `palstudy classify` from a file to its table.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "archive/profile/profile_file.hpp"
#include "campaign/scratch.hpp"
#include "cli/command.hpp"
#include "variability/made_up_profile.hpp"

namespace palstudy {
namespace {

class ClassifyCommand : public Scratch {
 protected:
  ClassifyCommand() {
    using made_up::kernel;
    Profile profile = made_up::empty_profile(8, 2);
    made_up::measure(profile, kernel("triad", "fp32", 80, 500, 500), 0.5);
    made_up::measure(profile, kernel("fma-peak", "fp32", 800, 1, 1), 0.1);
    made_up::measure(profile, kernel("gemm", "fp32", 7200, 50, 60), 1.0, 0.02);
    made_up::measure(profile, kernel("conv", "fp32", 6800, 90, 95), 1.0, 0.015);
    made_up::measure(profile, kernel("rank", "fp32", 200, 800, 900), 1.0, 0.001);
    made_up::measure(profile, kernel("fft", "fp32", 500, 850, 850), 1.0, 0.002);
    profile.utilization.push_back({.application = "vgg", .launches = 1, .duration_s = 1, .u_dram = 0.1, .u_fu = 0.8});
    write_profile(dir / "p.h5", profile, {});
    for (auto& repeat : profile.repeats) repeat.session = 0;
    for (std::size_t i = 0; i < profile.repeats.size(); ++i) profile.repeats[i].repeat = static_cast<int>(i);
    write_profile(dir / "one-session.h5", profile, {});
  }
  /// What it prints.
  [[nodiscard]] std::string run(const std::string& profile, const std::vector<std::string>& more = {}) const {
    CLI::App app;
    int argc = 0;
    char** argv = nullptr;
    const auto action = commands().at("classify").make(app, {argc, argv});
    std::vector<std::string> reversed(more.rbegin(), more.rend());
    reversed.push_back((dir / profile).string());
    app.parse(reversed);
    testing::internal::CaptureStdout();
    int code = -1;
    try {
      code = action();
    } catch (...) {
      (void)testing::internal::GetCapturedStdout();
      throw;
    }
    EXPECT_EQ(code, 0);
    return testing::internal::GetCapturedStdout();
  }
  [[nodiscard]] ErrorCode refused(const std::string& profile, const std::vector<std::string>& more = {}) const {
    try {
      (void)run(profile, more);
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::fault;
  }
  [[nodiscard]] std::string text_of(const std::string& name) const {
    std::ifstream in(dir / name);
    return {std::istreambuf_iterator<char>(in), {}};
  }
};

// Two classes, what computes before what streams; the application that only a profiler saw belongs to the first.
TEST_F(ClassifyCommand, WritesTheTableAndSaysWhy) {
  const auto output = (dir / "classes.toml").string();
  const auto json = nlohmann::json::parse(run("p.h5", {"-o", output, "--name", "mine", "--json"}));
  ASSERT_EQ(json.at("classes").size(), 2U);
  EXPECT_EQ(json.at("classes").at(0).at("kernels"), "conv, gemm");
  EXPECT_EQ(json.at("classes").at(1).at("kernels"), "fft, rank");
  EXPECT_EQ(json.at("spread_order").at("agreeing_pairs"), 1);
  EXPECT_EQ(json.at("others").at(0).at("application"), "vgg");
  EXPECT_EQ(json.at("others").at(0).at("class"), "A");
  expect_parts(text_of("classes.toml"), {"[classes.mine]\nA = \"conv\"", "B = \"fft\""});
  ASSERT_EQ(json.at("notes").size(), 2U);
  EXPECT_EQ(json.at("notes").at(1).at("id"), "left-kernel");
  EXPECT_EQ(json.at("notes").at(1).at("subject"), "triad");
  expect_parts(run("p.h5"), {"The order agrees with the measured spreads", json.at("notes").at(1).at("text")});
}

TEST_F(ClassifyCommand, RefusesAndLeavesNothingBehind) {
  const auto output = (dir / "out.toml").string();
  EXPECT_EQ(refused("one-session.h5", {"-o", output}), ErrorCode::data);
  EXPECT_EQ(refused("p.h5", {"-o", output, "--name", "a b"}), ErrorCode::usage);
  EXPECT_EQ(refused("p.h5", {"-o", output, "--leave-out", "gem"}), ErrorCode::usage);
  EXPECT_FALSE(std::filesystem::exists(output));
  EXPECT_EQ(refused("none.h5"), ErrorCode::data);
  (void)run("p.h5", {"-o", output});
  EXPECT_EQ(refused("p.h5", {"-o", output}), ErrorCode::usage);
  (void)run("p.h5", {"-o", output, "--force"});
  // What this command did not write is kept, forced or not: a study, say, whose name was taken for that of the table.
  std::ofstream(output) << "[study]\nname = \"mine\"\n";
  EXPECT_EQ(refused("p.h5", {"-o", output}), ErrorCode::usage);
  EXPECT_EQ(refused("p.h5", {"-o", output, "--force"}), ErrorCode::usage);
  EXPECT_EQ(text_of("out.toml"), "[study]\nname = \"mine\"\n");
}

}  // namespace
}  // namespace palstudy
