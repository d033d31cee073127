// SPDX-License-Identifier: MIT
// One job placed and, before it, as many random jobs released as keep a tenth of the GPUs free: the steady state of a
// busy cluster. 4 classes, equally likely; 8 GPUs a node, 8 bins a class. Job sizes as in the Philly trace (Jeon et
// al., ATC'19: mean 1.9 GPUs), or 1, 2, 4, 8, 16 equally likely, which fragments nodes more. The real policies on the
// real index. Beside the time stand exact counts per placement, which are the same on every machine.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "cluster/free_gpus.hpp"
#include "core/random.hpp"
#include "policy/placement_policy.hpp"

namespace {

using namespace palstudy;

constexpr std::uint32_t classes = 4;
constexpr std::uint32_t bins_of_class = 8;

struct Size {
  std::uint32_t gpus;
  double share;
};
const std::vector<Size> philly = {{1, .842}, {2, .035}, {4, .050}, {8, .060}, {16, .009}, {32, .0028}, {64, .0012}};
const std::vector<Size> even = {{1, .2}, {2, .2}, {4, .2}, {8, .2}, {16, .2}};

Bins random_bins(std::uint32_t gpus) {
  RandomStream stream(1, Purpose::cluster_draw, 0);
  std::vector<ClassBins> all(classes);
  for (ClassBins& bins : all) {
    for (std::uint32_t b = 0; b < bins_of_class; ++b) bins.values.push_back(0.9 + 0.1 * b);
    for (std::uint32_t g = 0; g < gpus; ++g)
      bins.of_gpu.push_back(static_cast<std::uint16_t>(stream.below(bins_of_class)));
    for (std::uint16_t b = 0; b < bins_of_class; ++b) bins.appearance.push_back(b);
  }
  return Bins(std::move(all));
}

class BusyCluster {
 public:
  BusyCluster(std::uint32_t gpus, const char* placement, const std::vector<Size>& sizes)
      : sizes_(sizes),
        topology_(std::vector<NodeGroup>{{gpus / 8, 8}}, 16),
        bins_(random_bins(gpus)),
        policy_(placements().at(placement).make({topology_, bins_, {}, 1}, {})),
        free_(topology_, bins_, policy_->needs()),
        stream_(1, Purpose::job_shape, 0) {
    while (free_.total() * 10 >= gpus) step();
    for (std::uint32_t i = 0; i < gpus; ++i) step();  // forget how it was filled
  }

  void step() {
    while (!running_.empty() && free_.total() * 10 < topology_.gpus())
      release(stream_.below(static_cast<std::uint32_t>(running_.size())));
    GpuSet gpus = spare();
    const Request request{JobId(0), ClassId(stream_.below(classes)), draw_size(), 0};
    while (!policy_->choose(request, free_, gpus)) release(stream_.below(static_cast<std::uint32_t>(running_.size())));
    for (const NodeGpus& part : gpus) free_.take(part);
    running_.push_back(std::move(gpus));
  }
  [[nodiscard]] IndexCounts counts() const { return free_.counts(); }
  [[nodiscard]] std::size_t bytes() const { return free_.bytes(); }

 private:
  void release(std::uint32_t job) {
    for (const NodeGpus& part : running_[job]) free_.give(part);
    std::swap(running_[job], running_.back());
    running_.back().clear();
    spare_.push_back(std::move(running_.back()));
    running_.pop_back();
  }
  std::uint32_t draw_size() {
    double rest = stream_.uniform();
    std::size_t i = 0;
    while (i + 1 < sizes_.size() && rest >= sizes_[i].share) rest -= sizes_[i++].share;
    return std::min(sizes_[i].gpus, topology_.gpus() / 4);
  }
  GpuSet spare() {
    if (spare_.empty()) return {};
    GpuSet gpus = std::move(spare_.back());
    spare_.pop_back();
    return gpus;
  }

  const std::vector<Size>& sizes_;
  Topology topology_;
  Bins bins_;
  std::unique_ptr<PlacementPolicy> policy_;
  FreeGpus free_;
  RandomStream stream_;
  std::vector<GpuSet> running_;
  std::vector<GpuSet> spare_;  // memory of finished jobs
};

void place(benchmark::State& state, const char* placement, const std::vector<Size>& sizes) {
  BusyCluster cluster(static_cast<std::uint32_t>(state.range(0)), placement, sizes);
  const IndexCounts before = cluster.counts();
  for (auto _ : state) cluster.step();
  const IndexCounts after = cluster.counts();
  state.SetItemsProcessed(state.iterations());
  state.counters["bytes_per_gpu"] = static_cast<double>(cluster.bytes()) / static_cast<double>(state.range(0));
  const auto per_placement = [&](std::uint64_t from, std::uint64_t to) {
    return benchmark::Counter(static_cast<double>(to - from), benchmark::Counter::kAvgIterations);
  };
  state.counters["queries"] = per_placement(before.queries, after.queries);
  state.counters["updates"] = per_placement(before.updates, after.updates);
  state.counters["moves"] = per_placement(before.moves, after.moves);
}

BENCHMARK_CAPTURE(place, packed_philly, "packed-sticky", philly)->Arg(64)->Arg(4096)->Arg(37632)->Arg(1048576);
BENCHMARK_CAPTURE(place, pal_philly, "pal", philly)->Arg(64)->Arg(4096)->Arg(37632)->Arg(1048576);
BENCHMARK_CAPTURE(place, pal_levels_philly, "pal-levels", philly)->Arg(64)->Arg(4096)->Arg(37632)->Arg(1048576);
BENCHMARK_CAPTURE(place, packed_even, "packed-sticky", even)->Arg(4096)->Arg(1048576);
BENCHMARK_CAPTURE(place, pal_even, "pal", even)->Arg(4096)->Arg(1048576);
BENCHMARK_CAPTURE(place, pal_levels_even, "pal-levels", even)->Arg(4096)->Arg(1048576);

}  // namespace

BENCHMARK_MAIN();
