// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "core/registry.hpp"
#include "policy/summaries.hpp"
#include "topology/penalties.hpp"

namespace palstudy {

/// What a routing policy is made with.
struct RoutingContext {
  const Bins& bins;                          ///< of the whole cluster, as the policies believe it to be
  Penalties believed_penalty;                ///< `policy.locality`
  std::uint64_t seed = 1;                    ///< `policy.seed`
  std::span<const PartitionId> of_tenant{};  ///< the partition of each tenant of the workload, where they have some
};

/// Which partition an arriving job goes to. Every rank asks its own copy the same and gets the same answer, so an
/// answer depends on the arguments and the context alone.
class RoutingPolicy {
 public:
  virtual ~RoutingPolicy() = default;
  /// Whether the summaries have to tell free GPUs by bin, which costs a look at every free GPU of a partition.
  [[nodiscard]] virtual bool needs_bins() const { return false; }
  /// Whether a job's partition is fixed, so that levelling moves none.
  [[nodiscard]] virtual bool fixes_partitions() const { return false; }
  /// A partition of at least `job.gpus` GPUs; there is one. Ties: the lowest.
  [[nodiscard]] virtual PartitionId route(JobId id, const Job& job, const Summaries& summaries) const = 0;
};

using MakeRouting = std::function<std::unique_ptr<RoutingPolicy>(const RoutingContext&, const ParamValues&)>;
using RoutingRegistry = Registry<MakeRouting>;

/// Every routing policy of the program.
[[nodiscard]] const RoutingRegistry& routings();

/// The partition, among those that are large enough for the job, for which `key(partition)` is least; ties: lowest.
template <class Key>
[[nodiscard]] PartitionId least_partition(const Job& job, const Summaries& summaries, Key key) {
  PartitionId best;
  bool found = false;
  decltype(key(best)) least{};
  const bool all_fit = summaries.alike();
  for (std::uint32_t i = 0; i < summaries.partitions(); ++i) {
    const PartitionId p(i);
    if (!all_fit && summaries.gpus(p) < job.gpus) continue;
    const auto value = key(p);
    if (found && !(value < least)) continue;
    best = p;
    least = value;
    found = true;
  }
  return best;
}

}  // namespace palstudy
