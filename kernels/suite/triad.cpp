// SPDX-License-Identifier: MIT
#include <cmath>

#include "kernels/compare.hpp"
#include "kernels/kernel.hpp"

namespace palstudy {
namespace {

enum : std::size_t { a, b, c };
constexpr float factor = 0.42F;

/// a = b + 0.42 c (McCalpin's STREAM), in float32, on arrays that no cache holds.
class Triad : public Problem {
 public:
  explicit Triad(const ParamValues& params) : n_(size_param(params, "n")) { require_multiple("triad", "n", n_, 4); }

  [[nodiscard]] double flops() const override { return 2 * static_cast<double>(n_); }
  [[nodiscard]] double bytes() const override { return 3 * 4 * static_cast<double>(n_); }
  [[nodiscard]] std::vector<ArraySpec> arrays() const override {
    const std::size_t size = n_ * sizeof(float);
    return {{"a", size, ArrayRole::output}, {"b", size, ArrayRole::input}, {"c", size, ArrayRole::input}};
  }
  void fill(Arrays& arrays, std::uint64_t seed) const override {
    fill_uniform(arrays.of<float>(b), seed, b, 1, 2);
    fill_uniform(arrays.of<float>(c), seed, c, 1, 2);
  }
  void compute(Arrays& arrays) const override {
    float* __restrict__ out = arrays.of<float>(a).data();
    const float* __restrict__ left = arrays.of<float>(b).data();
    const float* __restrict__ right = arrays.of<float>(c).data();
    for (std::size_t i = 0; i < n_; ++i) out[i] = left[i] + factor * right[i];
  }
  [[nodiscard]] Verdict check(const Arrays& arrays) const override {
    const auto out = arrays.of<float>(a), left = arrays.of<float>(b), right = arrays.of<float>(c);
    Comparison compare;
    for (std::size_t i = 0; i < n_; ++i) {
      const double expected = left[i] + double{factor} * right[i];
      compare.add(out[i], expected, 2 * float_eps * expected, "element", i);  // with a fused multiply-add or without
    }
    return compare.verdict(arrays);
  }

 private:
  std::size_t n_;
};

}  // namespace

void register_kernel_triad(KernelRegistry& registry) {
  KernelMake make;
  make.stands_for = "the ceiling of memory bandwidth";
  make.pipe = "fp32";
  make.by_default = true;
  make.host_sizes = {{"n", "16777216"}};
  make.make = [](const ParamValues& params) { return std::make_unique<Triad>(params); };
  registry.add({"triad",
                "a = b + q c over arrays larger than any cache (STREAM)",
                {{"n", ParamType::integer, "", "elements of each array, a multiple of 4", "268435456", 4, 4e9}},
                make});
}

}  // namespace palstudy
