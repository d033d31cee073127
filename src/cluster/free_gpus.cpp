// SPDX-License-Identifier: MIT
#include "cluster/free_gpus.hpp"

#include <algorithm>
#include <bit>
#include <cassert>

#include "cluster/free_index.hpp"
#include "core/error.hpp"

namespace palstudy {

FreeGpus::Index::Index(const Topology& topology_of, const Bins& bins_of, const IndexNeeds& needs_of)
    : topology(topology_of),
      bins(bins_of),
      needs(needs_of),
      truth(topology.nodes(), topology.widest_node()),
      log_limit(1024 + std::size_t{2} * topology.nodes()) {
  const bool class_trees = needs.exact_bins || needs.bins_up_to;
  bool one_bin = false;
  for (std::size_t c = 0; c < bins.classes(); ++c) one_bin = one_bin || bins.bins(ClassId(c)) == 1;
  if (needs.counts || (class_trees && one_bin)) all.emplace(FreeCountIndex(topology));
  classes.resize(bins.classes());
  for (std::size_t c = 0; class_trees && c < bins.classes(); ++c) {
    if (bins.bins(ClassId(c)) > 1) classes[c].emplace(FreeCountIndex(topology, bins.of(ClassId(c)), needs.bins_up_to));
  }
  kept_.resize(1 + 2 * bins.classes(), nullptr);
  if (needs.counts) kept_[0] = &*all;
  for (std::size_t i = 0; i < bins.classes(); ++i) {
    const ClassId cls(i);
    Group* of_class = classes[i] ? &*classes[i] : class_trees ? &*all : nullptr;
    kept(GpuFilter::Type::bin, cls) = of_class;
    if (needs.bins_up_to) kept(GpuFilter::Type::up_to, cls) = of_class;
  }
  if (needs.cabinets) count_cabinets();
  log.reserve(log_limit);
  give_all();
}

void FreeGpus::Index::count_cabinets() {
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
    if (topology.cabinet_of(NodeId(node)).index() == cabinet_begin.size()) cabinet_begin.push_back(node);
  }
  cabinet_begin.push_back(topology.nodes());
  if (all) all->counts_by_node.count_cabinets(topology);
  for (auto& group : classes) {
    if (group) group->counts_by_node.count_cabinets(topology);
  }
}

std::size_t FreeGpus::Index::bytes() const {
  std::size_t sum = truth.bytes() + 4 * (cabinet_begin.size() + log_limit);
  if (all) sum += all->counts_by_node.bytes();
  for (const auto& group : classes) sum += group ? group->counts_by_node.bytes() : 0;
  return sum;
}

void FreeGpus::Index::note(std::uint32_t node) {
  if (log.size() == log_limit) {
    log_begin += log.size();
    log.clear();
  }
  log.push_back(node);
}

void FreeGpus::Index::set(std::uint32_t node, GpuMask mask) {
  total += gpus_in(mask) - gpus_in(truth.get(node));
  truth.set(node, mask);
  note(node);
}

void FreeGpus::Index::give_all() {
  total = 0;
  for (std::uint32_t node = 0; node < topology.nodes(); ++node) {
    truth.set(node, topology.full(NodeId(node)));
    total += topology.gpus_of(NodeId(node));
  }
  for (auto& [node, state] : withdrawn) {
    state.rest = topology.full(NodeId(node));
    truth.set(node, 0);
    total -= gpus_in(state.rest);
  }
  log_begin += log.size() + 1;  // + 1: a group that had read all of it must look as well
  log.clear();
}

void FreeGpus::Index::bring_up(Group& group) {
  const std::uint64_t end = log_begin + log.size();
  if (group.cursor == end) return;
  if (group.cursor < log_begin) {
    group.counts_by_node.sync_all(truth);
  } else {
    const std::size_t read = group.cursor - log_begin;
    group.counts_by_node.sync(truth, log.data() + read, log.size() - read);
  }
  group.cursor = end;
}

void FreeGpus::Index::begin_class(ClassId cls) {
  auto& group = classes[cls.index()];
  if (!group) return;
  if (group->counts_by_node.restore()) group->cursor = 0;
  bring_up(*group);
  group->counts_by_node.save();
}

FreeCountIndex& FreeGpus::Index::count_index(GpuFilter::Type type, ClassId cls) {
  ++counts.queries;
  Group* group = kept(type, cls);
  if (group == nullptr) throw fault("counts that no policy needs are queried");
  bring_up(*group);
  return group->counts_by_node;
}

FreeGpus::Index::Tree FreeGpus::Index::tree(GpuFilter kind) {
  return {count_index(kind.type, kind.cls), kind.bin_index, kind.type == GpuFilter::Type::up_to};
}

FreeGpus::FreeGpus(const Topology& topology, const Bins& bins, const IndexNeeds& needs)
    : index_(std::make_unique<Index>(topology, bins, needs)) {}
FreeGpus::~FreeGpus() = default;
FreeGpus::FreeGpus(FreeGpus&&) noexcept = default;
FreeGpus& FreeGpus::operator=(FreeGpus&&) noexcept = default;

void FreeGpus::take(NodeGpus gpus) {
  if (GpuMask* rest = index_->rest_of_withdrawn(gpus.node.value)) {  // given a moment ago, by the one who takes them
    assert((gpus.mask & ~*rest) == 0);
    *rest &= ~gpus.mask;
    return;
  }
  const GpuMask free = index_->truth.get(gpus.node.value);
  assert((gpus.mask & ~free) == 0);
  index_->set(gpus.node.value, free & ~gpus.mask);
}

