// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "sim/state/partition_state.hpp"
#include "sim/state/transaction.hpp"

namespace palstudy {

/// Nodes of their own for jobs of several GPUs (Jeon et al., ATC'19, section 5: "mitigating interference"). The GPUs
/// that such a job leaves of its nodes are kept from all others.
class DedicatedNodes {
 public:
  explicit DedicatedNodes(PartitionState& state) : state_(state), kept_(state.topology().nodes(), 0) {}

  /// Keeps what the job leaves of its nodes, and gives it back.
  void reserve_nodes(const GpuSet& gpus);
  void release_nodes(const GpuSet& gpus);
  /// Makes `out` the free GPUs of nodes that are partly in use.
  void partly_used(GpuSet& out) const;
  /// Moves jobs of one GPU together, on paper, so that nodes become free for a job of `gpus` GPUs: as few as could ever
  /// hold it, `nodes`, in the cabinet where fewest jobs move. False if that is not possible; the transaction may then
  /// have to be rolled back.
  bool vacate_nodes(Transaction& transaction, std::uint32_t nodes, std::uint32_t gpus) const;
  /// By node: the GPUs kept.
  [[nodiscard]] const std::vector<GpuMask>& kept() const { return kept_; }

 private:
  using SinglesByNode = std::vector<std::vector<JobId>>;
  [[nodiscard]] SinglesByNode singles(const Transaction& transaction) const;
  [[nodiscard]] std::vector<NodeId> nodes_to_clear(const SinglesByNode& on, std::uint32_t wanted,
                                                   std::uint32_t gpus) const;
  bool move_away(Transaction& transaction, JobId job, const std::vector<NodeId>& cleared) const;

  PartitionState& state_;
  std::vector<GpuMask> kept_;
};

}  // namespace palstudy
