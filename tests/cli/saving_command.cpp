// SPDX-License-Identifier: MIT
// `palstudy saving` from a recorded series to its numbers.
#include <CLI/CLI.hpp>
#include <fstream>
#include <nlohmann/json.hpp>

#include "campaign/scratch.hpp"
#include "cli/command.hpp"

namespace palstudy {
namespace {

class SavingCommandTest : public Scratch {
 protected:
  [[nodiscard]] static std::string run(const std::string& series, const std::vector<std::string>& more = {}) {
    CLI::App app;
    int argc = 0;
    char** argv = nullptr;
    const auto action = commands().at("saving").make(app, {argc, argv});
    std::vector<std::string> reversed(more.rbegin(), more.rend());
    reversed.push_back(series);
    app.parse(reversed);
    testing::internal::CaptureStdout();
    try {
      EXPECT_EQ(action(), 0);
    } catch (...) {
      (void)testing::internal::GetCapturedStdout();
      throw;
    }
    return testing::internal::GetCapturedStdout();
  }
  [[nodiscard]] static std::string refused(const std::string& series, const std::vector<std::string>& more) {
    return message_of([&] { (void)run(series, more); });
  }
  const std::string philly = PALSTUDY_SOURCE_DIR "/tests/golden/runs/helios/ces_philly_dec/";
};

// The published parameters, by default and by name, give what the artifact gave; honest forecasts stand beside it.
TEST_F(SavingCommandTest, GivesTheArtifactsMeans) {
  std::ifstream summary(philly + "summary.json");
  const auto recorded = nlohmann::json::parse(summary);
  std::vector<std::string> by_name = {"--json"};
  for (const auto& [name, value] : recorded.at("params").items()) {
    by_name.push_back("--set");
    by_name.push_back("power.ces." + name + "=" + value.dump());
  }
  for (const auto& options : {std::vector<std::string>{"--json"}, by_name}) {
    const auto json = nlohmann::json::parse(run(philly + "series.csv", options));
    for (const char* name : {"powered_off_mean", "used_rate_pct", "optimized_rate_pct", "changes_per_day",
                             "increases_per_day", "lack_ticks", "lack_nodes"}) {
      EXPECT_NEAR(json.at(name).get<double>(), recorded.at(name).get<double>(), 1e-9) << name;
    }
    EXPECT_EQ(json.at("forecast"), "recorded");
    EXPECT_NEAR(json.at("mwh_per_year").get<double>(), 100.1 * 8.76 * 0.642, 1);  // less what 190 wake-ups cost
    std::set<std::string> forecasts_beside;
    for (const auto& other : json.at("others")) {
      if (other.at("rule") == "ces") forecasts_beside.insert(other.at("forecast"));
    }
    EXPECT_EQ(forecasts_beside, (std::set<std::string>{"ewma", "last", "none", "oracle", "ridge"}));
  }
}

TEST_F(SavingCommandTest, TakesTheKeysOfPowerAlone) {
  const auto timer = run(philly + "series.csv", {"--json", "--set", "power.off=timer", "--set", "power.spare=20"});
  EXPECT_NEAR(nlohmann::json::parse(timer).at("powered_off_mean").get<double>(), 105.5, 0.1);
  EXPECT_NE(refused(philly + "series.csv", {"--set", "cluster.gpus=8"}).find("cluster.gpus"), std::string::npos);
  EXPECT_NE(refused(philly + "series.csv", {"--set", "power.off=tmer"}).find("timer"), std::string::npos);
  EXPECT_NE(refused(philly + "series.csv", {"--set", "power.off=none"}).find("nothing"), std::string::npos);
  EXPECT_NE(refused(philly + "series.csv", {"--set", "power.spair=1"}).find("power.spare"), std::string::npos);
}

TEST_F(SavingCommandTest, WithoutAForecastOfItsOwn) {
  const auto series = write("series.csv", "tick,total,used\n0,9,4\n1,9,4\n2,9,3\n").string();
  EXPECT_EQ(nlohmann::json::parse(run(series, {"--json"})).at("forecast"), "ewma");
  EXPECT_NE(run(series).find("3 ticks of 600 s"), std::string::npos);
}

}  // namespace
}  // namespace palstudy
