// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cluster/free_count_index.hpp"
#include "cluster/node_masks.hpp"
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
/// 64-way bitmap with summaries. The truth is one mask a node; all trees are derived from it and brought up to date
/// when they are queried: a log names the nodes that changed, and every group of counts has read it up to its cursor.
/// Who has fallen behind its beginning compares all masks instead. (More than 25 functions: a query of each
/// kind that policies ask, over one set of masks.)
class FreeGpus {
 public:
  /// All GPUs free. `topology` and `bins` must outlive it.
  FreeGpus(const Topology& topology, const Bins& bins, const IndexNeeds& needs);
  FreeGpus(const FreeGpus&) = delete;
  FreeGpus& operator=(const FreeGpus&) = delete;
  ~FreeGpus() = default;

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
  [[nodiscard]] bool withdrawn(NodeId node) const { return is_withdrawn(node.value); }
  /// Whether some node is withdrawn, or one of those of a set of GPUs.
  [[nodiscard]] bool any_withdrawn() const { return !withdrawn_.empty(); }
  [[nodiscard]] bool any_withdrawn(const GpuSet& gpus) const;

  [[nodiscard]] const Topology& topology() const { return topology_; }
  [[nodiscard]] const Bins& bins() const { return bins_; }
  /// Free GPUs in all.
  [[nodiscard]] std::uint32_t total() const { return total_; }
  /// Free GPUs of a node.
  [[nodiscard]] GpuMask mask(NodeId node) const { return truth_.get(node.value); }

  /// The counts of a class, or those of all GPUs where it has but one bin, until GPUs are taken or given. For policies
  /// that ask much: each query below looks them up.
  [[nodiscard]] const FreeCountIndex& count_index(ClassId cls) { return count_index(GpuFilter::Type::bin, cls); }

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

  [[nodiscard]] IndexCounts counts() const;
  /// Memory in use.
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Group {
    explicit Group(FreeCountIndex made) : counts_by_node(std::move(made)) {}
    FreeCountIndex counts_by_node;
    std::uint64_t cursor = 0;
  };
  struct Tree {
    FreeCountIndex& group;
    std::uint32_t bin;
    bool up;
  };
  struct Withdrawn {
    std::uint32_t times;
    GpuMask rest;  // GPUs that no job holds
  };

  void count_cabinets();
  void set(std::uint32_t node, GpuMask mask);
  void bring_up(Group& group);
  /// Asked for every job that takes or gives GPUs, while hundreds of nodes may be withdrawn.
  [[nodiscard]] bool is_withdrawn(std::uint32_t node) const {
    return !withdrawn_.empty() && withdrawn_flags_[node] != 0;
  }
  /// The GPUs of a withdrawn node that no job holds; null for other nodes.
  [[nodiscard]] GpuMask* rest_of_withdrawn(std::uint32_t node) {
    return is_withdrawn(node) ? &withdrawn_.find(node)->second.rest : nullptr;
  }
  /// The counts of a kind, up to date.
  FreeCountIndex& count_index(GpuFilter::Type type, ClassId cls);
  Tree tree_of(GpuFilter kind);
  [[nodiscard]] Group*& kept(GpuFilter::Type type, ClassId cls) {
    if (type == GpuFilter::Type::all) return kept_[0];
    return kept_[1 + (type == GpuFilter::Type::up_to ? bins_.classes() : 0) + cls.index()];
  }

  const Topology& topology_;
  const Bins& bins_;
  IndexNeeds needs_;
  NodeMasks truth_;
  std::map<std::uint32_t, Withdrawn> withdrawn_;  // by node
  std::vector<std::uint8_t> withdrawn_flags_;     // by node; empty while none has been withdrawn
  std::uint32_t total_ = 0;
  std::optional<Group> all_;
  std::vector<std::optional<Group>> classes_;  // none where the class has one bin, which is all GPUs
  std::vector<std::uint32_t> cabinet_begin_;   // first node of each, then the number of nodes; if cabinets are counted
  std::uint64_t queries_ = 0;
  /// Who answers of all, then of a bin by class, then up to a bin by class; null if it was not asked for.
  std::vector<Group*> kept_;
  std::vector<std::uint32_t> log_;
  std::uint64_t log_begin_ = 1;  // place of log_[0] among all entries ever made
  std::size_t log_limit_;
};

}  // namespace palstudy
