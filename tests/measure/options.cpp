// SPDX-License-Identifier: MIT
#include "measure/options.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "measure/completed_repeats.hpp"
#include "measure/setup.hpp"
#include "message_of.hpp"

namespace palstudy {
namespace {

// Five kernels under 8 minutes on a GPU, and under 5 on a core, repeats done again included.
TEST(MeasureProtocol, DefaultSetKeepsItsTime) {
  const std::size_t kernels = 5;
  for (const Backend backend : {Backend::cuda, Backend::host}) {
    const Protocol protocol = changed_protocol(backend, {});
    const double all = estimate_s(protocol, kernels);
    const double repeats = static_cast<double>(kernels * protocol.repeats);
    const double reruns = all / repeats * static_cast<double>(reruns_of_gpu(kernels, protocol.repeats));
    EXPECT_LT(all + reruns, backend == Backend::cuda ? 8 * 60 : 5 * 60);
  }
}

// What is said beforehand keeps it too, with the filling and checking of arrays; ranks that take max_ranks_on_host take
// so many times as long.
TEST(MeasureProtocol, TimeSaidBeforehand) {
  MeasureOptions options;
  MeasurementSetup setup;
  setup.kernels = choose_kernels(options, Backend::host);
  setup.protocol = changed_protocol(Backend::host, {});
  const TimeNeeded time = time_needed(setup, options);
  EXPECT_GT(time.measuring_s, estimate_s(setup.protocol, 5));
  EXPECT_LT(time.measuring_s + time.reruns_s, 5 * 60);
  options.solo = true;
  setup.max_ranks_on_host = 4;
  EXPECT_EQ(time_needed(setup, options).measuring_s, 4 * time.measuring_s);
  EXPECT_EQ(time_needed(setup, options).repeat_s, 4 * time.measuring_s / 15);
  // Eight ranks on two cores, or two of which others take three quarters.
  options.solo = false;
  setup.core_share = 0.25;
  EXPECT_EQ(time_needed(setup, options).measuring_s, 4 * time.measuring_s);
}

// What is asked for is done, and stands in the record.
TEST(MeasureProtocol, Changes) {
  const Protocol before = default_protocol(Backend::host);
  const Protocol after =
      changed_protocol(Backend::host, {.repeats = 5, .batch_s = 0.01, .warm_up_s = 0.4, .repeat_s = 0.5});
  EXPECT_EQ(after.repeats, 5U);
  EXPECT_EQ(after.batch_s, 0.01);
  EXPECT_EQ(after.warm_up_most_s, 0.4);
  EXPECT_LT(after.warm_up_least_s, after.warm_up_most_s);
  EXPECT_LT(after.window_s, after.warm_up_most_s);
  EXPECT_EQ(after.repeat_least_s, 0.5);
  EXPECT_GE(after.repeat_most_s, after.repeat_least_s);
  EXPECT_NE(protocol_text(after, Backend::host, 10), protocol_text(before, Backend::host, 10));
  EXPECT_NE(protocol_text(after, Backend::host, 10).find("repeats = 5"), std::string::npos);
}

TEST(MeasureProtocol, QuickTakesATenth) {
  for (const Backend backend : {Backend::cuda, Backend::host}) {
    EXPECT_LT(estimate_s(changed_protocol(backend, {.quick = true}), 5),
              0.15 * estimate_s(default_protocol(backend), 5));
  }
}

}  // namespace

namespace {

std::vector<std::string> names(const MeasureOptions& options) {
  std::vector<std::string> all;
  for (const ChosenKernel& kernel : choose_kernels(options, Backend::host)) all.push_back(kernel.record.name);
  return all;
}

std::string refusal(const MeasureOptions& options) {
  return message_of(ErrorCode::usage, [&] { (void)names(options); });
}

// The classes' kernels and the two ceilings; --all adds the rest, but not what moves data between GPUs.
TEST(Selection, DefaultAndAll) {
  MeasureOptions options;
  EXPECT_EQ(names(options), (std::vector<std::string>{"fma-peak", "pagerank", "sgemm", "transformer", "triad"}));
  options.all = true;
  EXPECT_EQ(names(options), (std::vector<std::string>{"chase", "conv3x3", "fft3d", "fma-peak", "gemm-tc", "interp3d",
                                                      "pagerank", "sgemm", "transformer", "triad"}));
}

// By name, whatever their order; the record says with which parameters, so that two sizes are two kernels.
TEST(Selection, NamedWithParameters) {
  MeasureOptions options;
  options.kernels = {"triad", "sgemm"};
  options.params = {"sgemm.n=64"};
  options.seed = 7;
  const auto chosen = choose_kernels(options, Backend::host);
  ASSERT_EQ(chosen.size(), 2U);
  EXPECT_EQ(chosen[0].record.name, "sgemm");
  EXPECT_EQ(chosen[0].record.params, "n = 64, seed = 7");
  EXPECT_EQ(chosen[0].record.flops, 2.0 * 64 * 64 * 64);
  EXPECT_EQ(chosen[0].bytes, 3U * 4 * 64 * 64);
  EXPECT_EQ(chosen[1].record.params, "n = 16777216, seed = 7");
}

TEST(Selection, Refusals) {
  MeasureOptions options;
  options.kernels = {"sgem"};
  EXPECT_NE(refusal(options).find("did you mean \"sgemm\""), std::string::npos);
  options.kernels = {"sgemm", "sgemm"};
  EXPECT_NE(refusal(options).find("twice"), std::string::npos);
  options.kernels = {"sgemm-cublas"};
  EXPECT_NE(refusal(options).find("--backend host"), std::string::npos);
  options.kernels = {"sgemm"};
  options.params = {"triad.n=64"};
  EXPECT_NE(refusal(options).find("triad is not measured"), std::string::npos);
  options.params = {"n=64"};
  EXPECT_NE(refusal(options).find("KERNEL.NAME=VALUE"), std::string::npos);
  options.params = {"sgemm.m=64"};
  EXPECT_NE(refusal(options).find("no parameter \"m\""), std::string::npos);
}

}  // namespace

}  // namespace palstudy
