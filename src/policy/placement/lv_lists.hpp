// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "policy/placement_policy.hpp"

namespace palstudy {

/// One product of PAL's L x V list: one node, one cabinet or any nodes, with GPUs of bins 0..bin.
struct LvProduct {
  double product;
  std::uint32_t bin;
  Level level;
};

/// PAL's L x V lists (Jain et al., SC'24): one for each class and distinct believed penalty.
class LvLists {
 public:
  /// `cabinet` and `cluster`: which of the wider levels the lists have.
  LvLists(const PlacementContext& context, bool cabinet, bool cluster) : believed_(context.believed_penalty) {
    for (std::size_t c = 0; c < context.bins.classes(); ++c) {
      for (const auto& penalty : believed_.distinct()) {
        lists_.push_back(products(context.bins.of(ClassId(c)), penalty, cabinet, cluster));
      }
    }
  }

  [[nodiscard]] const std::vector<LvProduct>& of(const Request& request) const {
    return lists_[request.cls.index() * believed_.distinct().size() + believed_.place(request.job)];
  }

 private:
  /// All products, best first; equal ones in the order in which the bins first appear, narrower before wider.
  static std::vector<LvProduct> products(const ClassBins& bins, const LocalityPenalty& penalty, bool cabinet,
                                         bool cluster) {
    std::vector<LvProduct> list;
    for (const std::uint16_t b : bins.appearance) {
      list.push_back({penalty.node * bins.values[b], b, Level::node});
      if (cabinet) list.push_back({penalty.cabinet * bins.values[b], b, Level::cabinet});
      if (cluster) list.push_back({penalty.cluster * bins.values[b], b, Level::cluster});
    }
    std::stable_sort(list.begin(), list.end(),
                     [](const LvProduct& a, const LvProduct& b) { return a.product < b.product; });
    return list;
  }

  Penalties believed_;
  std::vector<std::vector<LvProduct>> lists_;  // by class, and of each by distinct penalty
};

}  // namespace palstudy
