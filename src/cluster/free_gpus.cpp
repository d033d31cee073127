// SPDX-License-Identifier: MIT
#include "cluster/free_gpus.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

#include "core/error.hpp"

namespace palstudy {

FreeGpus::FreeGpus(const Topology& topology, const Bins& bins, const IndexNeeds& needs)
    : topology_(topology),
      bins_(bins),
      needs_(needs),
      truth_(topology.nodes(), topology.widest_node()),
      log_limit_(1024 + std::size_t{2} * topology.nodes()) {
  const bool class_trees = needs.exact_bins || needs.bins_up_to;
  bool one_bin = false;
  for (std::size_t c = 0; c < bins.classes(); ++c) one_bin = one_bin || bins.bins(ClassId(c)) == 1;
  if (needs.counts || (class_trees && one_bin)) all_.emplace(FreeCountIndex(topology));
  classes_.resize(bins.classes());
  for (std::size_t c = 0; class_trees && c < bins.classes(); ++c) {
    if (bins.bins(ClassId(c)) > 1) classes_[c].emplace(FreeCountIndex(topology, bins.of(ClassId(c)), needs.bins_up_to));
  }
  kept_.resize(1 + 2 * bins.classes(), nullptr);
  if (needs.counts) kept_[0] = &*all_;
  for (std::size_t i = 0; i < bins.classes(); ++i) {
    const ClassId cls(i);
    Group* of_class = classes_[i] ? &*classes_[i] : class_trees ? &*all_ : nullptr;
    kept(GpuFilter::Type::bin, cls) = of_class;
    if (needs.bins_up_to) kept(GpuFilter::Type::up_to, cls) = of_class;
  }
  if (needs.cabinets) count_cabinets();
  log_.reserve(log_limit_);
  give_all();
}

void FreeGpus::count_cabinets() {
  for (std::uint32_t node = 0; node < topology_.nodes(); ++node) {
    if (topology_.cabinet_of(NodeId(node)).index() == cabinet_begin_.size()) cabinet_begin_.push_back(node);
  }
  cabinet_begin_.push_back(topology_.nodes());
  if (all_) all_->counts_by_node.count_cabinets(topology_);
  for (auto& group : classes_) {
    if (group) group->counts_by_node.count_cabinets(topology_);
  }
}

std::size_t FreeGpus::bytes() const {
  std::size_t sum = truth_.bytes() + 4 * (cabinet_begin_.size() + log_limit_);
  if (all_) sum += all_->counts_by_node.bytes();
  for (const auto& group : classes_) sum += group ? group->counts_by_node.bytes() : 0;
  return sum;
}

void FreeGpus::set(std::uint32_t node, GpuMask mask) {
  total_ += gpus_in(mask) - gpus_in(truth_.get(node));
  truth_.set(node, mask);
  if (log_.size() == log_limit_) {
    log_begin_ += log_.size();
    log_.clear();
  }
  log_.push_back(node);
}

void FreeGpus::give_all() {
  total_ = 0;
  for (std::uint32_t node = 0; node < topology_.nodes(); ++node) {
    truth_.set(node, topology_.full(NodeId(node)));
    total_ += topology_.gpus_of(NodeId(node));
  }
  for (auto& [node, state] : withdrawn_) {
    state.rest = topology_.full(NodeId(node));
    truth_.set(node, 0);
    total_ -= gpus_in(state.rest);
  }
  log_begin_ += log_.size() + 1;  // + 1: a group that had read all of it must look as well
  log_.clear();
}

void FreeGpus::bring_up(Group& group) {
  const std::uint64_t end = log_begin_ + log_.size();
  if (group.cursor == end) return;
  if (group.cursor < log_begin_) {
    group.counts_by_node.sync_all(truth_);
  } else {
    const std::size_t read = group.cursor - log_begin_;
    group.counts_by_node.sync(truth_, log_.data() + read, log_.size() - read);
  }
  group.cursor = end;
}

void FreeGpus::begin_class(ClassId cls) {
  auto& group = classes_[cls.index()];
  if (!group) return;
  if (group->counts_by_node.restore()) group->cursor = 0;
  bring_up(*group);
  group->counts_by_node.save();
}

FreeCountIndex& FreeGpus::count_index(GpuFilter::Type type, ClassId cls) {
  ++queries_;
  Group* group = kept(type, cls);
  if (group == nullptr) throw fault("counts that no policy needs are queried");
  bring_up(*group);
  return group->counts_by_node;
}

FreeGpus::Tree FreeGpus::tree_of(GpuFilter kind) {
  return {count_index(kind.type, kind.cls), kind.bin_index, kind.type == GpuFilter::Type::up_to};
}

void FreeGpus::take(NodeGpus gpus) {
  if (GpuMask* rest = rest_of_withdrawn(gpus.node.value)) {  // given a moment ago, by the one who takes them
    assert((gpus.mask & ~*rest) == 0);
    *rest &= ~gpus.mask;
    return;
  }
  const GpuMask free = truth_.get(gpus.node.value);
  assert((gpus.mask & ~free) == 0);
  set(gpus.node.value, free & ~gpus.mask);
}

void FreeGpus::give(NodeGpus gpus) {
  if (GpuMask* rest = rest_of_withdrawn(gpus.node.value)) {
    assert((gpus.mask & *rest) == 0);
    *rest |= gpus.mask;
    return;
  }
  const GpuMask free = truth_.get(gpus.node.value);
  assert((gpus.mask & free) == 0 && (gpus.mask & ~topology().full(gpus.node)) == 0);
  set(gpus.node.value, free | gpus.mask);
}

void FreeGpus::withdraw(NodeId node) {
  if (++withdrawn_.try_emplace(node.value, Withdrawn{0, mask(node)}).first->second.times > 1) return;
  withdrawn_flags_.resize(topology().nodes());
  withdrawn_flags_[node.value] = 1;
  set(node.value, 0);
}

void FreeGpus::restore(NodeId node) {
  const auto at = withdrawn_.find(node.value);
  assert(at != withdrawn_.end());
  if (--at->second.times > 0) return;
  set(node.value, at->second.rest);
  withdrawn_.erase(at);
  withdrawn_flags_[node.value] = 0;
}

bool FreeGpus::any_withdrawn(const GpuSet& gpus) const {
  return any_withdrawn() &&
         std::any_of(gpus.begin(), gpus.end(), [&](const NodeGpus& part) { return is_withdrawn(part.node.value); });
}

std::uint32_t FreeGpus::total(GpuFilter kind) {
  if (kind.type == GpuFilter::Type::all) return total_;
  const auto tree = tree_of(kind);
  return tree.group.total(tree.bin, tree.up);
}

GpuMask FreeGpus::mask(GpuFilter kind, NodeId node) {
  const GpuMask free = mask(node);
  if (kind.type == GpuFilter::Type::all) return free;
  const auto tree = tree_of(kind);
  return free & tree.group.members(node.value, tree.bin, tree.up);
}

std::optional<NodeId> FreeGpus::exactly(GpuFilter kind, std::uint32_t n, NodeId from) {
  const auto tree = tree_of(kind);
  const std::uint32_t node = tree.group.exactly(tree.bin, tree.up, n, from.value);
  if (node == NodeBitmaps::none) return std::nullopt;
  return NodeId(node);
}

std::optional<NodeId> FreeGpus::fewest_at_least(GpuFilter kind, std::uint32_t n) {
  const auto tree = tree_of(kind);
  if (n > max_gpus_per_node) return std::nullopt;
  const std::uint64_t enough = tree.group.present(tree.bin, tree.up) >> n << n;
  if (enough == 0) return std::nullopt;
  return NodeId(tree.group.exactly(tree.bin, tree.up, static_cast<std::uint32_t>(std::countr_zero(enough)), 0));
}

std::optional<NodeId> FreeGpus::most(GpuFilter kind) {
  const auto tree = tree_of(kind);
  const std::uint32_t n = tree.group.largest(tree.bin, tree.up);
  if (n == 0) return std::nullopt;
  return NodeId(tree.group.exactly(tree.bin, tree.up, n, 0));
}

std::uint32_t FreeGpus::largest(GpuFilter kind) {
  const auto tree = tree_of(kind);
  return tree.group.largest(tree.bin, tree.up);
}

std::uint64_t FreeGpus::present(GpuFilter kind) {
  const auto tree = tree_of(kind);
  return tree.group.present(tree.bin, tree.up);
}

CabinetFree FreeGpus::freest_cabinet(ClassId cls, std::uint32_t bin) {
  if (!needs_.cabinets) throw fault("cabinets were not asked for and are queried");
  const auto tree = tree_of(GpuFilter::up_to(cls, bin));
  const auto freest = tree.group.freest_cabinet(tree.bin);
  const std::uint32_t* begin = cabinet_begin_.data() + freest.cabinet;
  return {NodeId(begin[0]), NodeId(begin[1]), freest.gpus};
}

IndexCounts FreeGpus::counts() const {
  IndexCounts counts{.queries = queries_};
  const auto add = [&](const std::optional<Group>& group) {
    if (!group) return;
    counts.updates += group->counts_by_node.updates();
    counts.moves += group->counts_by_node.moves();
  };
  add(all_);
  for (const auto& group : classes_) add(group);
  return counts;
}

}  // namespace palstudy
