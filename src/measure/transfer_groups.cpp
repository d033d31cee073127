// SPDX-License-Identifier: MIT
#include "measure/transfer_groups.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/random.hpp"

namespace palstudy {
namespace {

constexpr std::uint64_t no_repeat = std::uint64_t{1} << 32U;  // entities below are repeats of kernels
constexpr std::size_t pairs_of_level = 4, spread_most = 8;

class Groups {
 public:
  Groups(const std::vector<RankPlace>& places, const std::vector<std::string>& cabinets)
      : places_(places), cabinets_(cabinets) {
    for (std::size_t rank = 0; rank < places.size(); ++rank) by_host_[places[rank].host].push_back(int(rank));
  }

  [[nodiscard]] std::string level_of(const std::vector<int>& ranks) const {
    bool one_host = true, one_cabinet = true;
    const auto first = static_cast<std::size_t>(ranks.front());
    for (const int r : ranks) {
      const auto rank = static_cast<std::size_t>(r);
      one_host = one_host && places_[rank].host == places_[first].host;
      one_cabinet = one_cabinet && !cabinets_[rank].empty() && cabinets_[rank] == cabinets_[first];
    }
    return one_host ? "node" : one_cabinet ? "cabinet" : "cluster";
  }

  /// Partners drawn for ranks drawn, until each level has its pairs or has been looked for long enough.
  void add_pairs(std::uint64_t seed) {
    std::map<std::string, std::set<std::vector<int>>> pairs;
    RandomStream stream(seed, Purpose::kernel_order, no_repeat);
    const auto ranks = static_cast<std::uint32_t>(places_.size());
    const auto keep = [&](std::uint32_t a, std::uint32_t b) {
      const std::vector<int> pair = {int(std::min(a, b)), int(std::max(a, b))};
      auto& of_level = pairs[level_of(pair)];
      if (of_level.size() < pairs_of_level) of_level.insert(pair);
    };
    for (std::uint32_t tries = 0; ranks > 1 && tries < 64 * pairs_of_level; ++tries) {
      const std::uint32_t a = stream.below(ranks), b = stream.below(ranks);
      if (a != b) keep(a, b);
      // On a large machine two ranks drawn at random hardly ever share a host.
      const auto& host = by_host_.at(places_[a].host);
      const auto c = static_cast<std::uint32_t>(host[stream.below(static_cast<std::uint32_t>(host.size()))]);
      if (a != c) keep(a, c);
    }
    for (const auto& [level, of_level] : pairs) {
      for (const auto& pair : of_level) groups.push_back({"link", level, pair});
    }
  }

  void add_sums() {
    const auto largest = std::max_element(by_host_.begin(), by_host_.end(), [](const auto& a, const auto& b) {
      return a.second.size() < b.second.size();
    });
    add_sum(largest->second, 2);
    add_sum(largest->second, largest->second.size());
    std::map<std::string, std::vector<int>> by_cabinet;
    std::vector<int> one_of_each;
    for (const auto& [host, ranks] : by_host_) {
      one_of_each.push_back(ranks.front());
      const std::string& cabinet = cabinets_[static_cast<std::size_t>(ranks.front())];
      if (!cabinet.empty()) by_cabinet[cabinet].push_back(ranks.front());
    }
    std::vector<int> in_cabinet;
    for (const auto& [cabinet, ranks] : by_cabinet) {
      if (ranks.size() > in_cabinet.size()) in_cabinet = ranks;
    }
    for (const auto& spread : {in_cabinet, far_apart(one_of_each)}) {
      add_sum(spread, 2);
      add_sum(spread, spread_most);
    }
    std::vector<int> all;
    for (std::size_t rank = 0; rank < places_.size(); ++rank) all.push_back(int(rank));
    add_sum(all, all.size());
  }

  std::vector<TransferGroup> groups;

 private:
  /// A first one of another cabinet second, so that two of them span the cluster.
  [[nodiscard]] std::vector<int> far_apart(std::vector<int> ranks) const {
    for (std::size_t i = 1; i < ranks.size(); ++i) {
      if (level_of({ranks[0], ranks[i]}) != "cluster") continue;
      std::swap(ranks[1], ranks[i]);
      break;
    }
    return ranks;
  }

  void add_sum(std::vector<int> ranks, std::size_t most) {
    ranks.resize(std::min(ranks.size(), most));
    if (ranks.size() < 2) return;
    std::sort(ranks.begin(), ranks.end());
    const auto same = [&](const TransferGroup& group) { return group.kernel == "allreduce" && group.ranks == ranks; };
    if (std::none_of(groups.begin(), groups.end(), same)) groups.push_back({"allreduce", level_of(ranks), ranks});
  }

  const std::vector<RankPlace>& places_;
  const std::vector<std::string>& cabinets_;
  std::map<std::string, std::vector<int>> by_host_;
};

}  // namespace

std::vector<TransferGroup> transfer_groups(const std::vector<RankPlace>& places,
                                           const std::vector<std::string>& cabinets, bool link, bool allreduce,
                                           std::uint64_t seed) {
  Groups all(places, cabinets);
  if (link) all.add_pairs(seed);
  if (allreduce) all.add_sums();
  return all.groups;
}

std::vector<std::size_t> transfer_sizes(Backend backend) {
  std::vector<std::size_t> sizes;
  const std::size_t most = std::size_t{backend == Backend::cuda ? 256U : 4U} << 20U;
  for (std::size_t bytes = 4096; bytes <= most; bytes *= 4) sizes.push_back(bytes);
  return sizes;
}

}  // namespace palstudy
