// SPDX-License-Identifier: MIT
#include "sim/effects/outages.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace palstudy {

Outages::Outages(PartitionState& state) : state_(state) {
  const std::uint32_t first = state.world.partitioning.first_node(state.resources.id).value;
  std::vector<Outage> own;
  for (const Outage& outage : state.world.outages) {
    if (outage.node.value < first || outage.node.value >= first + state.topology().nodes()) continue;
    own.push_back({NodeId(outage.node.value - first), outage.from_s, outage.to_s});
  }
  std::sort(own.begin(), own.end(),
            [](const Outage& a, const Outage& b) { return std::tie(a.node, a.from_s) < std::tie(b.node, b.from_s); });
  for (std::size_t i = 0; i < own.size(); ++i) {
    double to_s = own[i].to_s;
    const std::size_t first_of_node = i;
    while (i + 1 < own.size() && own[i + 1].node == own[i].node && own[i + 1].from_s <= to_s) {
      to_s = std::max(to_s, own[++i].to_s);
    }
    events_.push_back({own[first_of_node].from_s, own[i].node, true});
    events_.push_back({to_s, own[i].node, false});
  }
  std::sort(events_.begin(), events_.end(), [](const Event& a, const Event& b) {
    return std::tie(a.time_s, a.node, a.down) < std::tie(b.time_s, b.node, b.down);
  });
}

double Outages::next_event_s() const {
  return next_ < events_.size() ? events_[next_].time_s : std::numeric_limits<double>::infinity();
}

void Outages::advance(double now_s, Changes& changes) {
  for (; next_ < events_.size() && events_[next_].time_s <= now_s; ++next_) {
    const Event& event = events_[next_];
    event.down ? changes.node_down(event.node) : changes.node_up(event.node);
  }
}

void Outages::serialize(Fields& f) {
  f(next_);
  if (f.saving()) return;
  std::vector<bool> down(state_.topology().nodes(), false);
  for (std::size_t i = 0; i < next_ && i < events_.size(); ++i) down[events_[i].node.index()] = events_[i].down;
  for (std::uint32_t n = 0; n < down.size(); ++n) {
    if (down[n]) state_.free.withdraw(NodeId(n));
  }
}

void register_effect_outages(EffectRegistry& registry) {
  registry.add(
      {"outages",
       "Nodes go down, or take no more jobs, and come back: `cluster.outages`.",
       {},
       {3, [](const World& world) { return !world.outages.empty(); },
        [](PartitionState& state, Attempts&) -> std::unique_ptr<Effect> { return std::make_unique<Outages>(state); }}});
}

}  // namespace palstudy