void FreeGpus::give(NodeGpus gpus) {
  if (GpuMask* rest = index_->rest_of_withdrawn(gpus.node.value)) {
    assert((gpus.mask & *rest) == 0);
    *rest |= gpus.mask;
    return;
  }
  const GpuMask free = index_->truth.get(gpus.node.value);
  assert((gpus.mask & free) == 0 && (gpus.mask & ~topology().full(gpus.node)) == 0);
  index_->set(gpus.node.value, free | gpus.mask);
}

void FreeGpus::give_all() { index_->give_all(); }
void FreeGpus::begin_class(ClassId cls) { index_->begin_class(cls); }

void FreeGpus::withdraw(NodeId node) {
  if (++index_->withdrawn.try_emplace(node.value, Index::Withdrawn{0, mask(node)}).first->second.times > 1) return;
  index_->withdrawn_flags.resize(topology().nodes());
  index_->withdrawn_flags[node.value] = 1;
  index_->set(node.value, 0);
}

void FreeGpus::restore(NodeId node) {
  const auto at = index_->withdrawn.find(node.value);
  assert(at != index_->withdrawn.end());
  if (--at->second.times > 0) return;
  index_->set(node.value, at->second.rest);
  index_->withdrawn.erase(at);
  index_->withdrawn_flags[node.value] = 0;
}

bool FreeGpus::any_withdrawn() const { return !index_->withdrawn.empty(); }
bool FreeGpus::any_withdrawn(const GpuSet& gpus) const {
  return any_withdrawn() && std::any_of(gpus.begin(), gpus.end(),
                                        [&](const NodeGpus& part) { return index_->is_withdrawn(part.node.value); });
}

const Topology& FreeGpus::topology() const { return index_->topology; }
const Bins& FreeGpus::bins() const { return index_->bins; }
std::uint32_t FreeGpus::total() const { return index_->total; }
GpuMask FreeGpus::mask(NodeId node) const { return index_->truth.get(node.value); }

const FreeCountIndex& FreeGpus::count_index(ClassId cls) { return index_->count_index(GpuFilter::Type::bin, cls); }

std::uint32_t FreeGpus::total(GpuFilter kind) {
  if (kind.type == GpuFilter::Type::all) return index_->total;
  const auto tree = index_->tree(kind);
  return tree.group.total(tree.bin, tree.up);
}

GpuMask FreeGpus::mask(GpuFilter kind, NodeId node) {
  const GpuMask free = mask(node);
  if (kind.type == GpuFilter::Type::all) return free;
  const auto tree = index_->tree(kind);
  return free & tree.group.members(node.value, tree.bin, tree.up);
}

std::optional<NodeId> FreeGpus::exactly(GpuFilter kind, std::uint32_t n, NodeId from) {
  const auto tree = index_->tree(kind);
  const std::uint32_t node = tree.group.exactly(tree.bin, tree.up, n, from.value);
  if (node == NodeBitmaps::none) return std::nullopt;
  return NodeId(node);
}

std::optional<NodeId> FreeGpus::fewest_at_least(GpuFilter kind, std::uint32_t n) {
  const auto tree = index_->tree(kind);
  if (n > max_gpus_per_node) return std::nullopt;
  const std::uint64_t enough = tree.group.present(tree.bin, tree.up) >> n << n;
  if (enough == 0) return std::nullopt;
  return NodeId(tree.group.exactly(tree.bin, tree.up, static_cast<std::uint32_t>(std::countr_zero(enough)), 0));
}

std::optional<NodeId> FreeGpus::most(GpuFilter kind) {
  const auto tree = index_->tree(kind);
  const std::uint32_t n = tree.group.largest(tree.bin, tree.up);
  if (n == 0) return std::nullopt;
  return NodeId(tree.group.exactly(tree.bin, tree.up, n, 0));
}

std::uint32_t FreeGpus::largest(GpuFilter kind) {
  const auto tree = index_->tree(kind);
  return tree.group.largest(tree.bin, tree.up);
}

std::uint64_t FreeGpus::present(GpuFilter kind) {
  const auto tree = index_->tree(kind);
  return tree.group.present(tree.bin, tree.up);
}

CabinetFree FreeGpus::freest_cabinet(ClassId cls, std::uint32_t bin) {
  if (!index_->needs.cabinets) throw fault("cabinets were not asked for and are queried");
  const auto tree = index_->tree(GpuFilter::up_to(cls, bin));
  const auto freest = tree.group.freest_cabinet(tree.bin);
  const std::uint32_t* begin = index_->cabinet_begin.data() + freest.cabinet;
  return {NodeId(begin[0]), NodeId(begin[1]), freest.gpus};
}

std::size_t FreeGpus::bytes() const { return index_->bytes(); }

const IndexCounts& FreeGpus::counts() const {
  auto& counts = index_->counts;
  counts.updates = counts.moves = 0;
  const auto add = [&](const std::optional<Index::Group>& group) {
    if (!group) return;
    counts.updates += group->counts_by_node.updates();
    counts.moves += group->counts_by_node.moves();
  };
  add(index_->all);
  for (const auto& group : index_->classes) add(group);
  return counts;
}

}  // namespace palstudy
