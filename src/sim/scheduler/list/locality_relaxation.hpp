// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "cluster/free_gpus.hpp"
#include "topology/topology.hpp"

namespace palstudy {

/// How far apart the GPUs of a waiting job may be: on the fewest nodes that could ever hold it, all of one cabinet; in
/// one cabinet; anywhere (Jeon et al., ATC'19, section 2.3).
enum class RelaxationLevel : std::uint8_t { fewest_nodes, one_cabinet, anywhere };

/// The placements that a level allows on a cluster. A job that no cabinet could hold need not be in one. Visits every
/// node; what is not possible is remembered until GPUs become free.
class LocalityRelaxation {
 public:
  /// `topology` must outlive it.
  explicit LocalityRelaxation(const Topology& topology);

  /// Whether the free GPUs allow a placement.
  [[nodiscard]] bool possible(const FreeGpus& free, std::uint32_t gpus, RelaxationLevel level);
  /// Whether a canonical set is one.
  [[nodiscard]] bool allows(const GpuSet& set, std::uint32_t gpus, RelaxationLevel level) const;
  /// Nodes that together have enough free GPUs and on which every choice is allowed: those that come nearest to
  /// `preferred`, which a policy chose among all. First the cabinet, then on the lowest level its nodes: by most GPUs
  /// of the preferred; then a single node by fewest free GPUs, all else by most; then the lowest. There is one
  /// (`possible`). Ascending.
  void nodes(const FreeGpus& free, std::uint32_t gpus, RelaxationLevel level, const GpuSet& preferred,
             std::vector<NodeId>& out) const;
  /// GPUs have become free.
  void forget();

  /// The fewest nodes that could hold so many GPUs, were all free.
  [[nodiscard]] std::uint32_t fewest(std::uint32_t gpus) const;

 private:
  using Range = std::pair<std::uint32_t, std::uint32_t>;  // of nodes
  [[nodiscard]] bool spans_cabinets(std::uint32_t gpus, RelaxationLevel level) const;
  [[nodiscard]] bool fits(const FreeGpus& free, std::uint32_t gpus, RelaxationLevel level) const;
  [[nodiscard]] const std::vector<Range>& ranges(std::uint32_t gpus, RelaxationLevel level) const;
  [[nodiscard]] std::uint32_t room(const FreeGpus& free, const Range& range, std::uint32_t nodes) const;

  const Topology& topology_;
  std::vector<Range> cabinets_, all_;
  std::vector<std::uint32_t> largest_;     // by k: GPUs of the k largest nodes
  std::vector<std::uint32_t> in_cabinet_;  // by k: the most of k nodes of one cabinet
  std::vector<std::uint32_t> too_many_;    // by nodes (0: any number): not possible from so many GPUs on
  bool remembers_ = false;
};

}  // namespace palstudy
