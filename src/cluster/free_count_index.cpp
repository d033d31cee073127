// SPDX-License-Identifier: MIT
#include "cluster/free_count_index.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace palstudy {
namespace {

std::uint32_t slots(std::uint32_t bins, bool up_to, std::uint32_t widest) {
  return bins * widest + (up_to ? bins - 1 : 0) * (widest - 1);
}

}  // namespace

FreeCountIndex::FreeCountIndex(const Topology& topology) : FreeCountIndex(topology, 1, false) {}

FreeCountIndex::FreeCountIndex(const Topology& topology, const ClassBins& bins, bool up_to)
    : FreeCountIndex(topology, static_cast<std::uint32_t>(bins.values.size()), up_to) {
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

FreeCountIndex::FreeCountIndex(const Topology& topology, std::uint32_t bins, bool up_to)
    : bins_(bins),
      widest_(topology.widest_node()),
      bytes_((topology.widest_node() + 7) / 8),
      words_((bins + 7) / 8),
      state_{NodeMasks(topology.nodes(), widest_), NodeBitmaps(topology.nodes(), slots(bins, up_to, widest_)),
             std::vector<std::uint64_t>(16 * words_), std::vector<std::uint32_t>(16 * words_), std::nullopt},
      first_slot_(16 * words_),
      up_lanes_(words_) {
  std::uint32_t slot = 0;
  for (std::uint32_t bin = 0; bin < bins; ++bin) {
    first_slot_[tree_of(bin, false)] = slot - 1;
    state_.present[tree_of(bin, false)] = 1;
    slot += widest_;
  }
  for (std::uint32_t bin = 1; up_to && bin < bins; ++bin) {
    first_slot_[tree_of(bin, true)] = slot - 2;
    state_.present[tree_of(bin, true)] = 2;
    up_lanes_[bin / 8] |= Lanes{1} << (8 * (bin % 8));
    slot += widest_ - 1;
  }
}

void FreeCountIndex::count_cabinets(const Topology& topology) {
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

void FreeCountIndex::add_to_cabinet(std::uint32_t node, std::uint32_t bin, std::uint32_t before, std::uint32_t after) {
  state_.cabinets->add(topology_->cabinet_of(NodeId(node)).value, bin, after - before);
}

template <class Use>
void FreeCountIndex::with_bitmap_levels(Use use) {
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

void FreeCountIndex::sync_all(const NodeMasks& truth) {
  with_bitmap_levels([&]<std::uint32_t levels>() {
    truth.for_differing(state_.seen, [&](std::uint32_t node) { update<levels>(node, truth.get(node)); });
  });
}

void FreeCountIndex::sync(const NodeMasks& truth, const std::uint32_t* changed, std::size_t count) {
  with_bitmap_levels([&]<std::uint32_t levels>() {
    for (std::size_t i = 0; i < count; ++i) {
      const GpuMask after = truth.get(changed[i]);
      if (after != state_.seen.get(changed[i])) update<levels>(changed[i], after);
    }
  });
}

bool FreeCountIndex::restore() {
  if (!saved_) return false;
  std::swap(state_, *saved_);
  return true;
}

/// Lane b: the GPUs of a mask that are of the b-th of the word's eight bins.
Lanes FreeCountIndex::counts(std::uint32_t node, GpuMask mask, std::uint32_t word) const {
  Lanes sum = 0;
  for (std::uint32_t byte = 0; byte < bytes_; ++byte) {
    sum += lane_popcounts(row(node, byte, word) & spread(mask >> (8 * byte)));
  }
  return sum;
}

/// The free GPUs of a node have become these.
template <std::uint32_t levels>
void FreeCountIndex::update(std::uint32_t node, GpuMask after) {
  const GpuMask before = state_.seen.get(node);
  state_.seen.set(node, after);
  ++updates_;
  const NodeBitmaps::Place<levels> place(state_.maps, node);
  if (bins_ == 1) return move_in_single_bin(place, node, gpus_in(before), gpus_in(after));
  Counts had, has;
  for (std::uint32_t word = 0; word < words_; ++word) {
    had.read(counts(node, before, word));
    has.read(counts(node, after, word));
    const Lanes exact = lanes_differing(had.exact, has.exact);
    const Lanes up_to = lanes_differing(had.up_to, has.up_to) & up_lanes_[word];
    // Bits 0 and 1 of a lane: the exact tree of the bin, the up-to tree.
    const Lanes changed = exact | up_to << 1;
    remove(place, word, had, changed & had.counted());
    insert(place, word, has, changed & has.counted());
    for (Lanes left = topology_ != nullptr ? exact : 0; left != 0; left &= left - 1) {
      const std::uint32_t bin = static_cast<std::uint32_t>(std::countr_zero(left)) / 8;
      add_to_cabinet(node, 8 * word + bin, lane(had.exact, bin), lane(has.exact, bin));
    }
  }
}

/// Of one bin there is one tree. The same, without what finds out which trees change.
template <class Place>
void FreeCountIndex::move_in_single_bin(const Place& place, std::uint32_t node, std::uint32_t had, std::uint32_t has) {
  if (had == has) return;
  if (had != 0) state_.present[0] &= ~(place.remove(slot(0, had)) << had);
  if (has != 0) place.insert(slot(0, has));
  state_.present[0] |= std::uint64_t{1} << has;  // bit 0 is always set
  state_.totals[0] += has - had;
  moved_ += (had != 0 ? 1U : 0U) + (has != 0 ? 1U : 0U);
  if (topology_ != nullptr) add_to_cabinet(node, 0, had, has);
}

/// Takes a node out of the trees whose bits are set.
template <class Place>
void FreeCountIndex::remove(const Place& place, std::uint32_t word, const Counts& had, Lanes trees) {
  for (; trees != 0; trees &= trees - 1) {
    const auto [tree, count] = had.at(static_cast<std::uint32_t>(std::countr_zero(trees)), word);
    state_.present[tree] &= ~(place.remove(slot(tree, count)) << count);
    state_.totals[tree] -= count;
    ++moved_;
  }
}

/// Puts it into them.
template <class Place>
void FreeCountIndex::insert(const Place& place, std::uint32_t word, const Counts& has, Lanes trees) {
  for (; trees != 0; trees &= trees - 1) {
    const auto [tree, count] = has.at(static_cast<std::uint32_t>(std::countr_zero(trees)), word);
    place.insert(slot(tree, count));
    state_.present[tree] |= std::uint64_t{1} << count;
    state_.totals[tree] += count;
    ++moved_;
  }
}

std::size_t FreeCountIndex::State::bytes() const {
  return seen.bytes() + maps.bytes() + 8 * present.size() + 4 * totals.size() + (cabinets ? cabinets->bytes() : 0);
}

std::size_t FreeCountIndex::bytes() const {
  return sizeof *this + state_.bytes() + (saved_ ? saved_->bytes() : 0) + sizeof(Lanes) * rows_.size() +
         4 * first_slot_.size() + sizeof(Lanes) * up_lanes_.size();
}

}  // namespace palstudy
