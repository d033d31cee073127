// SPDX-License-Identifier: MIT
#include <barrier>
#include <cmath>
#include <thread>

#include "kernels/compare.hpp"
#include "kernels/kernel.hpp"

namespace palstudy {
namespace {

enum : std::size_t { gradients, sums };

/// The sum of the arrays of several ranks, given to every rank: what a data-parallel step does with its gradients.
/// Here the ranks are threads of one process (or parts of one GPU), in a ring as between GPUs: each rank sums its part
/// of all arrays, then takes the parts of the others.
class Allreduce : public Problem {
 public:
  explicit Allreduce(const ParamValues& params) : ranks_(size_param(params, "ranks")), n_(size_param(params, "n")) {
    require_multiple("allreduce", "n", n_, ranks_);
  }

  [[nodiscard]] double flops() const override { return static_cast<double>((ranks_ - 1) * n_); }
  [[nodiscard]] double bytes() const override { return 2 * 4 * static_cast<double>(ranks_ * n_); }
  [[nodiscard]] std::vector<ArraySpec> arrays() const override {
    const std::size_t size = ranks_ * n_ * sizeof(float);
    return {{"gradients", size, ArrayRole::input}, {"sums", size, ArrayRole::output}};
  }
  void fill(Arrays& arrays, std::uint64_t seed) const override {
    fill_uniform(arrays.of<float>(gradients), seed, gradients, -1, 1);
  }
  void compute(Arrays& arrays) const override {
    const float* in = arrays.of<float>(gradients).data();
    float* out = arrays.of<float>(sums).data();
    std::barrier all_summed(static_cast<std::ptrdiff_t>(ranks_));
    const auto run = [&](std::size_t rank) {
      reduce_part(in, out, rank);
      all_summed.arrive_and_wait();
      take_parts(out, rank);
    };
    std::vector<std::jthread> others;
    for (std::size_t rank = 1; rank < ranks_; ++rank) others.emplace_back(run, rank);
    run(0);
  }
  [[nodiscard]] Verdict check(const Arrays& arrays) const override {
    const auto in = arrays.of<float>(gradients), out = arrays.of<float>(sums);
    Comparison compare;
    for (std::size_t i = 0; i < n_; ++i) {
      double sum = 0, square = 0;
      for (std::size_t rank = 0; rank < ranks_; ++rank) {
        sum += in[rank * n_ + i];
        square += double{in[rank * n_ + i]} * in[rank * n_ + i];
      }
      const double tolerance = sum_tolerance(static_cast<double>(ranks_), std::sqrt(square));
      for (std::size_t rank = 0; rank < ranks_; ++rank) {
        compare.add(out[rank * n_ + i], sum, tolerance, "sum", rank * n_ + i);
      }
    }
    return compare.verdict(arrays);
  }

 private:
  void reduce_part(const float* in, float* out, std::size_t rank) const {
    const std::size_t part = n_ / ranks_;
    for (std::size_t i = rank * part; i < (rank + 1) * part; ++i) {
      float sum = in[i];
      for (std::size_t other = 1; other < ranks_; ++other) sum += in[other * n_ + i];
      out[rank * n_ + i] = sum;
    }
  }
  void take_parts(float* out, std::size_t rank) const {
    const std::size_t part = n_ / ranks_;
    for (std::size_t step = 1; step < ranks_; ++step) {
      const std::size_t owner = (rank + step) % ranks_;
      const float* from = out + owner * n_ + owner * part;
      std::copy(from, from + part, out + rank * n_ + owner * part);
    }
  }
  std::size_t ranks_, n_;
};

}  // namespace

void register_kernel_allreduce(KernelRegistry& registry) {
  KernelMake make;
  make.stands_for = "locality: gradients of data-parallel training";
  make.pipe = "fp32";
  make.host_sizes = {{"ranks", "2"}, {"n", "1048576"}};
  make.make = [](const ParamValues& params) { return std::make_unique<Allreduce>(params); };
  registry.add({"allreduce",
                "the sum of several ranks' arrays, given to each of them",
                {{"ranks", ParamType::integer, "", "arrays", "8", 1, 64},
                 {"n", ParamType::integer, "", "elements of each, a multiple of the ranks", "25600000", 1, 1e9}},
                make});
}

}  // namespace palstudy
