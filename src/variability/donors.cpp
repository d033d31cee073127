// SPDX-License-Identifier: MIT
#include "variability/donors.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/random.hpp"

namespace palstudy {

Donors find_donors(const Measurements& measured, std::uint32_t gpus_per_node) {
  Donors donors;
  for (std::size_t g = 0; g < measured.gpus.size(); ++g) {
    if (!measured.gpus[g].host.empty()) donors[measured.gpus[g].host].gpus.push_back(g);
  }
  std::erase_if(donors, [&](const auto& entry) { return entry.second.gpus.size() != gpus_per_node; });
  for (auto& [host, donor] : donors) {
    const auto local = [&](std::size_t g) { return measured.gpus[g].local; };
    donor.local_known = std::all_of(donor.gpus.begin(), donor.gpus.end(), [&](std::size_t g) { return local(g) >= 0; });
    if (!donor.local_known) continue;
    std::stable_sort(donor.gpus.begin(), donor.gpus.end(),
                     [&](std::size_t a, std::size_t b) { return local(a) < local(b); });
  }
  return donors;
}

std::vector<std::string> common_hosts(const std::vector<const Donors*>& all) {
  std::vector<std::string> hosts;
  if (all.empty()) return hosts;
  for (const auto& [host, donor] : *all.front()) {
    if (std::all_of(all.begin(), all.end(), [&](const Donors* donors) { return donors->contains(host); })) {
      hosts.push_back(host);
    }
  }
  return hosts;
}

std::vector<std::string> shuffled(std::vector<std::string> hosts, std::uint64_t seed, std::uint32_t stream) {
  // (random key, place): the place decides should two keys ever be equal.
  std::vector<std::tuple<std::uint64_t, std::size_t>> keys;
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    const auto words = draw(seed, Purpose::cluster_draw, i, stream);
    keys.emplace_back((std::uint64_t{words[0]} << 32) | words[1], i);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::string> order;
  for (const auto& [key, place] : keys) order.push_back(std::move(hosts[place]));
  return order;
}

}  // namespace palstudy
