// SPDX-License-Identifier: MIT
#include "variability/sources/source_nodes.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "core/random.hpp"
#include "variability/sources/class_kernels.hpp"

namespace palstudy {
namespace {

const NoteKind missing_nodes("missing-nodes", Severity::info);

}  // namespace

Donors donor_hosts(const Measurements& measured, std::uint32_t gpus_per_node) {
  Donors donors;
  for (std::size_t g = 0; g < measured.gpus.size(); ++g) {
    if (!measured.gpus[g].host.empty()) donors[measured.gpus[g].host].gpus.push_back(g);
  }
  std::erase_if(donors, [&](const auto& entry) { return entry.second.gpus.size() != gpus_per_node; });
  for (auto& [host, donor] : donors) {
    const auto local = [&](std::size_t g) { return measured.gpus[g].local; };
    donor.local_known = std::ranges::all_of(donor.gpus, [&](std::size_t g) { return local(g) >= 0; });
    if (!donor.local_known) continue;
    std::ranges::stable_sort(donor.gpus, [&](std::size_t a, std::size_t b) { return local(a) < local(b); });
  }
  return donors;
}

std::map<std::string, std::uint32_t> gpus_by_host(const Measurements& measured) {
  std::map<std::string, std::uint32_t> hosts;
  for (const auto& gpu : measured.gpus) {
    if (!gpu.host.empty()) ++hosts[gpu.host];
  }
  return hosts;
}

namespace {

/// The most common number of measured GPUs on a host; the larger of two. 0 if no host is known.
std::uint32_t usual_size(const Measurements& measured) {
  std::map<std::uint32_t, std::size_t> sizes;
  for (const auto& [host, size] : gpus_by_host(measured)) ++sizes[size];
  std::uint32_t usual = 0;
  for (const auto& [size, count] : sizes) usual = usual == 0 || count >= sizes[usual] ? size : usual;
  return usual;
}

}  // namespace

Donors block_donors(const Measurements& measured, std::uint32_t node_size, std::uint32_t& donor_size) {
  donor_size = node_size;
  Donors donors = donor_hosts(measured, node_size);
  if (donors.size() >= least_joint_nodes) return donors;
  const std::uint32_t usual = usual_size(measured);
  if (usual == 0) {
    throw data_error("no GPU's node is known, so there are no nodes to draw", measured.name,
                     "use source = \"bootstrap\", or a profile that names hosts");
  }
  Donors of_usual = donor_hosts(measured, usual);
  if (of_usual.size() <= donors.size()) return donors;
  donor_size = usual;
  return of_usual;
}

std::vector<std::string> common_hosts(const std::vector<const Donors*>& all) {
  std::vector<std::string> hosts;
  if (all.empty()) return hosts;
  for (const auto& [host, donor] : *all.front()) {
    if (std::ranges::all_of(all, [&](const Donors* donors) { return donors->contains(host); })) {
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
  std::ranges::sort(keys);
  std::vector<std::string> order;
  for (const auto& [key, place] : keys) order.push_back(std::move(hosts[place]));
  return order;
}

std::optional<Note> donors_note(const Measurements& measured, const Donors& donors,
                                const std::vector<std::string>& hosts, bool joint, std::uint32_t gpus_per_node) {
  const std::size_t nodes = gpus_by_host(measured).size();
  const auto homeless =
      std::ranges::count_if(measured.gpus, [](const Measurements::Gpu& gpu) { return gpu.host.empty(); });
  const auto unknown =
      std::ranges::count_if(hosts, [&](const std::string& host) { return joint && !donors.at(host).local_known; });
  if (homeless == 0 && nodes == donors.size() && unknown == 0) return std::nullopt;
  return missing_nodes({{"gpus", homeless},
                        {"of_gpus", measured.gpus.size()},
                        {"nodes", nodes - donors.size()},
                        {"of_nodes", nodes},
                        {"size", gpus_per_node},
                        {"unmatched", unknown},
                        {"of_joint", joint ? hosts.size() : 0}},
                       measured.name);
}

}  // namespace palstudy
