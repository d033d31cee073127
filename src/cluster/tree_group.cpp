// SPDX-License-Identifier: MIT
#include "cluster/tree_group.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace palstudy {
namespace {

std::uint32_t up_trees(std::uint32_t bins, bool up_to) { return up_to && bins > 2 ? bins - 2 : 0; }

std::uint32_t slots(std::uint32_t bins, std::uint32_t trees, std::uint32_t widest) {
  return bins * (widest + 1) + (trees - bins) * widest;
}

}  // namespace

TreeGroup::TreeGroup(const Topology& topology) : TreeGroup(topology, 1, false) {}

TreeGroup::TreeGroup(const Topology& topology, const ClassBins& bins, bool up_to)
    : TreeGroup(topology, static_cast<std::uint32_t>(bins.values.size()), up_to) {
  if (bins_ == 1) return;
  rows_.resize(std::size_t{topology.nodes()} * bytes_ * words_);
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
    const std::size_t first = topology.first_gpu(NodeId(node)).index();
    for (std::uint32_t i = 0; i < topology.gpus_of(NodeId(node)); ++i) {
      const std::uint32_t bin = bins.of_gpu[first + i];
      const Lanes bit = Lanes{1} << (8 * (bin % 8) + i % 8);
      rows_[(std::size_t{node} * bytes_ + i / 8) * words_ + bin / 8] |= bit;
    }
  }
}

TreeGroup::TreeGroup(const Topology& topology, std::uint32_t bins, bool up_to)
    : bins_(bins),
      trees_(bins + up_trees(bins, up_to)),
      widest_(topology.widest_node()),
      bytes_((topology.widest_node() + 7) / 8),
      words_((bins + 7) / 8),
      up_lanes_(words_),
      state_{NodeMasks(topology.nodes(), widest_), NodeBitmaps(topology.nodes(), slots(bins, trees_, widest_)),
             std::vector<std::uint64_t>(trees_), std::vector<std::uint32_t>(bins)} {
  for (std::uint32_t bin = 1; trees_ > bins_ && bin + 1 < bins_; ++bin)
    up_lanes_[bin / 8] |= Lanes{0xff} << (8 * (bin % 8));
  fill_empty(topology.nodes());
}

void TreeGroup::fill_empty(std::uint32_t nodes) {
  for (std::uint32_t tree = 0; tree < trees_; ++tree) {
    const std::uint32_t least = tree < bins_ ? 0 : 1;
    for (std::uint32_t node = 0; node < nodes; ++node) state_.maps.insert(slot(tree, least), node);
    state_.present[tree] = std::uint64_t{1} << least;
  }
}

void TreeGroup::sync_all(const NodeMasks& truth) {
  truth.for_differing(state_.seen, [&](std::uint32_t node) { update(node, state_.seen.get(node), truth.get(node)); });
}

void TreeGroup::sync(const NodeMasks& truth, const std::uint32_t* changed, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const GpuMask before = state_.seen.get(changed[i]);
    const GpuMask after = truth.get(changed[i]);
    if (before != after) update(changed[i], before, after);
  }
}

bool TreeGroup::restore() {
  if (!saved_) return false;
  std::swap(state_, *saved_);
  return true;
}

std::uint32_t TreeGroup::slot(std::uint32_t tree, std::uint32_t count) const {
  if (tree < bins_) return tree * (widest_ + 1) + count;
  return bins_ * (widest_ + 1) + (tree - bins_) * widest_ + count - 1;
}

Lanes TreeGroup::counts(std::uint32_t node, GpuMask mask, std::uint32_t word) const {
  Lanes sum = 0;
  for (std::uint32_t byte = 0; byte < bytes_; ++byte)
    sum += lane_popcounts(row(node, byte, word) & spread(mask >> (8 * byte)));
  return sum;
}

void TreeGroup::move(std::uint32_t tree, std::uint32_t node, std::uint32_t from, std::uint32_t to) {
  if (state_.maps.erase(slot(tree, from), node)) state_.present[tree] &= ~(std::uint64_t{1} << from);
  if (state_.maps.insert(slot(tree, to), node)) state_.present[tree] |= std::uint64_t{1} << to;
  ++moves_;
}

