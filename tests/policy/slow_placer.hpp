// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "policy/placement_policy.hpp"

namespace palstudy {

using Gpus = std::vector<std::uint32_t>;  // GPU ids, ascending

/// The placement rules as they are written down, on plain lists of free GPUs (ascending ids): slow and obvious.
class SlowPlacer {
 public:
  SlowPlacer(const Topology& topology, const Bins& bins, LocalityPenalty penalty)
      : topology_(topology), bins_(bins), penalty_(penalty) {}

  [[nodiscard]] std::optional<Gpus> place(const std::string& policy, ClassId cls, std::uint32_t n,
                                          const Gpus& free) const {
    auto chosen = policy == "pal" || policy == "pal-sticky" ? pal(cls, n, free)
                  : policy == "pal-levels"                  ? pal_levels(cls, n, free)
                  : policy == "pm-first"                    ? pm_first(cls, n, free)
                                                            : packed(n, free);
    if (chosen) std::sort(chosen->begin(), chosen->end());
    return chosen;
  }

 private:
  using ByNode = std::map<std::uint32_t, Gpus>;  // nodes ascending

  [[nodiscard]] ByNode by_node(const Gpus& gpus) const {
    ByNode nodes;
    for (const std::uint32_t g : gpus) nodes[topology_.node_of(GpuId(g)).value].push_back(g);
    return nodes;
  }
  [[nodiscard]] static Gpus first(const Gpus& gpus, std::size_t n) {
    return {gpus.begin(), gpus.begin() + static_cast<std::ptrdiff_t>(std::min(n, gpus.size()))};
  }

  [[nodiscard]] std::optional<Gpus> packed(std::uint32_t n, const Gpus& free) const {
    ByNode nodes = by_node(free);
    for (const auto& [node, gpus] : nodes) {
      if (gpus.size() == n) return gpus;
    }
    const Gpus* best = nullptr;
    for (const auto& [node, gpus] : nodes) {
      if (gpus.size() >= n && (best == nullptr || gpus.size() < best->size())) best = &gpus;
    }
    if (best != nullptr) return first(*best, n);
    if (free.size() < n) return std::nullopt;
    Gpus chosen;
    while (chosen.size() < n) {
      Gpus* most = &nodes.begin()->second;
      for (auto& [node, gpus] : nodes) {
        if (gpus.size() > most->size()) most = &gpus;
      }
      const Gpus part = first(*most, n - chosen.size());
      chosen.insert(chosen.end(), part.begin(), part.end());
      most->clear();
    }
    return chosen;
  }

  [[nodiscard]] std::optional<Gpus> pm_first(ClassId cls, std::uint32_t n, const Gpus& free) const {
    if (free.size() < n) return std::nullopt;
    const auto& of = bins_.of(cls).of_gpu;
    std::vector<std::tuple<std::uint16_t, std::uint32_t, std::uint32_t>> keys;  // bin, |q - n|, GPU
    for (const std::uint32_t g : free) {
      std::uint32_t q = 0;
      for (const std::uint32_t other : free) {
        q += topology_.node_of(GpuId(other)) == topology_.node_of(GpuId(g)) && of[other] == of[g];
      }
      keys.emplace_back(of[g], q > n ? q - n : n - q, g);
    }
    std::sort(keys.begin(), keys.end());
    Gpus chosen;
    for (std::uint32_t i = 0; i < n; ++i) chosen.push_back(std::get<2>(keys[i]));
    return chosen;
  }

