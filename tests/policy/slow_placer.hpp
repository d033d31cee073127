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
    auto chosen = policy == "pal" ? pal(cls, n, free) : policy == "pm-first" ? pm_first(cls, n, free) : packed(n, free);
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

  const Topology& topology_;
  const Bins& bins_;
  LocalityPenalty penalty_;
};

}  // namespace palstudy
