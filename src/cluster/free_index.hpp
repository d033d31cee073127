// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "cluster/free_count_index.hpp"
#include "cluster/free_gpus.hpp"
#include "cluster/node_masks.hpp"

namespace palstudy {

/// The inside of FreeGpus. The truth is one mask a node; all trees are derived from it and brought up to date when they
/// are queried: a log names the nodes that changed, and every group of counts has read it up to its cursor. Who has
/// fallen behind its beginning compares all masks instead.
class FreeGpus::Index {
 public:
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
    GpuMask rest;  // GPUs that nobody holds
  };

  Index(const Topology& topology_of, const Bins& bins_of, const IndexNeeds& needs_of);

  void set(std::uint32_t node, GpuMask mask);
  /// Asked for every job that takes or gives GPUs, while hundreds of nodes may be withdrawn.
  [[nodiscard]] bool is_withdrawn(std::uint32_t node) const { return !withdrawn.empty() && withdrawn_flags[node] != 0; }
  /// The GPUs of a withdrawn node that nobody holds; null for other nodes.
  [[nodiscard]] GpuMask* rest_of_withdrawn(std::uint32_t node) {
    return is_withdrawn(node) ? &withdrawn.find(node)->second.rest : nullptr;
  }
  void give_all();
  void begin_class(ClassId cls);
  /// The counts of a kind, up to date.
  FreeCountIndex& count_index(GpuFilter::Type type, ClassId cls);
  Tree tree(GpuFilter kind);

  const Topology& topology;
  const Bins& bins;
  IndexNeeds needs;
  NodeMasks truth;
  std::map<std::uint32_t, Withdrawn> withdrawn;  // by node
  std::vector<std::uint8_t> withdrawn_flags;     // by node; empty while none has been withdrawn
  std::uint32_t total = 0;
  std::optional<Group> all;
  std::vector<std::optional<Group>> classes;  // none where the class has one bin, which is all GPUs
  std::vector<std::uint32_t> cabinet_begin;   // first node of each, then the number of nodes; if cabinets are counted
  IndexCounts counts;
  [[nodiscard]] std::size_t bytes() const;

 private:
  void count_cabinets();
  void note(std::uint32_t node);
  void bring_up(Group& group);
  [[nodiscard]] Group*& kept(GpuFilter::Type type, ClassId cls) {
    if (type == GpuFilter::Type::all) return kept_[0];
    return kept_[1 + (type == GpuFilter::Type::up_to ? bins.classes() : 0) + cls.index()];
  }

  /// Who answers of all, then of a bin by class, then up to a bin by class; null if it was not asked for.
  std::vector<Group*> kept_;
  std::vector<std::uint32_t> log;
  std::uint64_t log_begin = 1;  // place of log[0] among all entries ever made
  std::size_t log_limit;
};

}  // namespace palstudy
