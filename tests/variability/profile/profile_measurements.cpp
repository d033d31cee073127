// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "variability/binning/bins.hpp"
#include "variability/profile/profile.hpp"
#include "variability/profile/profile_coverage.hpp"
#include "variability/profile/profile_of_sessions.hpp"
#include "variability/profile/profile_summary.hpp"
#include "variability/sources/class_kernels.hpp"
#include "variability/sources/reliability.hpp"

namespace palstudy {
namespace {

// A run is a repeat, its time the median batch over its launches: (2 exact) / 2; runs by session, then repeat, whatever
// the order of the rows.
TEST(ProfileMeasurements, ARunIsARepeat) {
  Profile profile = made_up::profile_of(1, 2, {"1", "2"}, {"sgemm"}, 2);
  std::reverse(profile.repeats.begin(), profile.repeats.end());
  const auto all = measurements_of(profile);
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].name, "sgemm");
  ASSERT_EQ(all[0].gpus.size(), 2U);
  const auto& gpu = all[0].gpus[1];
  EXPECT_EQ(gpu.id, "GPU-1");
  EXPECT_EQ(gpu.host, "n0");
  EXPECT_EQ(gpu.local, 1);
  ASSERT_EQ(gpu.times_ms.size(), 4U);
  EXPECT_NEAR(gpu.times_ms[0], 101, 1e-4);
  EXPECT_NEAR(gpu.times_ms[3], 101.101, 1e-4);
  EXPECT_EQ(gpu.session_of_run, (std::vector<std::int32_t>{0, 0, 1, 1}));
  EXPECT_NEAR(gpu.median, 101.0505, 1e-4);
}

// The temperature of a GPU is the median over the samples that its sensors gave, 61 of 60, 61 and 70; NaN without any.
TEST(ProfileMeasurements, TemperatureIsTheMedianOfTheSamples) {
  Profile profile = made_up::profile_of(1, 2, {"1"}, {"sgemm"}, 2);
  profile.repeats[0].telemetry.temp_c = {70, 60};
  profile.repeats[1].telemetry.temp_c = {nan, 61};
  const auto all = measurements_of(profile);
  EXPECT_EQ(all[0].gpus[0].temp_c, 61);
  EXPECT_TRUE(std::isnan(all[0].gpus[1].temp_c));
}

// A wrong result is no measurement; a GPU without another is not there, and neither is a kernel without GPUs.
TEST(ProfileMeasurements, WrongRepeatsAreLeftOutAndSaid) {
  Profile profile = made_up::profile_of(1, 2, {"1"}, {"sgemm", "triad"}, 2);
  profile.repeats[0].flags = wrong_result | 1;               // the first of two of sgemm on GPU-0
  profile.repeats[2].flags = profile.repeats[3].flags = 32;  // both on GPU-1
  for (std::size_t i = 4; i < 8; ++i) profile.repeats[i].flags = wrong_result;
  const auto all = measurements_of(profile);
  ASSERT_EQ(all.size(), 1U);
  ASSERT_EQ(all[0].gpus.size(), 1U);
  EXPECT_EQ(all[0].gpus[0].times_ms.size(), 1U);
  const auto warnings = profile_warnings(profile);
  ASSERT_EQ(warnings.size(), 4U);
  EXPECT_EQ(warnings[0], "1 repeat of sgemm on GPU-0 left out, the result was wrong");
  EXPECT_EQ(warnings[3], "2 repeats of triad on GPU-1 left out, the result was wrong");
}

// Two sizes of a kernel are two measurements, told apart by their parameters.
TEST(ProfileMeasurements, SizesAreApart) {
  Profile profile = made_up::profile_of(1, 1, {"1"}, {"sgemm", "sgemm", "triad"});
  profile.kernels[1].params = "n = 2";
  const auto all = measurements_of(profile);
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].name, "sgemm (n = 1)");
  EXPECT_EQ(all[1].name, "sgemm (n = 2)");
  EXPECT_EQ(all[2].name, "triad");
}

