// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "cluster/free_count_index.hpp"
#include "core/ids.hpp"
#include "topology/gpu_set.hpp"
#include "topology/topology.hpp"
#include "variability/binning/bins.hpp"

namespace palstudy {

/// The counts that a placement policy queries; only those are kept.
struct IndexNeeds {
  bool counts = false;      ///< `GpuFilter::all()`
  bool exact_bins = false;  ///< `GpuFilter::bin(c, b)`
  bool bins_up_to = false;  ///< `GpuFilter::up_to(c, b)`
  bool cabinets = false;    ///< `freest_cabinet`
};

/// A kind of free GPU: all, those of one bin of a class, or those of a bin and all faster ones.
struct GpuFilter {
  enum class Type : std::uint8_t { all, bin, up_to };
  Type type = Type::all;
  ClassId cls;
  std::uint32_t bin_index = 0;
  static GpuFilter all() { return {}; }
  static GpuFilter bin(ClassId cls, std::uint32_t b) { return {Type::bin, cls, b}; }
  static GpuFilter up_to(ClassId cls, std::uint32_t b) { return {Type::up_to, cls, b}; }
};

/// A cabinet's nodes, begin <= node < end, and how many free GPUs it has of a kind.
struct CabinetFree {
  NodeId begin, end;
  std::uint32_t gpus = 0;
  friend bool operator==(const CabinetFree&, const CabinetFree&) = default;
};

/// Query counts, exact on every machine: regressions are caught by them, not by seconds.
struct IndexCounts {
  std::uint64_t queries = 0;  ///< questions; taking the counts of a class counts once
  std::uint64_t updates = 0;  ///< changed node masks worked into an index of counts
  std::uint64_t moves = 0;    ///< bitmap moves: a node put into the set of a count, or taken out of one
};

/// The index of free GPUs of one partition. Its answers are a function of the free set alone, never of its history.
/// A query costs a few bitmap words whatever the number of nodes; an update is made once per node and job.
/// The layout follows: for each kind and each count 1..G, the set of nodes with that many free GPUs of the kind, as a
/// 64-way bitmap with summaries.
class FreeGpus {
 public:
  /// All GPUs free. `topology` and `bins` must outlive it.
  FreeGpus(const Topology& topology, const Bins& bins, const IndexNeeds& needs);
  ~FreeGpus();
  FreeGpus(FreeGpus&&) noexcept;
  FreeGpus& operator=(FreeGpus&&) noexcept;

  /// Takes free GPUs of a node away / gives taken ones back. Taking what is not free is a fault (checked in debug
  /// builds).
  void take(NodeGpus gpus);
  void give(NodeGpus gpus);
  /// Gives everything back that was taken.
  void give_all();
  /// Says that the placements to come are of jobs of `cls`, in a pass that began with `give_all`: lets the index of
  /// that class start from the state at which the same segment began last time, patched by the nodes that differ.
  /// Changes cost, never an answer.
  void begin_class(ClassId cls);
  /// Withdraws a node: its GPUs are neither free nor become so, given back or not, until `restore`, once
  /// for each time.
  void withdraw(NodeId node);
  void restore(NodeId node);
  /// Whether some node is withdrawn, or one of those of a set of GPUs.
  [[nodiscard]] bool any_withdrawn() const;
  [[nodiscard]] bool any_withdrawn(const GpuSet& gpus) const;

  [[nodiscard]] const Topology& topology() const;
  [[nodiscard]] const Bins& bins() const;
  /// Free GPUs in all.
  [[nodiscard]] std::uint32_t total() const;
  /// Free GPUs of a node.
  [[nodiscard]] GpuMask mask(NodeId node) const;

  /// The counts of a class, or those of all GPUs where it has but one bin, until GPUs are taken or given. For policies
  /// that ask much: each query below looks them up.
  [[nodiscard]] const FreeCountIndex& count_index(ClassId cls);

  // Queries. Non-const: an index is brought up to date when it is asked.
  /// Free GPUs of a kind in all. O(1).
  [[nodiscard]] std::uint32_t total(GpuFilter kind);
  /// Those of the kind on one node.
  [[nodiscard]] GpuMask mask(GpuFilter kind, NodeId node);
  /// The lowest node with exactly `n` of the kind, n >= 1, that is not under `from`.
  [[nodiscard]] std::optional<NodeId> exactly(GpuFilter kind, std::uint32_t n, NodeId from = NodeId(0));
  /// The node with the fewest of the kind among those with at least `n`; ties: lowest.
  [[nodiscard]] std::optional<NodeId> fewest_at_least(GpuFilter kind, std::uint32_t n);
  /// The node with the most of the kind, at least one; ties: lowest.
  [[nodiscard]] std::optional<NodeId> most(GpuFilter kind);
  /// The largest number of the kind on any node; 0 if there is none. O(1).
  [[nodiscard]] std::uint32_t largest(GpuFilter kind);
  /// Bit k is set if some node has exactly k >= 1 of the kind. O(1).
  [[nodiscard]] std::uint64_t present(GpuFilter kind);

  /// The cabinet with the most free GPUs of bins 0..bin of a class; ties: lowest. Costs one comparison for 16 cabinets.
  [[nodiscard]] CabinetFree freest_cabinet(ClassId cls, std::uint32_t bin);

  [[nodiscard]] const IndexCounts& counts() const;
  /// Memory in use.
  [[nodiscard]] std::size_t bytes() const;

 private:
  class Index;
  std::unique_ptr<Index> index_;
};

}  // namespace palstudy