void TreeGroup::update(std::uint32_t node, GpuMask before, GpuMask after) {
  ++updates_;
  state_.seen.set(node, after);
  if (bins_ == 1) {
    const std::uint32_t from = gpus_in(before);
    const std::uint32_t to = gpus_in(after);
    state_.totals[0] += to - from;
    if (from != to) move(0, node, from, to);
    return;
  }
  Lanes below_before = 0;  // GPUs of all bins of the words before, in every lane
  Lanes below_after = 0;
  for (std::uint32_t word = 0; word < words_; ++word) {
    const Lanes from = counts(node, before, word);
    const Lanes to = counts(node, after, word);
    for (Lanes changed = from ^ to; changed != 0;) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(changed)) / 8;
      changed &= ~(Lanes{0xff} << (8 * i));
      state_.totals[8 * word + i] += lane(to, i) - lane(from, i);
      move(8 * word + i, node, lane(from, i), lane(to, i));
    }
    if (trees_ == bins_) continue;
    const Lanes up_from = lane_prefix_sums(from) + below_before;
    const Lanes up_to = lane_prefix_sums(to) + below_after;
    const Lanes least_from = lane_at_least_one(up_from);
    const Lanes least_to = lane_at_least_one(up_to);
    for (Lanes changed = (least_from ^ least_to) & up_lanes_[word]; changed != 0;) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(changed)) / 8;
      changed &= ~(Lanes{0xff} << (8 * i));
      move(bins_ + 8 * word + i - 1, node, lane(least_from, i), lane(least_to, i));
    }
    below_before = spread(lane(up_from, 7));
    below_after = spread(lane(up_to, 7));
  }
}

std::uint32_t TreeGroup::total(std::uint32_t tree, bool up) const {
  if (!up) return state_.totals[tree];
  std::uint32_t sum = 0;
  for (std::uint32_t bin = 0; bin <= tree; ++bin) sum += state_.totals[bin];
  return sum;
}

GpuMask TreeGroup::members(std::uint32_t node, std::uint32_t tree, bool up) const {
  if (bins_ == 1) return ~GpuMask{0};
  GpuMask mask = 0;
  for (std::uint32_t byte = 0; byte < bytes_; ++byte) {
    std::uint32_t part = lane(row(node, byte, tree / 8), tree % 8);
    if (up) {
      // The lanes of a row have no bit in common, so that their sum is their union.
      part = lane(lane_prefix_sums(row(node, byte, tree / 8)), tree % 8);
      for (std::uint32_t word = 0; word < tree / 8; ++word) part |= lane(lane_prefix_sums(row(node, byte, word)), 7);
    }
    mask |= part << (8 * byte);
  }
  return mask;
}

/// The lowest node from `from` on with exactly one free GPU of bins 0..bin: one of those with one of some bin.
std::uint32_t TreeGroup::single(std::uint32_t bin, std::uint32_t from) const {
  while (true) {
    std::uint32_t node = NodeBitmaps::none;
    for (std::uint32_t b = 0; b <= bin; ++b) node = std::min(node, state_.maps.first(slot(b, 1), from));
    if (node == NodeBitmaps::none || gpus_in(state_.seen.get(node) & members(node, bin, true)) == 1) return node;
    from = node + 1;
  }
}

std::uint64_t TreeGroup::present(std::uint32_t tree, bool up) const {
  if (!up || tree == 0) return state_.present[tree] & ~std::uint64_t{1};
  const std::uint64_t several = state_.present[bins_ + tree - 1] & ~std::uint64_t{3};
  return several | (single(tree, 0) != NodeBitmaps::none ? 2 : 0);
}

std::uint32_t TreeGroup::largest(std::uint32_t tree, bool up) const {
  const std::uint64_t counts = state_.present[up && tree > 0 ? bins_ + tree - 1 : tree];
  const auto most = static_cast<std::uint32_t>(std::bit_width(counts)) - 1;
  return up && tree > 0 && most == 1 ? std::uint32_t{total(tree, true) > 0} : most;
}

std::uint32_t TreeGroup::exactly(std::uint32_t tree, bool up, std::uint32_t n, std::uint32_t from) const {
  if (n > widest_) return NodeBitmaps::none;
  if (up && tree > 0) {
    if (n == 1) return single(tree, from);
    tree = bins_ + tree - 1;
  }
  if ((state_.present[tree] >> n & 1) == 0) return NodeBitmaps::none;
  return from == 0 ? state_.maps.first(slot(tree, n)) : state_.maps.first(slot(tree, n), from);
}

}  // namespace palstudy
