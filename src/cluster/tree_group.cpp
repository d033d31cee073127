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

/// In this many moves at most a batch of nodes can end, and three more are written but not counted.
std::size_t most_moves(std::uint32_t bins) { return LaneBatch::capacity * 2 * bins + 3; }

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
      moves_(most_moves(bins)) {
  std::uint32_t slot = 0;
  for (std::uint32_t bin = 0; bin < bins; ++bin) {
    first_slot_[tree_of(bin, false)] = slot;
    fill_empty(tree_of(bin, false), 0, topology.nodes());
    slot += widest_ + 1;
  }
  for (std::uint32_t bin = 1; up_to && bin < bins; ++bin) {
    first_slot_[tree_of(bin, true)] = slot - 1;
    fill_empty(tree_of(bin, true), 1, topology.nodes());
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

void TreeGroup::add_to_cabinets(std::uint32_t word) {
  const auto* before = reinterpret_cast<const unsigned char*>(batch_.before);
  const auto* after = reinterpret_cast<const unsigned char*>(batch_.after);
  for (std::size_t i = 0; i < batch_.size; ++i) {
    for (std::uint32_t left = static_cast<std::uint32_t>(batch_.changed[i]) & 0xff; left != 0; left &= left - 1) {
      const auto bin = static_cast<std::uint32_t>(std::countr_zero(left));
      add_to_cabinet(batch_.node[i], 8 * word + bin, before[i * 8 + bin], after[i * 8 + bin]);
    }
  }
}

void TreeGroup::sync_all(const NodeMasks& truth) {
  truth.for_differing(state_.seen, [&](std::uint32_t node) { note(node, state_.seen.get(node), truth.get(node)); });
  apply();
}

void TreeGroup::sync(const NodeMasks& truth, const std::uint32_t* changed, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const GpuMask before = state_.seen.get(changed[i]);
    const GpuMask after = truth.get(changed[i]);
    if (before != after) note(changed[i], before, after);
  }
  apply();
}

bool TreeGroup::restore() {
  if (!saved_) return false;
  std::swap(state_, *saved_);
  return true;
}

void TreeGroup::note(std::uint32_t node, GpuMask before, GpuMask after) {
  if (batch_.size == LaneBatch::capacity) apply();
  state_.seen.set(node, after);
  batch_.node[batch_.size] = node;
  batch_.mask_before[batch_.size] = before;
  batch_.mask_after[batch_.size] = after;
  ++batch_.size;
}

void TreeGroup::find_moves() {
  if (bins_ == 1) {
    for (std::size_t i = 0; i < batch_.size; ++i) {
      const std::uint32_t from = gpus_in(batch_.mask_before[i]);
      const std::uint32_t to = gpus_in(batch_.mask_after[i]);
      moves_[found_] = Move(batch_.node[i], 0, from, to);
      found_ += from != to;
      if (topology_ != nullptr) add_to_cabinet(batch_.node[i], 0, from, to);
    }
    return;
  }
  for (std::size_t i = 0; i < batch_.size; ++i) batch_.below_before[i] = batch_.below_after[i] = 0;
  for (std::uint32_t word = 0; word < words_; ++word) {
    batch_.clear_counts();
    for (std::uint32_t byte = 0; byte < bytes_; ++byte) {
      for (std::size_t i = 0; i < batch_.size; ++i) batch_.row[i] = row(batch_.node[i], byte, word);
      batch_.add_row(byte);
    }
    Lanes up_lanes = 0;  // of bins that have an up-to tree
    for (std::uint32_t bin = 8 * word; up_to_ && bin < bins_ && bin < 8 * word + 8; ++bin) {
      if (bin > 0) up_lanes |= Lanes{1} << (8 * (bin % 8));
    }
    batch_.finish(up_lanes);
    list_moves(word);
    if (topology_ != nullptr) add_to_cabinets(word);
  }
}

/// Most often a node has one to three changes, so that many are written in any case and only counted if they are real.
void TreeGroup::list_moves(std::uint32_t word) {
  constexpr std::uint32_t end = 1u << 16;
  const auto* before = reinterpret_cast<const unsigned char*>(batch_.before);
  const auto* after = reinterpret_cast<const unsigned char*>(batch_.after);
  for (std::size_t node = 0; node < batch_.size; ++node) {
    std::uint32_t left = static_cast<std::uint32_t>(batch_.changed[node]) | end;
    Move* next = moves_.data() + found_;
    const auto add = [&] {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
      left = (left & (left - 1)) | end;
      const std::size_t at = (i & 8) / 8 * sizeof(LaneBatch::Array) + node * 8 + (i & 7);
      *next++ = Move(batch_.node[node], 16 * word + i, before[at], after[at]);
    };
    for (int i = 0; i < 3; ++i) add();
    for (std::size_t i = 3; i < batch_.changes[node]; ++i) add();
    found_ += batch_.changes[node];
  }
}

template <std::uint32_t levels>
void TreeGroup::apply_moves() {
  const NodeBitmaps::Mover<levels> move_node(state_.maps);
  const std::uint32_t* first_slot = first_slot_.data();
  std::uint32_t* totals = state_.totals.data();
  std::uint64_t* present = state_.present.data();
  const Move* end = moves_.data() + found_;
  for (const Move* next = moves_.data(); next != end; ++next) {
    const Move move = *next;
    const std::uint32_t slot0 = first_slot[move.tree()];
    const std::uint64_t emptied = move_node(slot0 + move.from(), slot0 + move.to(), move.node());
    totals[move.tree()] += move.to() - move.from();
    present[move.tree()] = (present[move.tree()] & ~(emptied << move.from())) | std::uint64_t{1} << move.to();
  }
}

void TreeGroup::apply() {
  find_moves();
  const std::uint32_t levels = state_.maps.levels();
  if (levels == 1) {
    apply_moves<1>();
  } else if (levels == 2) {
    apply_moves<2>();
  } else if (levels == 3) {
    apply_moves<3>();
  } else {
    apply_moves<4>();
  }
  updates_ += batch_.size;
  moved_ += found_;
  batch_.size = 0;
  found_ = 0;
}

std::size_t TreeGroup::State::bytes() const {
  return seen.bytes() + maps.bytes() + 8 * present.size() + 4 * totals.size() + (cabinets ? cabinets->bytes() : 0);
}

std::size_t TreeGroup::bytes() const {
  return sizeof *this + state_.bytes() + (saved_ ? saved_->bytes() : 0) + sizeof(Lanes) * rows_.size() +
         4 * first_slot_.size() + sizeof(Move) * moves_.size();
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
