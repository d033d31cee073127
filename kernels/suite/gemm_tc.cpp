// SPDX-License-Identifier: MIT
#include "core/error.hpp"
#include "kernels/compare.hpp"
#include "kernels/half.hpp"
#include "kernels/kernel.hpp"
#include "kernels/suite/gemm_check.hpp"
#include "kernels/suite/host_gemm.hpp"

namespace palstudy {
namespace {

enum : std::size_t { a, b, c, wide_a, wide_b };

/// C = A B, row-major, all n x n; A and B have 16 bits, the sums and C have 32.
class GemmTc : public Problem {
 public:
  explicit GemmTc(const ParamValues& params) : n_(size_param(params, "n")), bf16_(params.text("type") == "bf16") {
    if (!bf16_ && params.text("type") != "fp16") {
      throw usage_error("unknown type \"" + params.text("type") + "\"", "parameter type of kernel gemm-tc",
                        "known: bf16, fp16");
    }
    require_multiple("gemm-tc", "n", n_, 256);
  }

  [[nodiscard]] double flops() const override { return 2 * n() * n() * n(); }
  [[nodiscard]] double bytes() const override { return (2 + 2 + 4) * n() * n(); }
  [[nodiscard]] double bytes_most() const override {
    return TiledProduct{.rows = n(), .columns = n(), .depth = n(), .operand = 2, .tile_columns = 256}.bytes();
  }
  [[nodiscard]] std::vector<ArraySpec> arrays() const override {
    const std::size_t size = n_ * n_;
    return {{"a", 2 * size, ArrayRole::input},
            {"b", 2 * size, ArrayRole::input},
            {"c", 4 * size, ArrayRole::output},
            {"wide_a", 4 * size, ArrayRole::scratch},
            {"wide_b", 4 * size, ArrayRole::scratch}};
  }
  void fill(Arrays& arrays, std::uint64_t seed) const override {
    std::vector<float> row(n_);
    for (const std::size_t which : {a, b}) {
      for (std::size_t i = 0; i < n_; ++i) {
        fill_uniform(row, seed, 2 * i + which, -1, 1);
        for (std::size_t j = 0; j < n_; ++j) {
          arrays.of<std::uint16_t>(which)[i * n_ + j] = bf16_ ? to_bf16(row[j]) : to_fp16(row[j]);
        }
      }
    }
  }
  void compute(Arrays& arrays) const override {
    widen(arrays.of<std::uint16_t>(a), arrays.of<float>(wide_a));
    widen(arrays.of<std::uint16_t>(b), arrays.of<float>(wide_b));
    host_gemm(n_, n_, n_, arrays.of<float>(wide_a).data(), n_, arrays.of<float>(wide_b).data(), n_,
              arrays.of<float>(c).data(), n_);
  }
  [[nodiscard]] Verdict check(const Arrays& arrays) const override {
    std::vector<float> left(n_ * n_), right(n_ * n_);
    widen(arrays.of<std::uint16_t>(a), left);
    widen(arrays.of<std::uint16_t>(b), right);
    Comparison compare;
    // Products of 16-bit operands are exact in float; tensor cores may cut sums off instead of rounding them.
    check_gemm(
        compare, n_, [&](std::size_t i) { return double{left[i]}; }, [&](std::size_t i) { return double{right[i]}; },
        arrays.of<float>(c).data(), 4 * float_eps, 256);
    return compare.verdict(arrays);
  }

 private:
  [[nodiscard]] double n() const { return static_cast<double>(n_); }
  void widen(std::span<const std::uint16_t> from, std::span<float> to) const {
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = bf16_ ? from_bf16(from[i]) : from_fp16(from[i]);
  }
  std::size_t n_;
  bool bf16_;
};

KernelEntry entry(const std::string& name, const std::string& summary, const std::string& stands_for,
                  const std::string& library) {
  KernelMake make;
  make.stands_for = stands_for;
  make.pipe = "tensor";
  make.library = library;
  make.host_sizes = {{"n", "512"}};
  make.make = [](const ParamValues& params) { return std::make_unique<GemmTc>(params); };
  return {name,
          summary,
          {{"n", ParamType::integer, "", "order of the matrices, a multiple of 256", "8192", 256, 65536},
           {"type", ParamType::text, "", "of the operands, bf16 or fp16", "bf16"}},
          make};
}

}  // namespace

void register_kernel_gemm_tc(KernelRegistry& registry) {
  registry.add(entry("gemm-tc", "matrix product on tensor cores, 16-bit operands, 32-bit sums",
                     "training of large models (Megatron); class A", ""));
  registry.add(entry("gemm-tc-cublas", "the same by cuBLAS", "", "cuBLAS"));
}

}  // namespace palstudy
