// SPDX-License-Identifier: MIT
#include "kernels/compare.hpp"
#include "kernels/kernel.hpp"
#include "kernels/suite/gemm_check.hpp"
#include "kernels/suite/host_gemm.hpp"

namespace palstudy {
namespace {

enum : std::size_t { a, b, c };

/// C = A B, row-major, all n x n in float32.
class Sgemm : public Problem {
 public:
  explicit Sgemm(const ParamValues& params) : n_(size_param(params, "n")) {}

  [[nodiscard]] double flops() const override { return 2 * n() * n() * n(); }
  [[nodiscard]] double bytes() const override { return 3 * 4 * n() * n(); }
  [[nodiscard]] double bytes_most() const override {
    return TiledProduct{.rows = n(), .columns = n(), .depth = n()}.bytes();
  }
  [[nodiscard]] std::vector<ArraySpec> arrays() const override {
    const std::size_t size = n_ * n_ * sizeof(float);
    return {{"a", size, ArrayRole::input}, {"b", size, ArrayRole::input}, {"c", size, ArrayRole::output}};
  }
  void fill(Arrays& arrays, std::uint64_t seed) const override {
    fill_uniform(arrays.of<float>(a), seed, a, -1, 1);
    fill_uniform(arrays.of<float>(b), seed, b, -1, 1);
  }
  void compute(Arrays& arrays) const override {
    host_gemm(n_, n_, n_, arrays.of<float>(a).data(), n_, arrays.of<float>(b).data(), n_, arrays.of<float>(c).data(),
              n_);
  }
  [[nodiscard]] Verdict check(const Arrays& arrays) const override {
    const auto left = arrays.of<float>(a), right = arrays.of<float>(b);
    Comparison compare;
    check_gemm(
        compare, n_, [&](std::size_t i) { return double{left[i]}; }, [&](std::size_t i) { return double{right[i]}; },
        arrays.of<float>(c).data(), float_eps, 256);
    return compare.verdict(arrays);
  }

 private:
  [[nodiscard]] double n() const { return static_cast<double>(n_); }
  std::size_t n_;
};

KernelEntry entry(const std::string& name, const std::string& summary, const std::string& stands_for,
                  const std::string& library) {
  KernelMake make;
  make.stands_for = stands_for;
  make.pipe = "fp32";
  make.by_default = library.empty();
  make.library = library;
  make.host_sizes = {{"n", "512"}};
  make.make = [](const ParamValues& params) { return std::make_unique<Sgemm>(params); };
  return {name, summary, {{"n", ParamType::integer, "", "order of the matrices", "8192", 1, 65535}}, make};
}

}  // namespace

void register_kernel_sgemm(KernelRegistry& registry) {
  registry.add(entry("sgemm", "matrix product in float32", "dense linear algebra; class A", ""));
  registry.add(entry("sgemm-cublas", "the same by cuBLAS, as SC'22 measured it with n = 25536", "", "cuBLAS"));
}

}  // namespace palstudy
