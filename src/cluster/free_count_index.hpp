// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "cluster/byte_lanes.hpp"
#include "cluster/cabinet_counts.hpp"
#include "cluster/node_bitmaps.hpp"
#include "cluster/node_masks.hpp"
#include "topology/topology.hpp"
#include "variability/binning/bins.hpp"

namespace palstudy {

/// The trees over one way of binning the GPUs: for each bin b the nodes by their free GPUs of bin b ("exact" trees)
/// and, if wanted, by those of bins 0..b ("up to" trees). A tree holds for each count the set of nodes with that count.
///
/// Nodes with none are in no set. An up-to tree does not tell a count of 1 from 0 either: on a busy cluster nearly all
/// moves are between these two, and nobody asks for one GPU of a bin or faster. Those answers are put together from the
/// exact trees. There is no up-to tree for the first bin, which has its exact tree. (More than 25 functions: a question
/// each, of one bin and of all up to one.)
class FreeCountIndex {
 public:
  /// Every GPU in one bin.
  explicit FreeCountIndex(const Topology& topology);
  FreeCountIndex(const Topology& topology, const ClassBins& bins, bool up_to);
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
  [[nodiscard]] CabinetCounts::Freest freest_cabinet(std::uint32_t bin) { return state_.cabinets->freest(bin); }

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
  FreeCountIndex(const Topology& topology, std::uint32_t bins, bool up_to);

  template <class Use>
  void with_bitmap_levels(Use use);
  template <std::uint32_t levels>
  void update(std::uint32_t node, GpuMask after);
  /// How many free GPUs a node has of eight bins, and of each and all faster ones.
  struct Counts {
    Lanes exact = 0, up_to = 0;
    /// Goes on to the next eight bins.
    void read(Lanes of_bins) {
      exact = of_bins;
      up_to = lane_prefix_sums(of_bins) + spread(static_cast<std::uint32_t>(up_to >> 56));
    }
    /// Which trees tell these counts from none: bits 0 and 1 of a lane, the exact tree and the up-to tree.
    [[nodiscard]] Lanes counted() const { return lanes_over(exact, 0) | lanes_over(up_to, 1) << 1; }
    struct At {
      std::uint32_t tree, count;
    };
    /// The tree that such a bit stands for, and the count there.
    [[nodiscard]] At at(std::uint32_t bit, std::uint32_t word) const {
      const std::uint32_t up = bit & 1, bin = bit / 8;
      return {16 * word + 8 * up + bin, lane(up != 0 ? up_to : exact, bin)};
    }
  };
  [[nodiscard]] Lanes counts(std::uint32_t node, GpuMask mask, std::uint32_t word) const;
  template <class Place>
  void move_in_single_bin(const Place& place, std::uint32_t node, std::uint32_t had, std::uint32_t has);
  template <class Place>
  void remove(const Place& place, std::uint32_t word, const Counts& had, Lanes trees);
  template <class Place>
  void insert(const Place& place, std::uint32_t word, const Counts& has, Lanes trees);
  void add_to_cabinet(std::uint32_t node, std::uint32_t bin, std::uint32_t before, std::uint32_t after);
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

inline std::uint32_t FreeCountIndex::total(std::uint32_t bin, bool up) const {
  if (!up) return state_.totals[tree_of(bin, false)];
  std::uint32_t sum = 0;
  for (std::uint32_t b = 0; b <= bin; ++b) sum += state_.totals[tree_of(b, false)];
  return sum;
}

inline GpuMask FreeCountIndex::members(std::uint32_t node, std::uint32_t bin, bool up) const {
  if (bins_ == 1) return ~GpuMask{0};
  GpuMask mask = 0;
  for (std::uint32_t byte = 0; byte < bytes_; ++byte) {
    std::uint32_t part = lane(row(node, byte, bin / 8), bin % 8);
    if (up) {
      // The lanes of a row have no bit in common, so that their sum is their union.
      part = lane(lane_prefix_sums(row(node, byte, bin / 8)), bin % 8);
      for (std::uint32_t word = 0; word < bin / 8; ++word) part |= lane(lane_prefix_sums(row(node, byte, word)), 7);
    }
    mask |= part << (8 * byte);
  }
  return mask;
}

/// The lowest node from `from` on with exactly one free GPU of bins 0..bin: one of those with one of some bin.
inline std::uint32_t FreeCountIndex::single(std::uint32_t bin, std::uint32_t from) const {
  while (true) {
    std::uint32_t node = NodeBitmaps::none;
    for (std::uint32_t b = 0; b <= bin; ++b) node = std::min(node, state_.maps.first(slot(tree_of(b, false), 1), from));
    if (node == NodeBitmaps::none || gpus_in(state_.seen.get(node) & members(node, bin, true)) == 1) return node;
    from = node + 1;
  }
}

inline std::uint64_t FreeCountIndex::present(std::uint32_t bin, bool up) const {
  const std::uint64_t counts = state_.present[tree_of(bin, up)] & ~std::uint64_t{1};
  if (!up || bin == 0) return counts;
  return (counts & ~std::uint64_t{2}) | (single(bin, 0) != NodeBitmaps::none ? 2 : 0);
}

inline std::uint32_t FreeCountIndex::largest(std::uint32_t bin, bool up) const {
  const auto most = static_cast<std::uint32_t>(std::bit_width(state_.present[tree_of(bin, up)])) - 1;
  return up && bin > 0 && most == 1 ? std::uint32_t{total(bin, true) > 0} : most;
}

inline std::uint32_t FreeCountIndex::exactly(std::uint32_t bin, bool up, std::uint32_t n, std::uint32_t from) const {
  if (n > widest_) return NodeBitmaps::none;
  if (up && bin > 0 && n == 1) return single(bin, from);
  const std::uint32_t tree = tree_of(bin, up);
  if ((state_.present[tree] >> n & 1) == 0) return NodeBitmaps::none;
  return from == 0 ? state_.maps.first(slot(tree, n)) : state_.maps.first(slot(tree, n), from);
}

}  // namespace palstudy