  [[nodiscard]] std::optional<Gpus> pal(ClassId cls, std::uint32_t n, const Gpus& free) const {
    if (n == 1 || n > topology_.widest_node()) return pm_first(cls, n, free);
    struct Entry {
      double product, value;
      bool within;
    };
    std::vector<Entry> list;
    const ClassBins& bins = bins_.of(cls);
    std::vector<bool> seen(bins.values.size());
    for (const std::uint16_t bin : bins.of_gpu) {
      if (seen[bin]) continue;
      seen[bin] = true;
      list.push_back({penalty_.node * bins.values[bin], bins.values[bin], true});
      list.push_back({penalty_.cluster * bins.values[bin], bins.values[bin], false});
    }
    std::stable_sort(list.begin(), list.end(), [](const Entry& a, const Entry& b) { return a.product < b.product; });
    for (const Entry& entry : list) {
      Gpus candidates;
      for (const std::uint32_t g : free) {
        if (bins.values[bins.of_gpu[g]] <= entry.value) candidates.push_back(g);
      }
      if (!entry.within && candidates.size() >= n) return pm_first(cls, n, candidates);
      if (!entry.within) continue;
      const ByNode nodes = by_node(candidates);
      const Gpus* best = nullptr;
      for (const auto& [node, gpus] : nodes) {
        if (gpus.size() >= n && (best == nullptr || gpus.size() > best->size())) best = &gpus;
      }
      if (best != nullptr) return first(*best, n);
    }
    return std::nullopt;
  }

  /// The n candidates on fewest nodes: nodes with most candidates whole; the rest where fewest candidates suffice.
  [[nodiscard]] std::optional<Gpus> fewest_nodes(std::uint32_t n, const Gpus& candidates) const {
    if (candidates.size() < n) return std::nullopt;
    ByNode nodes = by_node(candidates);
    Gpus chosen;
    while (chosen.size() < n) {
      const std::size_t left = n - chosen.size();
      Gpus *most = nullptr, *fit = nullptr;
      for (auto& [node, gpus] : nodes) {
        if (most == nullptr || gpus.size() > most->size()) most = &gpus;
        if (gpus.size() >= left && (fit == nullptr || gpus.size() < fit->size())) fit = &gpus;
      }
      Gpus* next = fit != nullptr ? fit : most;
      const Gpus part = first(*next, left);
      chosen.insert(chosen.end(), part.begin(), part.end());
      next->clear();
    }
    return chosen;
  }

  [[nodiscard]] std::optional<Gpus> pal_levels(ClassId cls, std::uint32_t n, const Gpus& free) const {
    if (n == 1) return pm_first(cls, n, free);
    const ClassBins& bins = bins_.of(cls);
    std::vector<std::tuple<double, std::size_t, int, double>> list;  // product, place of the bin, level, value
    for (std::size_t place = 0; place < bins.appearance.size(); ++place) {
      const double value = bins.values[bins.appearance[place]];
      for (const int level : {0, 1, 2})
        list.emplace_back(penalty_.at(static_cast<Level>(level)) * value, place, level, value);
    }
    std::sort(list.begin(), list.end());
    for (const auto& [product, place, level, value] : list) {
      // Groups of nodes that lie together at this level. No group spans less than the level's name says.
      std::map<std::uint32_t, Gpus> groups;
      for (const std::uint32_t g : free) {
        if (bins.values[bins.of_gpu[g]] > value) continue;
        const NodeId node = topology_.node_of(GpuId(g));
        groups[level == 0 ? node.value : level == 1 ? topology_.cabinet_of(node).value : 0].push_back(g);
      }
      if (level == 0 && n > topology_.widest_node()) continue;
      if (level == 1 && cabinets() == topology_.nodes()) continue;  // a cabinet is a node
      if (level == 2 && cabinets() == 1) continue;                  // the cluster is a cabinet
      const Gpus* best = nullptr;
      for (const auto& [group, gpus] : groups) {
        if (gpus.size() >= n && (best == nullptr || gpus.size() > best->size())) best = &gpus;
      }
      if (best == nullptr) continue;
      if (level == 0) return first(*best, n);
      return n <= topology_.widest_node() ? pm_first(cls, n, *best) : fewest_nodes(n, *best);
    }
    return std::nullopt;
  }
  [[nodiscard]] std::uint32_t cabinets() const { return topology_.cabinet_of(NodeId(topology_.nodes() - 1)).value + 1; }

  const Topology& topology_;
  const Bins& bins_;
  LocalityPenalty penalty_;
};

}  // namespace palstudy
