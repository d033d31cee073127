// SPDX-License-Identifier: MIT
#include "kernels/kernel.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "core/error.hpp"
#include "kernels/compare.hpp"
#include "kernels/half.hpp"
#include "kernels/runner.hpp"
#include "kernels/small_kernels.hpp"
#include "message_of.hpp"

namespace palstudy {
namespace {

TEST(Kernels, AreThoseOfTheSuite) {
  for (const char* name : {"sgemm", "gemm-tc", "conv3x3", "transformer", "pagerank", "triad", "fft3d", "interp3d",
                           "chase", "fma-peak", "link", "allreduce"}) {
    EXPECT_TRUE(has_kernel(Backend::host, kernels().at(name))) << name;
  }
  std::vector<std::string> by_default;
  for (const auto& kernel : kernels().entries()) {
    if (kernel.make.by_default) by_default.push_back(kernel.name);
  }
  EXPECT_EQ(by_default, (std::vector<std::string>{"fma-peak", "pagerank", "sgemm", "transformer", "triad"}));
}

// Those of a library have no twin, and say so.
TEST(Kernels, OfLibrariesNeedCuda) {
  const auto& kernel = kernels().at("sgemm-cublas");
  EXPECT_FALSE(has_kernel(Backend::host, kernel));
  EXPECT_NE(message_of(ErrorCode::usage,
                       [&] { (void)make_runner(Backend::host, kernel, kernel_params(kernel, Backend::host)); })
                .find("cuBLAS"),
            std::string::npos);
}

TEST(Kernels, EveryDefaultIsAccepted) {
  for (const auto& kernel : kernels().entries()) {
    for (const Backend backend : {Backend::host, Backend::cuda}) {
      const auto problem = kernel.make.make(kernel_params(kernel, backend));
      EXPECT_GT(problem->flops() + problem->bytes(), 0) << kernel.name;
    }
  }
}

TEST(Kernels, RefuseParametersThatAreNot) {
  const auto& sgemm = kernels().at("sgemm");
  const auto code = [&](const KernelEntry& kernel, const std::map<std::string, std::string>& given) {
    try {
      (void)kernel.make.make(kernel_params(kernel, Backend::host, given));
    } catch (const Error& error) {
      return error.code();
    }
    return ErrorCode::fault;
  };
  using Given = std::map<std::string, std::string>;
  for (const Given& bad : {Given{{"m", "8"}}, Given{{"n", "x"}}, Given{{"n", "0"}}, Given{{"n", "2.5"}},
                           Given{{"n", "nan"}}, Given{{"n", ""}}}) {
    EXPECT_EQ(code(sgemm, bad), ErrorCode::usage) << bad.begin()->second;
  }
  EXPECT_EQ(code(kernels().at("gemm-tc"), {{"n", "300"}}), ErrorCode::usage);
  EXPECT_EQ(code(kernels().at("gemm-tc"), {{"type", "fp8"}}), ErrorCode::usage);
  EXPECT_EQ(code(kernels().at("fft3d"), {{"n", "96"}}), ErrorCode::usage);
  EXPECT_THROW((void)parse_backend("gpu"), Error);
}

// The formulas at sizes where the numbers can be counted by hand.
TEST(Kernels, CountTheirWork) {
  struct Count {
    std::string name;
    std::map<std::string, std::string> sizes;
    double flops, bytes;
  };
  const Count counts[] = {
      // 10 x 10 results of 10 multiply-adds; three matrices of 100 floats
      {"sgemm", {{"n", "10"}}, 2000, 1200},
      {"gemm-tc", {{"n", "256"}}, 2.0 * 256 * 256 * 256, 256 * 256 * (2 + 2 + 4)},
      // SC'22's size: 33.3 TFLOP and 7.8 GB
      {"sgemm-cublas", {{"n", "25536"}}, 2.0 * 25536 * 25536 * 25536, 12.0 * 25536 * 25536},
      // 2 x 7 planes of 81 results, each 5 x 9 multiply-adds (borders counted as if inside)
      {"conv3x3", {}, 2.0 * 2 * 7 * 81 * 45, 4.0 * (2 * 5 * 81 + 7 * 5 * 9 + 2 * 7 * 81)},
      {"triad", {{"n", "100"}}, 200, 1200},
      {"fma-peak", {{"chains", "2048"}, {"steps", "10"}}, 2.0 * 20480, 8.0 * 2048},
      {"chase", {{"kib", "8"}, {"hops", "1024"}}, 0, 32768},
      {"link", {{"kib", "3"}}, 0, 2 * 3072},
      {"allreduce", {{"ranks", "3"}, {"n", "999"}}, 2 * 999, 2 * 4 * 3 * 999},
      // 8^3 points, 9 levels
      {"fft3d", {{"n", "8"}}, 5.0 * 512 * 9, 3 * 16 * 512},
      {"interp3d", {{"n", "10"}}, 210e3, 20e3},
      // 2 iterations over 16 vertices, 4 x 16 edges and one from each to itself
      {"pagerank",
       {{"scale", "4"}, {"edges", "4"}, {"iterations", "2"}},
       2.0 * (2 * 80 + 3 * 16),
       2.0 * (4 * 80 + 4 * 17 + 12 * 16)},
  };
  for (const Count& count : counts) {
    const auto& kernel = kernels().at(count.name);
    const auto sizes = count.sizes.empty() ? small_sizes().at(count.name) : count.sizes;
    const auto problem = kernel.make.make(kernel_params(kernel, Backend::host, sizes));
    EXPECT_DOUBLE_EQ(problem->flops(), count.flops) << count.name;
    EXPECT_DOUBLE_EQ(problem->bytes(), count.bytes) << count.name;
  }
  // BERT-large, batch 16: 24 T h^2 + 4 T s h = 52.6 GFLOP are all but a few per cent of it.
  const double t = 16 * 128, h = 1024, products = 24 * t * h * h + 4 * t * 128 * h;
  const auto bert =
      small_problem("transformer", {{"hidden", "1024"}, {"heads", "16"}, {"length", "128"}, {"batch", "16"}});
  EXPECT_GT(bert->flops(), products);
  EXPECT_LT(bert->flops(), 1.01 * products);
}

// Whatever computes says on which pipe, and nothing else does; a core has no tensor cores.
TEST(Kernels, TellTheirPipe) {
  for (const auto& kernel : kernels().entries()) {
    const auto problem = kernel.make.make(kernel_params(kernel, Backend::cuda));
    EXPECT_EQ(kernel.make.pipe.empty(), problem->flops() == 0) << kernel.name;
  }
  EXPECT_EQ(kernel_pipe(kernels().at("gemm-tc"), Backend::cuda), "tensor");
  EXPECT_EQ(kernel_pipe(kernels().at("gemm-tc"), Backend::host), "fp32");
  EXPECT_EQ(kernel_pipe(kernels().at("sgemm"), Backend::host), "fp32");
  EXPECT_EQ(kernel_pipe(kernels().at("chase"), Backend::host), "");
}

// The interval of the bytes, by hand; and it is one at every size, also where a tile is larger than the matrix.
TEST(Kernels, CountTheBytesOfNoCache) {
  const auto most = [](const std::string& name, const std::map<std::string, std::string>& sizes) {
    return small_problem(name, sizes)->bytes_most();
  };
  // 300 rows are 3 tiles: each operand is fetched three times
  EXPECT_DOUBLE_EQ(most("sgemm", {{"n", "300"}}), 4.0 * 300 * 300 * (3 + 3 + 1));
  // tiles of 128 x 256 of a matrix of 512: the left operand twice, the right one four times
  EXPECT_DOUBLE_EQ(most("gemm-tc", {{"n", "512"}}), 512.0 * 512 * (2 * 2 + 2 * 4 + 4));
  EXPECT_DOUBLE_EQ(most("interp3d", {{"n", "10"}}), 1000 * (3 * 4 + 4 + 64 * 4));
  EXPECT_DOUBLE_EQ(most("pagerank", {{"scale", "4"}, {"edges", "4"}, {"iterations", "2"}}),
                   2.0 * (80 * (4 + 32) + 17 * 4 + 16 * 8));
  for (const auto& kernel : kernels().entries()) {
    for (const Backend backend : {Backend::host, Backend::cuda}) {
      const auto problem = kernel.make.make(kernel_params(kernel, backend));
      EXPECT_GE(problem->bytes_most(), problem->bytes()) << kernel.name;
    }
  }
  for (const auto& [name, sizes] : small_sizes()) {
    EXPECT_GE(small_problem(name)->bytes_most(), small_problem(name)->bytes()) << name;
  }
}

// No compulsory traffic is less than the inputs and outputs once, except where an array is not read whole (chase) or
// only serves to share the work out (the pieces of pagerank); caches may save the rest.
TEST(Kernels, BytesCoverInputsAndOutputs) {
  for (const auto& [name, sizes] : small_sizes()) {
    if (name == "chase" || name == "pagerank") continue;
    const auto problem = small_problem(name);
    double once = 0;
    for (const auto& array : problem->arrays()) once += array.role == ArrayRole::scratch ? 0.0 : double(array.bytes);
    EXPECT_GE(problem->bytes() * 1.02, once) << name;
  }
}

// What a launch of chase visits on a GPU is all of its memory, once, and four times the largest L2 there is (B200: 126
// MB; H200: 50 MB), so that what the next launch wants has been displaced by then.
TEST(Kernels, ChaseOutgrowsEveryL2) {
  const auto params = kernel_params(kernels().at("chase"), Backend::cuda);
  EXPECT_EQ(params.number("kib") * 1024, params.number("hops") * 32);
  EXPECT_GE(params.number("hops") * 32, 4 * 126e6);
  EXPECT_THROW((void)small_problem("chase", {{"kib", "1"}, {"chains", "64"}, {"hops", "4096"}}), Error) << "32 places";
}

TEST(Kernels, OperandsAreFixedBySeed) {
  std::vector<float> one(1000), same(1000), other(1000);
  fill_uniform(one, 5, 1, -1, 1);
  fill_uniform(same, 5, 1, -1, 1);
  fill_uniform(other, 6, 1, -1, 1);
  EXPECT_EQ(one, same);
  EXPECT_NE(one, other);
  double mean = 0;
  for (const float v : one) {
    EXPECT_GE(v, -1);
    EXPECT_LT(v, 1);
    mean += v / 1000;
  }
  EXPECT_NEAR(mean, 0, 0.1);  // five standard errors
}

TEST(Kernels, HalvesRoundToNearest) {
  for (const float value : {1.0F, -1.0F, 0.5F, 0.0F, 100.0F, 0.333251953125F}) {
    EXPECT_EQ(from_fp16(to_fp16(value)), value);
  }
  EXPECT_EQ(from_bf16(to_bf16(1.00390625F)), 1.0F);       // 1 + 2^-8: a tie, to even
  EXPECT_EQ(from_bf16(to_bf16(1.01171875F)), 1.015625F);  // 1 + 3 x 2^-8: a tie, to even
  EXPECT_EQ(from_fp16(to_fp16(1.00048828125F)), 1.0F);    // 1 + 2^-11
  EXPECT_EQ(from_fp16(to_fp16(1.00146484375F)), 1.001953125F);
  EXPECT_EQ(to_bf16(1.0F), 0x3f80);
  EXPECT_EQ(to_fp16(1.0F), 0x3c00);
  EXPECT_EQ(to_fp16(-2.0F), 0xc000);
  std::vector<float> values(1000);
  fill_uniform(values, 1, 1, -1, 1);
  for (const float v : values) {
    EXPECT_NEAR(from_bf16(to_bf16(v)), v, std::abs(v) / 256);
    EXPECT_NEAR(from_fp16(to_fp16(v)), v, std::abs(v) / 2048 + 0x1.0p-14);
  }
}

TEST(Comparison, KeepsTheWorst) {
  Comparison compare;
  Arrays none({});
  compare.add(1, 1, 0, "a", 0);
  EXPECT_EQ(compare.verdict(none).error, 0);
  compare.add(1, 1.5, 1, "b", 1);
  compare.add(1, 1.1, 1, "c", 2);
  EXPECT_DOUBLE_EQ(compare.verdict(none).error, 0.5);
  EXPECT_TRUE(compare.verdict(none).worst.starts_with("b 1"));
  compare.add(NAN, 1, 1e9, "d", 3);
  EXPECT_TRUE(std::isinf(compare.verdict(none).error));
  EXPECT_FALSE(compare.verdict(none).passed());
}

TEST(Comparison, SamplesWithinAndAllOfFew) {
  EXPECT_EQ(sample_positions(3, 5), (std::vector<std::size_t>{0, 1, 2}));
  const auto many = sample_positions(1'000'000, 100);
  EXPECT_EQ(many.size(), 100u);
  EXPECT_EQ(many[0], 0u);
  EXPECT_EQ(many[1], 999'999u);
  for (const std::size_t i : many) EXPECT_LT(i, 1'000'000u);
  double sum = 0;
  for (std::size_t i = 0; i < 10'000; ++i) sum += random_sign(i);
  EXPECT_NEAR(sum, 0, 500);  // five standard deviations
}

}  // namespace
}  // namespace palstudy
