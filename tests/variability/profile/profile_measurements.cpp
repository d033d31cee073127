// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/error.hpp"
#include "message_of.hpp"
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
  const auto notes = profile_notes(profile, "p.h5");
  ASSERT_EQ(notes.size(), 4U);
  const auto wrong = [](const char* kernel, const char* gpu, int repeats) {
    return Note{"wrong-results", Severity::care, "p.h5", {{"kernel", kernel}, {"gpu", gpu}, {"repeats", repeats}}};
  };
  EXPECT_EQ(notes[0], wrong("sgemm", "GPU-0", 1));
  EXPECT_EQ(notes[3], wrong("triad", "GPU-1", 2));
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
  EXPECT_EQ(reason(made_up::profile_of(4, 2, {"1", "2"})), std::nullopt);
  EXPECT_EQ(reason(made_up::profile_of(4, 2, {"1"})), (TooLittle{8, 1}));
  EXPECT_EQ(reason(made_up::profile_of(7, 1, {"1", "2", "3"})), (TooLittle{7, 3}));
  Profile imported = made_up::profile_of(1, 1, {"1"});
  imported.origin = "imported";
  EXPECT_EQ(reason(imported), std::nullopt);
}

TEST(ProfileCoverage, WarnsOfWhatIsNoMachine) {
  Profile profile = made_up::profile_of(1, 1, {"1", "2"});
  profile.sessions[0].backend = "host";
  profile.sessions[1].injected_slowdown = true;
  const auto notes = profile_notes(profile, "p.h5");
  ASSERT_EQ(notes.size(), 3U);
  for (const char* id : {"cpu-times", "made-up", "one-gpu"}) EXPECT_NE(find(notes, id, "p.h5"), nullptr) << id;
  EXPECT_TRUE(profile_notes(made_up::profile_of(1, 2, {"1"}), "p.h5").empty());
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

// A session that stands for an import counts for no coverage, though its GPUs are listed: GPU 0 was measured in one
// session, GPU 1 in none.
TEST(ProfileCoverage, ImportsAreNoSessions) {
  Profile profile = made_up::profile_of(1, 2, {"1", "2"});
  profile.sessions[1].backend = "import";
  std::erase_if(profile.repeats, [](const ProfileRepeat& r) { return r.gpu == 1 && r.session == 0; });
  const auto cover = coverage(profile);
  EXPECT_EQ(cover.nodes.at(0).gpus_in_session, (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(cover.most_sessions, 1U);
  ASSERT_EQ(cover.shortfalls.size(), 1U);
  EXPECT_EQ(cover.shortfalls[0].uuid, "GPU-1");
  EXPECT_EQ(cover.shortfalls[0].sessions, 0U);
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

// The same GPUs: the note has what is known of the one that is binned with the usual ones, and there is none where it
// has a bin of its own.
TEST(Outliers, ThatABinTakesForUsualAreNoted) {
  Measurements measured;
  measured.name = "m";
  const auto add = [&](double time) {
    measured.gpus.push_back({std::to_string(measured.gpus.size()), "n", -1, {time}, time});
  };
  for (int g = 0; g < 60; ++g) add(0.97 + 0.06 * g / 59);
  add(1.14);
  BinRule rule;
  rule.bins = 2;
  EXPECT_FALSE(note_on_bins(measured, rule));
  for (int g = 0; g < 6; ++g) add(3 + 0.1 * g);
  const Note note = note_on_bins(measured, rule).value();
  EXPECT_EQ(note.id, "binned-outliers");
  EXPECT_EQ(note.severity, Severity::care);
  EXPECT_EQ(note.subject, "m");
  ASSERT_EQ(note["gpus"].list().size(), 1u);
  const Value& gpu = note["gpus"].list().front();
  EXPECT_EQ(gpu["gpu"], Value("60"));
  EXPECT_GT(gpu["deviations"].number(), 4);
  EXPECT_GT(gpu["slowdown"].number(), gpu["bin_slowdown"].number());
  EXPECT_LT(gpu["bin"].count(), 2u);
  EXPECT_EQ(gpu["sessions"], Value(0));
}

// Farthest from the median first, whether slower or faster, in logarithms; equals in the order of the file. Of 41 GPUs
// of 0.98 to 1.02 with 1.3 twice, 0.5 and 1.5: log 0.5 is -0.69, log 1.5 is 0.41, log 1.3 is 0.26.
TEST(Outliers, TheFarthestOffAreFirst) {
  Measurements measured;
  const auto add = [&](const std::string& id, double time) { measured.gpus.push_back({id, "n", -1, {time}, time}); };
  add("slow", 1.3);
  for (int g = 0; g < 41; ++g) add("usual", 0.98 + 0.001 * g);
  add("as slow", 1.3);
  add("slower", 1.5);
  add("fast", 0.5);
  std::vector<std::string> found;
  for (const Outlier& outlier : find_outliers(measured)) found.push_back(outlier.id);
  EXPECT_EQ(found, (std::vector<std::string>{"fast", "slower", "slow", "as slow"}));
  EXPECT_LT(find_outliers(measured)[0].deviations, 0);
  EXPECT_EQ(find_outliers(measured)[1].gpu, 43U);
}

/// 101 GPUs of 50, 51, ... 150 ms, two runs each, two a node; the host of the last one is not known.
Measurements from_50_to_150() {
  Measurements measured;
  measured.name = "k";
  for (int g = 0; g <= 100; ++g) {
    const double time = 50 + g;
    const std::string host = g == 100 ? "" : "n" + std::to_string(g / 2);
    measured.gpus.push_back({std::to_string(g), host, g % 2, {time, time}, time});
  }
  return measured;
}

// The median GPU takes 100 ms, so slowdowns are 0.5, 0.51, ... 1.5: each quantile is one of them. 45 GPUs are slower
// than 1.05 and 40 than 1.1; those of just that are not.
TEST(KernelSummary, ByHand) {
  const KernelSummary summary = summarize(from_50_to_150());
  EXPECT_EQ(summary.name, "k");
  EXPECT_EQ(summary.gpus, 101U);
  EXPECT_EQ(summary.nodes, 50U);
  EXPECT_EQ(summary.runs, 202U);
  EXPECT_EQ(summary.median_ms, 100);
  EXPECT_NEAR(summary.least, 0.5, 1e-12);
  EXPECT_NEAR(summary.p1, 0.51, 1e-12);
  EXPECT_NEAR(summary.p5, 0.55, 1e-12);
  EXPECT_NEAR(summary.p95, 1.45, 1e-12);
  EXPECT_NEAR(summary.p99, 1.49, 1e-12);
  EXPECT_NEAR(summary.largest, 1.5, 1e-12);
  EXPECT_EQ(summary.over_5_percent, 45U);
  EXPECT_EQ(summary.over_10_percent, 40U);
}

// By hand: the median GPU takes 100 ms. Node b has 1 and 1.25, a has 0.75 and 1.5, which is a median of 1.125 too; c is
// faster, and a GPU whose node is not known is in none.
TEST(NodeSummary, SlowestMedianFirstThenByName) {
  Measurements measured;
  const auto add = [&](const std::string& host, double time) { measured.gpus.push_back({"", host, -1, {time}, time}); };
  add("c", 50), add("b", 100), add("b", 125), add("a", 75), add("a", 150), add("", 200), add("c", 62.5);
  const auto nodes = summarize_nodes(measured);
  ASSERT_EQ(nodes.size(), 3U);
  EXPECT_EQ(nodes[0].host, "a");
  EXPECT_EQ(nodes[1].host, "b");
  EXPECT_EQ(nodes[2].host, "c");
  EXPECT_EQ(nodes[0].gpus, 2U);
  EXPECT_NEAR(nodes[0].median, 1.125, 1e-12);
  EXPECT_NEAR(nodes[0].least, 0.75, 1e-12);
  EXPECT_NEAR(nodes[0].largest, 1.5, 1e-12);
  EXPECT_NEAR(nodes[2].median, 0.5625, 1e-12);
}

// Slowdowns of 0.5, 0.51, ... 1.5: bars of equal width from 0.51 to 1.49, one bar for the least and one for the
// largest. Bars that are 0.98 / 12 wide have 8 or 9 GPUs.
TEST(Histogram, HasBarsOfEqualWidthBetweenTheEnds) {
  for (const std::size_t bars : {1U, 4U, 12U}) {
    const auto all = histogram(from_50_to_150(), bars);
    ASSERT_EQ(all.size(), bars + 2);
    EXPECT_NEAR(all.front().from, 0.5, 1e-12);
    EXPECT_EQ(all.front().gpus, 1U);
    EXPECT_NEAR(all.back().to, 1.5, 1e-12);
    EXPECT_EQ(all.back().gpus, 1U);
    for (std::size_t i = 0; i < bars; ++i) {
      EXPECT_NEAR(all[i + 1].from, 0.51 + 0.98 * static_cast<double>(i) / static_cast<double>(bars), 1e-12);
      EXPECT_EQ(all[i].to, all[i + 1].from);
      EXPECT_TRUE(bars != 12 || all[i + 1].gpus == 8 || all[i + 1].gpus == 9) << i;
    }
    EXPECT_NEAR(all[bars].to, 1.49, 1e-12);
  }
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

// What was only imported was measured in no session, and no GPU of it falls short of another.
TEST(ProfileCoverage, OfAnImportNoGpuFallsShort) {
  Profile profile = made_up::profile_of(1, 2, {"1"});
  profile.sessions[0].backend = "import";
  EXPECT_EQ(coverage(profile).most_sessions, 0U);
  EXPECT_TRUE(coverage(profile).shortfalls.empty());
}

}  // namespace
}  // namespace palstudy
