// SPDX-License-Identifier: MIT
#include <numeric>

#include "core/random.hpp"
#include "kernels/compare.hpp"
#include "kernels/kernel.hpp"

namespace palstudy {
namespace {

enum : std::size_t { next, end };
constexpr std::size_t sector = 32;  // bytes between places: what a GPU fetches at least
constexpr std::size_t words = sector / sizeof(std::uint32_t);
constexpr std::size_t legs = 64;  // the place after each leg of the way is a result

/// Follows a cycle through memory, each address known only when the load before it is done: latency.
class Chase : public Problem {
 public:
  explicit Chase(const ParamValues& params)
      : places_(size_param(params, "kib") * 1024 / sector), hops_(size_param(params, "hops")) {
    require_multiple("chase", "hops", hops_, legs);
  }

  [[nodiscard]] double flops() const override { return 0; }
  [[nodiscard]] double bytes() const override { return static_cast<double>(sector * hops_); }
  [[nodiscard]] std::vector<ArraySpec> arrays() const override {
    return {{"next", places_ * sector, ArrayRole::input}, {"end", legs * sizeof(std::uint32_t), ArrayRole::output}};
  }
  /// One cycle through all places, every such cycle as likely (Sattolo, Inf. Proc. Lett. 22(6), 1986).
  void fill(Arrays& arrays, std::uint64_t seed) const override {
    const auto to = arrays.of<std::uint32_t>(next);
    RandomStream stream(seed, Purpose::kernel_input, 0);
    for (std::size_t i = 0; i < places_; ++i) to[i * words] = static_cast<std::uint32_t>(i);
    for (std::size_t i = places_ - 1; i > 0; --i) {
      std::swap(to[i * words], to[stream.below(static_cast<std::uint32_t>(i)) * words]);
    }
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
    const auto to = arrays.of<std::uint32_t>(next);
    std::uint32_t at = 0;
    for (std::size_t leg = 0; leg < legs; ++leg) {
      for (std::size_t i = 0; i < hops_ / legs; ++i) at = to[std::size_t{at} * words];
      arrived(leg, at);
    }
  }
  std::size_t places_, hops_;
};

}  // namespace

void register_kernel_chase(KernelRegistry& registry) {
  KernelMake make;
  make.stands_for = "memory latency; a canary for neighbours";
  make.host_sizes = {{"kib", "65536"}, {"hops", "65536"}};
  make.make = [](const ParamValues& params) { return std::make_unique<Chase>(params); };
  registry.add({"chase",
                "one thread follows pointers in a random cycle",
                {{"kib", ParamType::integer, "KiB", "memory that the cycle runs through", "409600", 1, 1e8},
                 {"hops", ParamType::integer, "", "loads of a launch, a multiple of 64", "262144", 64, 1e9}},
                make});
}

}  // namespace palstudy
