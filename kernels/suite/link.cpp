// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "kernels/compare.hpp"
#include "kernels/kernel.hpp"

namespace palstudy {
namespace {

enum : std::size_t { from, to };

/// A copy. On a GPU by its copy engine, from its memory to its memory; between GPUs the measuring campaign gives the
/// two ends.
class Link : public Problem {
 public:
  explicit Link(const ParamValues& params) : bytes_(size_param(params, "kib") * 1024) {}

  [[nodiscard]] double flops() const override { return 0; }
  [[nodiscard]] double bytes() const override { return 2 * static_cast<double>(bytes_); }
  [[nodiscard]] std::vector<ArraySpec> arrays() const override {
    return {{"from", bytes_, ArrayRole::input}, {"to", bytes_, ArrayRole::output}};
  }
  void fill(Arrays& arrays, std::uint64_t seed) const override {
    fill_uniform(arrays.of<float>(from), seed, from, -1, 1);
  }
  void compute(Arrays& arrays) const override {
    std::memcpy(arrays.bytes(to).data(), arrays.bytes(from).data(), bytes_);
  }
  [[nodiscard]] Verdict check(const Arrays& arrays) const override {
    const auto sent = arrays.of<std::uint32_t>(from), got = arrays.of<std::uint32_t>(to);
    Comparison compare;
    for (std::size_t i = 0; i < sent.size(); ++i) compare.add(got[i], sent[i], 0, "word", i);
    return compare.verdict(arrays);
  }

 private:
  std::size_t bytes_;
};

}  // namespace

void register_kernel_link(KernelRegistry& registry) {
  KernelMake make;
  make.stands_for = "locality: copies";
  make.host_sizes = {{"kib", "65536"}};
  make.make = [](const ParamValues& params) { return std::make_unique<Link>(params); };
  registry.add({"link",
                "a copy from memory to memory",
                {{"kib", ParamType::integer, "KiB", "what is copied", "1048576", 1, 1e8}},
                make});
}

}  // namespace palstudy
