// SPDX-License-Identifier: MIT
#include "sim/scheduler/list/locality_relaxation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <tuple>

namespace palstudy {
namespace {

constexpr std::uint32_t nothing_too_many = UINT32_MAX;

std::uint32_t free_on(const FreeGpus& free, std::uint32_t node) {
  return static_cast<std::uint32_t>(std::popcount(free.mask(NodeId(node))));
}

/// By k: the sum of the k largest.
std::vector<std::uint32_t> sums_of_largest(std::vector<std::uint32_t> sizes) {
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  std::vector<std::uint32_t> sums = {0};
  for (const std::uint32_t size : sizes) sums.push_back(sums.back() + size);
  return sums;
}

}  // namespace

LocalityRelaxation::LocalityRelaxation(const Topology& topology) : topology_(topology), all_{{0, topology.nodes()}} {
  std::vector<std::uint32_t> sizes;
  for (std::uint32_t n = 0; n < topology.nodes(); ++n) {
    const bool same = n > 0 && topology.cabinet_of(NodeId(n)) == topology.cabinet_of(NodeId(n - 1));
    if (same) {
      cabinets_.back().second = n + 1;
    } else {
      cabinets_.emplace_back(n, n + 1);
    }
    sizes.push_back(topology.gpus_of(NodeId(n)));
  }
  largest_ = sums_of_largest(sizes);
  in_cabinet_.assign(largest_.size(), 0);
  for (const auto& [begin, end] : cabinets_) {
    const auto sums = sums_of_largest({sizes.begin() + begin, sizes.begin() + end});
    for (std::size_t k = 0; k < in_cabinet_.size(); ++k) {
      in_cabinet_[k] = std::max(in_cabinet_[k], sums[std::min(k, sums.size() - 1)]);
    }
  }
  too_many_.assign(largest_.size(), nothing_too_many);
}

std::uint32_t LocalityRelaxation::fewest(std::uint32_t gpus) const {
  return static_cast<std::uint32_t>(std::lower_bound(largest_.begin(), largest_.end(), gpus) - largest_.begin());
}

bool LocalityRelaxation::spans_cabinets(std::uint32_t gpus, RelaxationLevel level) const {
  return gpus > (level == RelaxationLevel::fewest_nodes ? in_cabinet_[fewest(gpus)] : in_cabinet_.back());
}

const std::vector<LocalityRelaxation::Range>& LocalityRelaxation::ranges(std::uint32_t gpus,
                                                                         RelaxationLevel level) const {
  return spans_cabinets(gpus, level) ? all_ : cabinets_;
}

/// The free GPUs of those `nodes` that have most.
std::uint32_t LocalityRelaxation::room(const FreeGpus& free, const Range& range, std::uint32_t nodes) const {
  std::array<std::uint32_t, max_gpus_per_node + 1> with{};  // nodes by their number of free GPUs
  for (std::uint32_t n = range.first; n < range.second; ++n) ++with[free_on(free, n)];
  std::uint32_t sum = 0;
  for (std::uint32_t each = max_gpus_per_node; each > 0 && nodes > 0; --each) {
    const std::uint32_t taken = std::min(nodes, with[each]);
    sum += taken * each;
    nodes -= taken;
  }
  return sum;
}

bool LocalityRelaxation::fits(const FreeGpus& free, std::uint32_t gpus, RelaxationLevel level) const {
  const std::uint32_t most = level == RelaxationLevel::fewest_nodes ? fewest(gpus) : topology_.nodes();
  const auto& places = ranges(gpus, level);
  return std::any_of(places.begin(), places.end(), [&](const Range& range) { return room(free, range, most) >= gpus; });
}

bool LocalityRelaxation::possible(const FreeGpus& free, std::uint32_t gpus, RelaxationLevel level) {
  if (level == RelaxationLevel::anywhere) return free.total() >= gpus;
  // More GPUs on as many nodes, in as few cabinets, are harder to find; a job that may span cabinets is looked up
  // again.
  const bool spans = spans_cabinets(gpus, level);
  std::uint32_t& too_many = too_many_[level == RelaxationLevel::fewest_nodes ? fewest(gpus) : 0];
  if (!spans && gpus >= too_many) return false;
  if (fits(free, gpus, level)) return true;
  if (!spans) too_many = gpus;
  remembers_ = true;
  return false;
}

void LocalityRelaxation::forget() {
  if (remembers_) std::fill(too_many_.begin(), too_many_.end(), nothing_too_many);
  remembers_ = false;
}

bool LocalityRelaxation::allows(const GpuSet& set, std::uint32_t gpus, RelaxationLevel level) const {
  if (level == RelaxationLevel::anywhere) return true;
  if (level == RelaxationLevel::fewest_nodes && set.size() > fewest(gpus)) return false;
  return spans_cabinets(gpus, level) || topology_.level(set) != Level::cluster;
}

void LocalityRelaxation::nodes(const FreeGpus& free, std::uint32_t gpus, RelaxationLevel level, const GpuSet& preferred,
                               std::vector<NodeId>& out) const {
  const std::uint32_t most = level == RelaxationLevel::fewest_nodes ? fewest(gpus) : topology_.nodes();
  const auto preferred_on = [&](std::uint32_t node) -> std::uint32_t {
    const auto at = std::lower_bound(preferred.begin(), preferred.end(), NodeId(node),
                                     [](const NodeGpus& part, NodeId n) { return part.node < n; });
    return at == preferred.end() || at->node != NodeId(node) ? 0 : static_cast<std::uint32_t>(std::popcount(at->mask));
  };
  std::vector<std::tuple<std::int64_t, std::int64_t, std::uint32_t>> candidates;
  out.clear();
  if (most == 1) {
    for (std::uint32_t n = 0; n < topology_.nodes(); ++n) {
      if (free_on(free, n) >= gpus) candidates.emplace_back(-std::int64_t{preferred_on(n)}, free_on(free, n), n);
    }
    out.emplace_back(std::get<2>(*std::min_element(candidates.begin(), candidates.end())));
    return;
  }
  const auto& places = ranges(gpus, level);
  for (std::uint32_t p = 0; p < places.size(); ++p) {
    const std::uint32_t has = room(free, places[p], most);
    if (has < gpus) continue;
    std::int64_t sum = 0;
    for (std::uint32_t n = places[p].first; n < places[p].second; ++n) sum += preferred_on(n);
    candidates.emplace_back(-sum, -std::int64_t{has}, p);
  }
  const Range place = places[std::get<2>(*std::min_element(candidates.begin(), candidates.end()))];
  const auto fill = [&](bool by_preference) {
    candidates.clear();
    out.clear();
    for (std::uint32_t n = place.first; n < place.second; ++n) {
      candidates.emplace_back(by_preference ? -std::int64_t{preferred_on(n)} : 0, -std::int64_t{free_on(free, n)}, n);
    }
    std::sort(candidates.begin(), candidates.end());
    candidates.resize(std::min<std::size_t>(candidates.size(), most));
    std::int64_t sum = 0;
    for (const auto& [w, minus_free, n] : candidates) sum -= minus_free, out.emplace_back(n);
    return sum >= gpus;
  };
  if (!fill(true)) static_cast<void>(fill(false));
  std::sort(out.begin(), out.end());
}

}  // namespace palstudy
