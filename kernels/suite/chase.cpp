// SPDX-License-Identifier: MIT
#include <numeric>
#include <string>

#include "core/error.hpp"
#include "core/random.hpp"
#include "kernels/compare.hpp"
#include "kernels/kernel.hpp"

namespace palstudy {
namespace {

enum : std::size_t { next, start, end };
constexpr std::size_t sector = 32;  // bytes between places: what a GPU fetches at least
constexpr std::size_t words = sector / sizeof(std::uint32_t);
constexpr std::size_t legs = 64;  // the place after each leg of a chain is a result

/// Follows a cycle through memory, each address known only when the load before it is done: latency. Chains begin
/// evenly spread along the cycle, so that with as many hops as places a launch visits each place once, and no cache
/// smaller than the memory has what the next launch wants.
class Chase : public Problem {
 public:
  explicit Chase(const ParamValues& params)
      : places_(size_param(params, "kib") * 1024 / sector),
        chains_(size_param(params, "chains")),
        hops_(size_param(params, "hops")) {
    require_multiple("chase", "hops", hops_, legs * chains_);
    if (chains_ > places_) {
      throw usage_error(std::to_string(chains_) + " chains in " + std::to_string(places_) + " places",
                        "parameter chains of kernel chase", "take fewer chains or more kib");
    }
  }

  [[nodiscard]] double flops() const override { return 0; }
  [[nodiscard]] double bytes() const override { return static_cast<double>(sector * hops_); }
  [[nodiscard]] std::vector<ArraySpec> arrays() const override {
    return {{"next", places_ * sector, ArrayRole::input},
            {"start", chains_ * sizeof(std::uint32_t), ArrayRole::input},
            {"end", chains_ * legs * sizeof(std::uint32_t), ArrayRole::output}};
  }
  /// One cycle through all places, every such cycle as likely: a random order (Durstenfeld, Commun. ACM 7(7), 1964),
  /// each place pointing to the one behind it.
  void fill(Arrays& arrays, std::uint64_t seed) const override {
    std::vector<std::uint32_t> order(places_);
    std::iota(order.begin(), order.end(), 0U);
    RandomStream stream(seed, Purpose::kernel_input, 0);
    for (std::size_t i = places_; i > 1; --i) {
      std::swap(order[i - 1], order[stream.below(static_cast<std::uint32_t>(i))]);
    }
    const auto to = arrays.of<std::uint32_t>(next), from = arrays.of<std::uint32_t>(start);
    for (std::size_t i = 0; i < places_; ++i) to[order[i] * words] = order[i + 1 < places_ ? i + 1 : 0];
    for (std::size_t chain = 0; chain < chains_; ++chain) from[chain] = order[places_ / chains_ * chain];
  }
  void compute(Arrays& arrays) const override {
    walk(arrays, [&](std::size_t leg, std::uint32_t at) { arrays.of<std::uint32_t>(end)[leg] = at; });
  }
  [[nodiscard]] Verdict check(const Arrays& arrays) const override {
    Comparison compare;
    walk(arrays, [&](std::size_t leg, std::uint32_t at) {
      compare.add(arrays.of<std::uint32_t>(end)[leg], at, 0, "place after leg", leg);
    });
    return compare.verdict(arrays);
  }

 private:
  template <class Arrived>
  void walk(const Arrays& arrays, Arrived arrived) const {
    const auto to = arrays.of<std::uint32_t>(next), from = arrays.of<std::uint32_t>(start);
    for (std::size_t chain = 0; chain < chains_; ++chain) {
      std::uint32_t at = from[chain];
      for (std::size_t leg = 0; leg < legs; ++leg) {
        for (std::size_t i = 0; i < hops_ / chains_ / legs; ++i) at = to[std::size_t{at} * words];
        arrived(chain * legs + leg, at);
      }
    }
  }
  std::size_t places_, chains_, hops_;
};

}  // namespace

void register_kernel_chase(KernelRegistry& registry) {
  KernelMake make;
  make.stands_for = "memory latency; a canary for neighbours";
  make.host_sizes = {{"kib", "65536"}, {"chains", "1"}, {"hops", "65536"}};
  make.make = [](const ParamValues& params) { return std::make_unique<Chase>(params); };
  registry.add({"chase",
                "threads follow pointers in a random cycle",
                {{"kib", ParamType::integer, "KiB", "memory that the cycle runs through", "524288", 1, 1e8},
                 {"chains", ParamType::integer, "", "threads, each from a place of its own", "1024", 1, 1e6},
                 {"hops", ParamType::integer, "", "loads of a launch, a multiple of 64 chains", "16777216", 64, 1e9}},
                make});
}

}  // namespace palstudy
