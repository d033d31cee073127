// SPDX-License-Identifier: MIT
#include "workload/elastic/best_set.hpp"

#include <algorithm>
#include <tuple>

namespace palstudy {
namespace {

/// What the GPUs span that are taken one after the other.
class TakenGpus {
 public:
  explicit TakenGpus(std::uint32_t nodes) : seen_(nodes) {}

  void clear(const FreeGpu& first) {
    std::ranges::fill(seen_, std::uint8_t{0});
    first_ = first;
    shape_ = {0, 0};
    one_cabinet_ = true;
  }
  void add(const FreeGpu& gpu) {
    ++shape_.gpus;
    shape_.nodes += seen_[gpu.node] == 0 ? 1 : 0;
    seen_[gpu.node] = 1;
    one_cabinet_ = one_cabinet_ && gpu.cabinet == first_.cabinet;
  }
  [[nodiscard]] JobShape shape() const { return shape_; }
  [[nodiscard]] double penalty(const LevelPenalties& penalties) const {
    if (shape_.nodes == 1) return penalties.node;
    return one_cabinet_ ? penalties.cabinet : penalties.cluster;
  }

 private:
  std::vector<std::uint8_t> seen_;  // by node
  FreeGpu first_;
  JobShape shape_;
  bool one_cabinet_ = true;
};

std::vector<std::uint32_t> ascending_ids(std::span<const FreeGpu> gpus) {
  std::vector<std::uint32_t> ids;
  for (const FreeGpu& gpu : gpus) ids.push_back(gpu.gpu);
  std::ranges::sort(ids);
  return ids;
}

/// Keeps the set of these GPUs if it is better.
void keep_better(BestSet& best, BestSet found, std::span<const FreeGpu> gpus) {
  if (!(found.goodput > 0) || found.goodput < best.goodput) return;
  const bool equal = found.goodput == best.goodput;
  if (equal && found.shape.gpus > best.shape.gpus) return;
  found.gpus = ascending_ids(gpus);
  if (equal && found.shape.gpus == best.shape.gpus && !(found.gpus < best.gpus)) return;
  best = std::move(found);
}

}  // namespace

BestSet best_set(std::span<const FreeGpu> free, const LevelPenalties& penalties, SlowKind kind, std::uint32_t most,
                 const Worth& worth) {
  std::vector<FreeGpu> sorted(free.begin(), free.end());
  std::uint32_t nodes = 0;
  for (const FreeGpu& gpu : sorted) nodes = std::max(nodes, gpu.node + 1);
  TakenGpus taken(nodes);
  BestSet best;
  const auto try_level = [&](auto group) {
    std::ranges::sort(sorted, {}, [&](const FreeGpu& gpu) { return std::tuple(group(gpu), gpu.slowdown, gpu.gpu); });
    for (auto first = sorted.begin(), at = first; at != sorted.end(); ++at) {
      if (at == sorted.begin() || group(*at) != group(*first)) taken.clear(*(first = at));
      taken.add(*at);
      if (taken.shape().gpus > most) continue;
      const SlowGpus slow{kind, at->slowdown, taken.penalty(penalties)};
      keep_better(best, {{}, taken.shape(), slow, worth(taken.shape(), slow)}, {first, at + 1});
    }
  };
  try_level([](const FreeGpu& gpu) { return gpu.node; });
  try_level([](const FreeGpu& gpu) { return gpu.cabinet; });
  try_level([](const FreeGpu&) { return 0u; });
  return best;
}

}  // namespace palstudy