// Eight GPUs in two sessions are the least; what was imported has no sessions to count.
TEST(ProfileCoverage, TooLittle) {
  const auto reason = [](const Profile& profile) { return too_little(profile, measurements_of(profile).front()); };
  EXPECT_EQ(reason(made_up::profile_of(4, 2, {"1", "2"})), "");
  EXPECT_EQ(
      reason(made_up::profile_of(4, 2, {"1"})),
      "pagerank was measured on 8 GPUs in 1 session, and telling whether a slow GPU is slow again takes at least 8 "
      "GPUs and 2 sessions");
  EXPECT_EQ(
      reason(made_up::profile_of(7, 1, {"1", "2", "3"})),
      "pagerank was measured on 7 GPUs in 3 sessions, and telling how far GPUs differ takes at least 8 GPUs and 2 "
      "sessions");
  Profile imported = made_up::profile_of(1, 1, {"1"});
  imported.origin = "imported";
  EXPECT_EQ(reason(imported), "");
}

TEST(ProfileCoverage, WarnsOfWhatIsNoMachine) {
  Profile profile = made_up::profile_of(1, 1, {"1", "2"});
  profile.sessions[0].backend = "host";
  profile.sessions[1].injected_slowdown = true;
  const auto warnings = profile_warnings(profile);
  ASSERT_EQ(warnings.size(), 3U);
  EXPECT_NE(warnings[0].find("CPU cores"), std::string::npos);
  EXPECT_NE(warnings[1].find("on purpose"), std::string::npos);
  EXPECT_NE(warnings[2].find("one GPU"), std::string::npos);
  EXPECT_TRUE(profile_warnings(made_up::profile_of(1, 2, {"1"})).empty());
}

// Two nodes of two GPUs in two sessions, of which the second missed GPU 3.
TEST(ProfileCoverage, NodesBySessions) {
  Profile profile = made_up::profile_of(2, 2, {"1", "2"});
  std::erase_if(profile.repeats, [](const ProfileRepeat& r) { return r.gpu == 3 && r.session == 1; });
  const auto cover = coverage(profile);
  ASSERT_EQ(cover.nodes.size(), 2U);
  EXPECT_EQ(cover.nodes[0].gpus_in_session, (std::vector<std::size_t>{2, 2}));
  EXPECT_EQ(cover.nodes[1].gpus_in_session, (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(cover.most_sessions, 2U);
  ASSERT_EQ(cover.shortfalls.size(), 1U);
  EXPECT_EQ(cover.shortfalls[0].uuid, "GPU-3");
  EXPECT_EQ(cover.shortfalls[0].sessions, 1U);
}

// 21 GPUs at 1 - 0.02, ..., 1 + 0.02 in three sessions, but for GPU 20, which is at 1.5 in two of them, and GPU 0, at
// 0.5 in one: the median of its sessions is no outlier, so only GPU 20 is one, and two sessions say so.
TEST(Outliers, NeedTwoSessionsToBeConfirmed) {
  Measurements measured;
  for (int g = 0; g < 21; ++g) {
    const double usual = 0.98 + 0.002 * g;
    Measurements::Gpu gpu{std::to_string(g), "n", g, {usual, usual, usual}};
    gpu.session_of_run = {0, 1, 2};
    if (g == 20) gpu.times_ms = {1.5, usual, 1.5};
    if (g == 0) gpu.times_ms[1] = 0.5;
    gpu.median = g == 20 ? 1.5 : usual;
    measured.gpus.push_back(gpu);
  }
  const auto outliers = find_outliers(measured);
  ASSERT_EQ(outliers.size(), 1U);
  EXPECT_EQ(outliers[0].id, "20");
  EXPECT_EQ(outliers[0].sessions, 3U);
  EXPECT_EQ(outliers[0].sessions_off, 2U);
  EXPECT_TRUE(outliers[0].confirmed());
  EXPECT_NEAR(outliers[0].slowdown, 1.5, 1e-9);
  for (auto& gpu : measured.gpus) gpu.session_of_run.clear();
  EXPECT_EQ(find_outliers(measured)[0].sessions, 0U);
  EXPECT_FALSE(find_outliers(measured)[0].confirmed());
}

// Of 41 GPUs those at 1.5 and 1.3 are off in both sessions, that at 1.2 in one, and that at 0.7 is faster than the
// others in both: GPUs from 1.3 on are outliers. Where no session is known, none is.
TEST(Outliers, TheFastestConfirmedSlowOneIsWhereTheyBegin) {
  Measurements measured;
  for (int g = 0; g < 41; ++g) {
    const double usual = 0.98 + 0.001 * g;
    const double time = g == 36 ? 1.5 : g == 37 ? 1.3 : g == 38 ? 1.2 : g == 39 ? 0.7 : usual;
    Measurements::Gpu gpu{std::to_string(g), "n", g, {g == 38 ? 1.4 : time, g == 38 ? 1.0 : time}, time};
    gpu.session_of_run = {0, 1};
    measured.gpus.push_back(gpu);
  }
  EXPECT_NEAR(confirmed_outliers_from(measured), 1.3, 0.01);
  for (auto& gpu : measured.gpus) gpu.session_of_run.clear();
  EXPECT_EQ(confirmed_outliers_from(measured), no_confirmed_outliers);
}

// 60 GPUs within 3 % of the median; one of 1.14, and six of 3 to 3.5, which make s so large that mean + 3 s is
// over 1.14. So that GPU is binned with the usual ones, over 4 robust SDs from them, and is named; those of 3 have a
// bin of their own. Without the six it is over mean + 3 s, has a bin of its own and is no news.
TEST(Outliers, ThatABinTakesForUsualAreNamed) {
  const auto hidden = [](int very_slow) {
    Measurements measured;
    const auto add = [&](double time) {
      measured.gpus.push_back({std::to_string(measured.gpus.size()), "n", -1, {time}, time});
    };
    for (int g = 0; g < 60; ++g) add(0.97 + 0.06 * g / 59);
    add(1.14);
    for (int g = 0; g < very_slow; ++g) add(3 + 0.1 * g);
    BinRule rule;
    rule.bins = 2;
    return outliers_in_bins(measured, bin_class(measured_gpu_slowdowns(measured, RunsUsed::all), rule).of_gpu);
  };
  const auto found = hidden(6);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].outlier.id, "60");
  EXPECT_GT(found[0].outlier.deviations, 4);
  EXPECT_LT(found[0].bin_slowdown, 1.05);
  EXPECT_TRUE(hidden(0).empty());
}

