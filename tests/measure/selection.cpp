// SPDX-License-Identifier: MIT
#include "measure/selection.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace palstudy {
namespace {

std::vector<std::string> names(const MeasureOptions& options) {
  std::vector<std::string> all;
  for (const ChosenKernel& kernel : choose_kernels(options, Backend::host)) all.push_back(kernel.record.name);
  return all;
}

std::string refusal(const MeasureOptions& options) {
  try {
    (void)names(options);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    return error.what();
  }
  ADD_FAILURE() << "was accepted";
  return "";
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
