// SPDX-License-Identifier: MIT
#include "kernels/suite/fma_peak.hpp"

#include <cmath>

#include "kernels/compare.hpp"
#include "kernels/kernel.hpp"

namespace palstudy {
namespace {

enum : std::size_t { start, result };

/// x = factor x + addend, again and again, in registers: eight chains a thread, so that the next multiply-add never
/// waits for the one before.
class FmaPeak : public Problem {
 public:
  explicit FmaPeak(const ParamValues& params)
      : chains_(size_param(params, "chains")), steps_(size_param(params, "steps")) {
    require_multiple("fma-peak", "chains", chains_, fma_chains_per_block);
  }

  [[nodiscard]] double flops() const override {
    return 2.0 * static_cast<double>(chains_) * static_cast<double>(steps_);
  }
  [[nodiscard]] double bytes() const override { return 2 * 4 * static_cast<double>(chains_); }
  [[nodiscard]] std::vector<ArraySpec> arrays() const override {
    return {{"start", chains_ * sizeof(float), ArrayRole::input},
            {"result", chains_ * sizeof(float), ArrayRole::output}};
  }
  void fill(Arrays& arrays, std::uint64_t seed) const override { fill_uniform(arrays.of<float>(start), seed, 0, 1, 2); }
  void compute(Arrays& arrays) const override {
    constexpr std::size_t lanes = 32;  // eight vector registers of four, or four of eight
    for (std::size_t i = 0; i < chains_; i += lanes) {
      float x[lanes];
      for (std::size_t j = 0; j < lanes; ++j) x[j] = arrays.of<float>(start)[i + j];
      for (std::size_t k = 0; k < steps_; ++k) {
        for (std::size_t j = 0; j < lanes; ++j) x[j] = x[j] * fma_factor + fma_addend;
      }
      for (std::size_t j = 0; j < lanes; ++j) arrays.of<float>(result)[i + j] = x[j];
    }
  }
  [[nodiscard]] Verdict check(const Arrays& arrays) const override {
    // x_k = fixed + (x_0 - fixed) factor^k; the rounding errors are damped like the start.
    const double fixed = double{fma_addend} / (1 - double{fma_factor});
    const double damped = std::pow(double{fma_factor}, static_cast<double>(steps_));
    const double tolerance = 2 * float_eps * std::min(static_cast<double>(steps_), 1 / (1 - double{fma_factor}));
    Comparison compare;
    for (std::size_t i = 0; i < chains_; ++i) {
      const double expected = fixed + (arrays.of<float>(start)[i] - fixed) * damped;
      compare.add(arrays.of<float>(result)[i], expected, tolerance, "chain", i);
    }
    return compare.verdict(arrays);
  }

 private:
  std::size_t chains_, steps_;
};

}  // namespace

void register_kernel_fma_peak(KernelRegistry& registry) {
  KernelMake make;
  make.stands_for = "the ceiling of float32 arithmetic";
  make.pipe = "fp32";
  make.by_default = true;
  make.host_sizes = {{"chains", "2048"}, {"steps", "4096"}};
  make.make = [](const ParamValues& params) { return std::make_unique<FmaPeak>(params); };
  registry.add({"fma-peak",
                "multiply-adds in registers, nothing else",
                {{"chains", ParamType::integer, "", "independent sequences, a multiple of 2048", "8650752", 2048, 1e9},
                 {"steps", ParamType::integer, "", "multiply-adds of each", "16384", 1, 1e6}},
                make});
}

}  // namespace palstudy
