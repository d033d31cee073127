// SPDX-License-Identifier: MIT
#include "workload/synthetic/trace_statistics.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <numeric>
#include <sstream>

#include "workload/models.hpp"

namespace palstudy {
namespace {

namespace fs = std::filesystem;
const fs::path carried = PALSTUDY_SOURCE_DIR "/jobs/generators";

/// The carried philly.toml with one passage changed, and what the reader says of it.
std::string refusal_of(const std::string& passage, const std::string& instead) {
  std::ifstream in(carried / "philly.toml");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const auto at = text.find(passage);
  if (at == std::string::npos) return "the file has no " + passage;
  text.replace(at, passage.size(), instead);
  const auto dir = fs::temp_directory_path() / ("palstudy-numbers-" + std::to_string(getpid()));
  fs::create_directories(dir);
  std::ofstream(dir / "philly.toml") << text;
  const auto message =
      testing_workload::refusal(3, [&] { (void)read_trace_statistics(dir / "philly.toml", "philly"); });
  fs::remove_all(dir);
  return message;
}

// Every cluster of the carried files can be read, and its jobs' shares sum to 1.
TEST(TraceStatistics, CarriedFilesCanBeRead) {
  const std::vector<std::pair<std::string, std::string>> all = {{"philly", "philly"}, {"helios", "venus"},
                                                                {"helios", "earth"},  {"helios", "saturn"},
                                                                {"helios", "uranus"}, {"helios", "all"}};
  for (const auto& [file, cluster] : all) {
    const auto numbers = read_trace_statistics(carried / (file + ".toml"), cluster);
    double sum = 0;
    for (const auto& group : numbers.jobs) sum = std::accumulate(group.shares.begin(), group.shares.end(), sum);
    EXPECT_NEAR(sum, 1, 1e-9) << cluster;
    EXPECT_EQ(numbers.hours.size(), 24u);
  }
}

// What is wrong is said, with the place and the key.
TEST(TraceStatistics, RefusesWhatIsWrong) {
  const std::vector<std::pair<std::pair<std::string, std::string>, std::string>> cases = {
      {{"tail = 1.0", "tails = 1.0"}, "unknown key \"tails\"; did you mean \"tail\"?"},
      {{"shared = 0.8", ""}, "the key \"shared\" is missing"},
      {{"shared = 0.8", "shared = 1.8"}, "\"shared\" is not right"},
      {{"shared = 0.8", "shared = \"all\""}, "\"shared\" is not right"},
      {{"shares = [0.842]", "shares = [0.742]"}, "the shares of all jobs sum to 0.9"},
      {{"shares = [0.842]", "shares = [0.842, 0]"}, "\"shares\" is not right"},
      {{"gpus = [2, 4]", "gpus = [2, 4.5]"}, "\"gpus\" is not right"},
      {{"gap_s = [2, 8]", "gap_s = [8, 2]"}, "\"gap_s\" is not right"},
      {{"seconds = [43.2, 57,", "seconds = [43.2, 17,"}, "\"seconds\" is not right"},
      {{"[5, 10, 20, 25,", "[5, 10, 10, 25,"}, "\"percentiles\" is not right"},
      {{"[limits]", "[limits"}, "TOML"},
      // No table has a key that is not known; some that are known would pass for others.
      {{"[limits]", "[limit]"}, "unknown key \"limit\""},
      {{"weekdays = [", "days = [1]\nweekdays = ["}, "unknown key \"days\""},
      {{"gap_s = [2, 8]", "gap_s = [2, 8]\ngaps_s = 1"}, "unknown key \"gaps_s\""},
      {{"block = 12", "block = 12\nblocks = 12"}, "unknown key \"blocks\""},
      {{"always_gpus = 8", "always_gpus = 8\nlongest = 1"}, "unknown key \"longest\""},
      {{"least_gpus = 10000", "least_gpus = 10000\nhours = [1]"}, "unknown key \"hours\""},
      {{"percentiles = [5, 10,", "least_gpus = 1\npercentiles = [5, 10,"}, "unknown key \"least_gpus\""},
      {{"shares = [0.842]", "shares = [0.842]\npercentiles = [1, 2]"}, "unknown key \"percentiles\""},
      // Large jobs have shares of their own, which sum to 1 as well.
      {{"[0.3901, 0.195,", "[0.1901, 0.195,"}, "the shares of all jobs sum to 0."},
      {{"few_jobs = [2, 9]", "few_jobs = [2, 9.5]"}, "\"few_jobs\" is not right"},
      {{"many = 0.05", "many = 0.76"}, "\"many\" is not right"},
      {{"block = 12", "block = 65536"}, "\"block\" is not right"},
  };
  for (const auto& [change, expected] : cases) {
    const auto message = refusal_of(change.first, change.second);
    EXPECT_NE(message.find(expected), std::string::npos) << message;
    EXPECT_NE(message.find("philly.toml:"), std::string::npos) << message;
  }
  const auto message =
      testing_workload::refusal(3, [] { (void)read_trace_statistics(carried / "none.toml", "philly"); });
  EXPECT_NE(message.find("none.toml: cannot be read"), std::string::npos) << message;
}

// Every number has its limits, and every list its length, which are told where they are not kept.
TEST(TraceStatistics, SaysWhatNumbersAreRight) {
  const std::vector<std::pair<std::pair<std::string, std::string>, std::string>> cases = {
      {{"weekdays = [486", "weekdays = [\"x\""}, "give numbers from 1e-06 to 1000000"},
      {{"    1.08, 0.94, 1.08", "    \"x\", 0.94, 1.08"}, "give numbers from 1e-06 to 1000000"},
      {{"reference_gpus = 2490", "reference_gpus = \"x\""}, "give numbers from 1 to 16777216"},
      {{"gap_s = [2, 8]", "gap_s = [\"x\", 8]"}, "give numbers from 0.001 to 3600"},
      {{"shared = 0.8", "shared = \"x\""}, "give numbers from 0 to 1"},
      {{"few = 0.25", "few = \"x\""}, "give numbers from 0 to 1"},
      {{"many = 0.05", "many = \"x\""}, "give numbers from 0 to 0.75"},
      {{"few_jobs = [2, 9]", "few_jobs = [\"x\", 9]"}, "give numbers from 2 to 100000"},
      {{"many_jobs = [10, 1100]", "many_jobs = [10, \"x\"]"}, "give numbers from 2 to 100000"},
      {{"tail = 1.0", "tail = \"x\""}, "give numbers from 0.1 to 10"},
      {{"gpus_each = 200", "gpus_each = \"x\""}, "give numbers from 1 to 16777216"},
      {{"most = 1000", "most = \"x\""}, "give numbers from 1 to 65535"},
      {{"block = 12", "block = \"x\""}, "give numbers from 1 to 65535"},
      {{"narrow_ratio = 0.5", "narrow_ratio = \"x\""}, "give numbers from 0.01 to 0.99"},
      {{"wide_ratio = 0.85", "wide_ratio = \"x\""}, "give numbers from 0.01 to 0.99"},
      {{"always_gpus = 8", "always_gpus = \"x\""}, "give numbers from 1 to 16777216"},
      {{"longest_s = 5184000", "longest_s = \"x\""}, "give numbers from 1 to 1000000000000"},
      {{"least_gpus = 10000", "least_gpus = \"x\""}, "give numbers from 0 to 16777216"},
      {{"gpus = [512", "gpus = [\"x\""}, "give numbers from 1 to 16777216"},
      {{"shares = [0.3901", "shares = [\"x\""}, "give numbers from 0 to 1"},
      {{"percentiles = [0, 1", "percentiles = [\"x\", 1"}, "give numbers from 0 to 100"},
      {{"seconds = [45", "seconds = [\"x\""}, "give numbers from 0.001 to 1000000000000"},
      {{"weekdays = [486", "weekdays = [1, 486"}, "give 7 numbers"},
      {{"    1.08, 0.94, 1.08", "    1, 1.08, 0.94, 1.08"}, "give 24 numbers"},
      {{"gap_s = [2, 8]", "gap_s = [2]"}, "give 2 numbers"},
      {{"gap_s = [2, 8]", "gap_s = [8, 2]"}, "give the least and the most"},
      {{"shares = [0.842]", "shares = [0.842, 0]"}, "give 1 numbers"},
      {{"gpus = [1]", "gpus = []"}, "give a list"},
      {{"[5, 10, 20, 25, 30, 40, 50, 60, 70, 75, 80, 90, 95]", "[5, 10]"}, "give 2 numbers"},
      {{"[5, 10, 20, 25,", "[5, 10, 10, 25,"}, "give ascending numbers"},
      {{"most = 1000", "most = 1000.5"}, "give whole numbers"},
      {{"many_jobs = [10, 1100]", "many_jobs = [10, 1100.5]"}, "give whole numbers"},
      {{"shares = [0.842]", "shares = [0.853]"}, "make them sum to 1"},
  };
  for (const auto& [change, expected] : cases) {
    const auto message = refusal_of(change.first, change.second);
    EXPECT_TRUE(message.ends_with("\n  " + expected)) << message;
  }
}

// Limits may be reached; shares may sum to a hundredth more or less, and one gap may be all there is.
TEST(TraceStatistics, LimitsMayBeReached) {
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"shared = 0.8", "shared = 1"},
      {"shared = 0.8", "shared = 0"},
      {"tail = 1.0", "tail = 10"},
      {"most = 1000", "most = 65535"},
      {"narrow_ratio = 0.5", "narrow_ratio = 0.99"},
      {"gap_s = [2, 8]", "gap_s = [8, 8]"},
      {"shares = [0.842]", "shares = [0.851]"},
      {"shares = [0.842]", "shares = [0.833]"},
      {"many = 0.05", "many = 0.75"},
      {"few_jobs = [2, 9]", "few_jobs = [9, 9]"},
  };
  for (const auto& [passage, instead] : changes) {
    EXPECT_EQ(refusal_of(passage, instead), "(nothing was thrown)") << instead;
  }
}

}  // namespace
}  // namespace palstudy