// Every GPU is in one bar, the ends too.
TEST(Histogram, CountsEveryGpuOnce) {
  for (const int gpus : {1, 2, 30, 500}) {
    Measurements measured;
    for (int g = 0; g < gpus; ++g) {
      const double time = 1 + 0.001 * ((g * 37) % 101);
      measured.gpus.push_back({std::to_string(g), "", -1, {time}, time});
    }
    std::size_t sum = 0;
    const auto bars = histogram(measured);
    for (const HistogramBar& bar : bars) sum += bar.gpus;
    EXPECT_EQ(sum, measured.gpus.size()) << gpus;
    EXPECT_EQ(bars.size() == 1, gpus == 1);
  }
}

// GPUs that keep their ranks on other days correlate at 1; where each session has its own ranks, though runs of a
// session agree perfectly, halves of the runs correlate and halves of the sessions do not.
TEST(Reliability, BetweenSessions) {
  Measurements stable, moody;
  for (int g = 0; g < 40; ++g) {
    const double one = 1 + 0.001 * g, other = 1 + 0.001 * ((g * 17) % 40);
    Measurements::Gpu gpu{std::to_string(g), "", -1, {one, one, one, one}, one};
    gpu.session_of_run = {0, 0, 1, 1};
    stable.gpus.push_back(gpu);
    gpu.times_ms = {one, one, other, other};
    moody.gpus.push_back(gpu);
  }
  EXPECT_NEAR(measure_reliability(stable).between_sessions, 1, 1e-9);
  EXPECT_EQ(measure_reliability(stable).sessions, 2U);
  EXPECT_LT(measure_reliability(moody).between_sessions, 0.5);
  EXPECT_GT(measure_reliability(moody).split_half, measure_reliability(moody).between_sessions + 0.2);
}

}  // namespace
}  // namespace palstudy
