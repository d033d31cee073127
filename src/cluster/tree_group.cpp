// SPDX-License-Identifier: MIT
#include "cluster/tree_group.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace palstudy {
namespace {

std::uint32_t slots(std::uint32_t bins, bool up_to, std::uint32_t widest) {
  return bins * (widest + 1) + (up_to ? bins - 1 : 0) * widest;
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
      up_to_(up_to),
      widest_(topology.widest_node()),
      bytes_((topology.widest_node() + 7) / 8),
      words_((bins + 7) / 8),
      state_{NodeMasks(topology.nodes(), widest_), NodeBitmaps(topology.nodes(), slots(bins, up_to, widest_)),
             std::vector<std::uint64_t>(16 * words_), std::vector<std::uint32_t>(16 * words_), std::nullopt},
      first_slot_(16 * words_),
      up_lanes_(words_) {
  std::uint32_t slot = 0;
  for (std::uint32_t bin = 0; bin < bins; ++bin) {
    first_slot_[tree_of(bin, false)] = slot;
    fill_empty(tree_of(bin, false), 0, topology.nodes());
    slot += widest_ + 1;
  }
  for (std::uint32_t bin = 1; up_to && bin < bins; ++bin) {
    first_slot_[tree_of(bin, true)] = slot - 1;
    fill_empty(tree_of(bin, true), 1, topology.nodes());
    up_lanes_[bin / 8] |= Lanes{1} << (8 * (bin % 8));
    slot += widest_;
  }
}

void TreeGroup::fill_empty(std::uint32_t tree, std::uint32_t count, std::uint32_t nodes) {
  for (std::uint32_t node = 0; node < nodes; ++node) state_.maps.insert(slot(tree, count), node);
  state_.present[tree] = std::uint64_t{1} << count;
}

void TreeGroup::count_cabinets(const Topology& topology) {
  topology_ = &topology;
  std::uint32_t largest = 0, cabinets = 0;
  for (std::uint32_t node = 0, gpus = 0; node < topology.nodes(); ++node) {
    if (node > 0 && topology.cabinet_of(NodeId(node)) != topology.cabinet_of(NodeId(node - 1))) gpus = 0;
    gpus += topology.gpus_of(NodeId(node));
    largest = std::max(largest, gpus);
    cabinets = topology.cabinet_of(NodeId(node)).value + 1;
  }
  state_.cabinets.emplace(cabinets, bins_, largest);
}

void TreeGroup::add_to_cabinet(std::uint32_t node, std::uint32_t bin, std::uint32_t before, std::uint32_t after) {
  state_.cabinets->add(topology_->cabinet_of(NodeId(node)).value, bin, after - before);
}

template <class Use>
void TreeGroup::with_levels(Use use) {
  const std::uint32_t levels = state_.maps.levels();
  if (levels == 1) {
    use.template operator()<1>();
  } else if (levels == 2) {
    use.template operator()<2>();
  } else if (levels == 3) {
    use.template operator()<3>();
  } else {
    use.template operator()<4>();
  }
}

void TreeGroup::sync_all(const NodeMasks& truth) {
  with_levels([&]<std::uint32_t levels>() {
    truth.for_differing(state_.seen, [&](std::uint32_t node) { update<levels>(node, truth.get(node)); });
  });
}

void TreeGroup::sync(const NodeMasks& truth, const std::uint32_t* changed, std::size_t count) {
  with_levels([&]<std::uint32_t levels>() {
    for (std::size_t i = 0; i < count; ++i) {
      const GpuMask after = truth.get(changed[i]);
      if (after != state_.seen.get(changed[i])) update<levels>(changed[i], after);
    }
  });
}

bool TreeGroup::restore() {
  if (!saved_) return false;
  std::swap(state_, *saved_);
  return true;
}

/// The free GPUs of a node have become these.
template <std::uint32_t levels>
void TreeGroup::update(std::uint32_t node, GpuMask after) {
  const GpuMask before = state_.seen.get(node);
  state_.seen.set(node, after);
  ++updates_;
  const NodeBitmaps::Place<levels> place(state_.maps, node);
  if (bins_ == 1) {
    const std::uint32_t from = gpus_in(before), to = gpus_in(after);
    if (from != to) move(place, 0, from, to);
    if (topology_ != nullptr) add_to_cabinet(node, 0, from, to);
    return;
  }
  Lanes below_before = 0, below_after = 0;  // GPUs of all bins of the words before, in every lane
  for (std::uint32_t word = 0; word < words_; ++word) {
    Lanes had = 0, has = 0;  // lane b: GPUs of bin b of the eight at hand
    for (std::uint32_t byte = 0; byte < bytes_; ++byte) {
      const Lanes of_bins = row(node, byte, word);
      had += lane_popcounts(of_bins & spread(before >> (8 * byte)));
      has += lane_popcounts(of_bins & spread(after >> (8 * byte)));
    }
    const Lanes up_had = lane_prefix_sums(had) + below_before, up_has = lane_prefix_sums(has) + below_after;
    below_before = spread(static_cast<std::uint32_t>(up_had >> 56));
    below_after = spread(static_cast<std::uint32_t>(up_has >> 56));
    move_lanes(place, 16 * word, had, has, lane_ones);
    move_lanes(place, 16 * word + 8, lane_at_least_one(up_had), lane_at_least_one(up_has), up_lanes_[word]);
    for (Lanes left = topology_ != nullptr ? lanes_differing(had, has) : 0; left != 0; left &= left - 1) {
      const std::uint32_t bin = static_cast<std::uint32_t>(std::countr_zero(left)) / 8;
      add_to_cabinet(node, 8 * word + bin, lane(had, bin), lane(has, bin));
    }
  }
}

/// Moves a node in those of eight trees, from `tree` on, whose lanes differ; only `lanes` count.
template <class Place>
void TreeGroup::move_lanes(const Place& place, std::uint32_t tree, Lanes from, Lanes to, Lanes lanes) {
  for (Lanes left = lanes_differing(from, to) & lanes; left != 0; left &= left - 1) {
    const std::uint32_t i = static_cast<std::uint32_t>(std::countr_zero(left)) / 8;
    move(place, tree + i, lane(from, i), lane(to, i));
  }
}

template <class Place>
void TreeGroup::move(const Place& place, std::uint32_t tree, std::uint32_t from, std::uint32_t to) {
  const std::uint64_t emptied = place.move(slot(tree, from), slot(tree, to));
  state_.totals[tree] += to - from;
  std::uint64_t& present = state_.present[tree];
  present = (present & ~(emptied << from)) | std::uint64_t{1} << to;
  ++moved_;
}

std::size_t TreeGroup::State::bytes() const {
  return seen.bytes() + maps.bytes() + 8 * present.size() + 4 * totals.size() + (cabinets ? cabinets->bytes() : 0);
}

std::size_t TreeGroup::bytes() const {
  return sizeof *this + state_.bytes() + (saved_ ? saved_->bytes() : 0) + sizeof(Lanes) * rows_.size() +
         4 * first_slot_.size() + sizeof(Lanes) * up_lanes_.size();
}

std::uint32_t TreeGroup::total(std::uint32_t bin, bool up) const {
  if (!up) return state_.totals[tree_of(bin, false)];
  std::uint32_t sum = 0;
  for (std::uint32_t b = 0; b <= bin; ++b) sum += state_.totals[tree_of(b, false)];
  return sum;
}

GpuMask TreeGroup::members(std::uint32_t node, std::uint32_t bin, bool up) const {
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
std::uint32_t TreeGroup::single(std::uint32_t bin, std::uint32_t from) const {
  while (true) {
    std::uint32_t node = NodeBitmaps::none;
    for (std::uint32_t b = 0; b <= bin; ++b) node = std::min(node, state_.maps.first(slot(tree_of(b, false), 1), from));
    if (node == NodeBitmaps::none || gpus_in(state_.seen.get(node) & members(node, bin, true)) == 1) return node;
    from = node + 1;
  }
}

std::uint64_t TreeGroup::present(std::uint32_t bin, bool up) const {
  const std::uint64_t counts = state_.present[tree_of(bin, up)] & ~std::uint64_t{1};
  if (!up || bin == 0) return counts;
  return (counts & ~std::uint64_t{2}) | (single(bin, 0) != NodeBitmaps::none ? 2 : 0);
}

std::uint32_t TreeGroup::largest(std::uint32_t bin, bool up) const {
  const auto most = static_cast<std::uint32_t>(std::bit_width(state_.present[tree_of(bin, up)])) - 1;
  return up && bin > 0 && most == 1 ? std::uint32_t{total(bin, true) > 0} : most;
}

std::uint32_t TreeGroup::exactly(std::uint32_t bin, bool up, std::uint32_t n, std::uint32_t from) const {
  if (n > widest_) return NodeBitmaps::none;
  if (up && bin > 0 && n == 1) return single(bin, from);
  const std::uint32_t tree = tree_of(bin, up);
  if ((state_.present[tree] >> n & 1) == 0) return NodeBitmaps::none;
  return from == 0 ? state_.maps.first(slot(tree, n)) : state_.maps.first(slot(tree, n), from);
}

}  // namespace palstudy
