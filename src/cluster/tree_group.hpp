// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "cluster/byte_lanes.hpp"
#include "cluster/cabinet_counts.hpp"
#include "cluster/node_bitmaps.hpp"
#include "cluster/node_masks.hpp"
#include "topology/topology.hpp"
#include "variability/bins.hpp"

namespace palstudy {

/// The trees over one way of binning the GPUs: for each bin b the nodes by their free GPUs of bin b ("exact" trees)
/// and, if wanted, by those of bins 0..b ("up to" trees). A tree holds for each count the set of nodes with that count.
///
/// An up-to tree does not tell a count of 1 from 0: on a busy cluster nearly all moves are between these two, and
/// nobody asks for one GPU of a bin or faster. Those answers are put together from the exact trees. There is no up-to
/// tree for the first bin, which has its exact tree.
class TreeGroup {
 public:
  /// Every GPU in one bin.
  explicit TreeGroup(const Topology& topology);
  TreeGroup(const Topology& topology, const ClassBins& bins, bool up_to);
  /// Counts the free GPUs of cabinets as well, from now on. The topology must outlive it.
  void count_cabinets(const Topology& topology);

  /// Makes the trees those of `truth`, looking at all nodes.
  void sync_all(const NodeMasks& truth);
  /// The same for nodes named in `changed`; all others must agree already. Names may repeat.
  void sync(const NodeMasks& truth, const std::uint32_t* changed, std::size_t count);
  /// Keeps a copy of the state; `restore` goes back to it, once, and is false if there is none.
  void save() { saved_ = state_; }
  bool restore();

  // Queries: of one bin, or with `up` of bins 0..bin.
  [[nodiscard]] std::uint32_t bins() const { return bins_; }
  [[nodiscard]] std::uint32_t total(std::uint32_t bin, bool up) const;
  /// Which GPUs of a node are of the bin(s).
  [[nodiscard]] GpuMask members(std::uint32_t node, std::uint32_t bin, bool up) const;
  /// Bit k: some node has exactly k >= 1.
  [[nodiscard]] std::uint64_t present(std::uint32_t bin, bool up) const;
  [[nodiscard]] std::uint32_t largest(std::uint32_t bin, bool up) const;
  /// Lowest node from `from` on with exactly `n` >= 1, or NodeBitmaps::none.
  [[nodiscard]] std::uint32_t exactly(std::uint32_t bin, bool up, std::uint32_t n, std::uint32_t from) const;

  /// The cabinet with the most free GPUs of bins 0..bin; ties: lowest. Only after `count_cabinets`.
  [[nodiscard]] CabinetCounts::Fullest fullest_cabinet(std::uint32_t bin) { return state_.cabinets->fullest(bin); }

  /// Memory in use, saved copy included.
  [[nodiscard]] std::size_t bytes() const;
  [[nodiscard]] std::uint64_t updates() const { return updates_; }
  [[nodiscard]] std::uint64_t moves() const { return moved_; }

 private:
  struct State {
    NodeMasks seen;
    NodeBitmaps maps;
    std::vector<std::uint64_t> present;  // by tree, bit k: some node has count k
    std::vector<std::uint32_t> totals;   // by tree; only those of bins mean anything
    std::optional<CabinetCounts> cabinets;
    [[nodiscard]] std::size_t bytes() const;
  };
  TreeGroup(const Topology& topology, std::uint32_t bins, bool up_to);

  template <class Use>
  void with_levels(Use use);
  template <std::uint32_t levels>
  void update(std::uint32_t node, GpuMask after);
  template <class Place>
  void move_lanes(const Place& place, std::uint32_t tree, Lanes from, Lanes to, Lanes lanes);
  template <class Place>
  void move(const Place& place, std::uint32_t tree, std::uint32_t from, std::uint32_t to);
  void add_to_cabinet(std::uint32_t node, std::uint32_t bin, std::uint32_t before, std::uint32_t after);
  void fill_empty(std::uint32_t tree, std::uint32_t count, std::uint32_t nodes);
  [[nodiscard]] Lanes row(std::uint32_t node, std::uint32_t byte, std::uint32_t word) const {
    return rows_[(std::size_t{node} * bytes_ + byte) * words_ + word];
  }
  /// Trees are numbered by words of lanes: 16 for each eight bins, exact ones first.
  [[nodiscard]] static std::uint32_t tree_of(std::uint32_t bin, bool up) {
    return bin / 8 * 16 + bin % 8 + (up && bin > 0 ? 8 : 0);
  }
  [[nodiscard]] std::uint32_t slot(std::uint32_t tree, std::uint32_t count) const { return first_slot_[tree] + count; }
  [[nodiscard]] std::uint32_t single(std::uint32_t bin, std::uint32_t from) const;

  const Topology* topology_ = nullptr;  // if cabinets are counted
  std::uint32_t bins_;
  bool up_to_;
  std::uint32_t widest_;
  std::uint32_t bytes_;      // of a node's mask
  std::uint32_t words_;      // lanes for all bins
  std::vector<Lanes> rows_;  // per node, byte of the mask and 8 bins: which GPUs are of the bin; empty if one bin
  State state_;
  std::optional<State> saved_;
  std::vector<std::uint32_t> first_slot_;  // by tree: that of count 0, which an up-to tree does not have
  std::vector<Lanes> up_lanes_;            // by word: 1 in the lanes of bins that have an up-to tree
  std::uint64_t updates_ = 0;
  std::uint64_t moved_ = 0;
};

}  // namespace palstudy
