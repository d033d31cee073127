// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/note.hpp"
#include "variability/sources/measurements.hpp"

namespace palstudy {

/// A measured node that can stand for a simulated one.
struct Donor {
  std::vector<std::size_t> gpus;  ///< places in Measurements::gpus; by index on the host, in file order if one has none
  bool local_known = false;       ///< every GPU has an index on its host
};

/// By host.
using Donors = std::map<std::string, Donor>;

/// The hosts with exactly `gpus_per_node` measured GPUs, the donors of hot-deck imputation (Andridge & Little, Int.
/// Stat. Rev. 78(1), 2010).
[[nodiscard]] Donors donor_hosts(const Measurements& measured, std::uint32_t gpus_per_node);

/// The donors of generated nodes of `node_size` GPUs: the hosts with exactly that many measured GPUs, where there are
/// at least 16 of them; otherwise those of the size that most measured hosts have. `donor_size`: their GPUs. Errors
/// (data): measurements that name no host.
[[nodiscard]] Donors block_donors(const Measurements& measured, std::uint32_t node_size, std::uint32_t& donor_size);

/// How many measured GPUs each host has, where hosts are known.
[[nodiscard]] std::map<std::string, std::uint32_t> gpus_by_host(const Measurements& measured);

/// Hosts that all of these have, ascending.
[[nodiscard]] std::vector<std::string> common_hosts(const std::vector<const Donors*>& all);

/// `hosts` in an order drawn by `seed`: a random permutation whose beginning does not depend on how many are wanted.
/// Draws with different `stream` are independent.
[[nodiscard]] std::vector<std::string> shuffled(std::vector<std::string> hosts, std::uint64_t seed,
                                                std::uint32_t stream);

/// "missing-nodes": what was left out of one kernel's measurements because it is in no donor of `gpus_per_node` GPUs,
/// and, where kernels are drawn jointly from `hosts`, on how many of these its GPUs cannot be matched with another
/// kernel's.
[[nodiscard]] std::optional<Note> donors_note(const Measurements& measured, const Donors& donors,
                                              const std::vector<std::string>& hosts, bool joint,
                                              std::uint32_t gpus_per_node);

}  // namespace palstudy
