// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "sim/state/effect.hpp"
#include "sim/state/state_archive.hpp"

namespace palstudy {
namespace {

/// Nodes that go down, whether jobs run on them or not, or drain, and come up again. Where outages of one node overlap,
/// it is down as long as any says so.
class Outages final : public WithState<Outages, Effect> {
 public:
  explicit Outages(PartitionState& state);

  [[nodiscard]] double next_event_s() const override {
    return next_ < events_.size() ? events_[next_].time_s : std::numeric_limits<double>::infinity();
  }
  void advance(double now_s, Changes& changes) override;
  /// The states of the nodes follow from the time.
  template <class Archive>
  void serialize(Archive& archive, unsigned version);

 private:
  enum class State : std::uint8_t { up, draining, down };
  struct Event {
    double time_s;
    NodeId node;
    State before, state;  // until then, from then on
  };
  void add_events(std::span<const Outage> of_node);

  PartitionState& state_;
  std::vector<Event> events_;  // by time
  std::size_t next_ = 0;
};

Outages::Outages(PartitionState& state) : state_(state) {
  const std::uint32_t first = state.world.topology.node_of(state.resources.first_gpu).value;
  std::vector<Outage> own;
  for (Outage outage : state.world.outages) {
    if (outage.node.value < first || outage.node.value >= first + state.topology().nodes()) continue;
    outage.node = NodeId(outage.node.value - first);
    own.push_back(outage);
  }
  std::stable_sort(own.begin(), own.end(), [](const Outage& a, const Outage& b) { return a.node < b.node; });
  for (auto begin = own.begin(); begin != own.end();) {
    const auto end = std::find_if(begin, own.end(), [&](const Outage& other) { return other.node != begin->node; });
    add_events({begin, end});
    begin = end;
  }
  std::sort(events_.begin(), events_.end(),
            [](const Event& a, const Event& b) { return std::tie(a.time_s, a.node) < std::tie(b.time_s, b.node); });
}

/// The times at which a node changes its state.
void Outages::add_events(std::span<const Outage> of_node) {
  std::vector<double> times;
  for (const Outage& outage : of_node) times.insert(times.end(), {outage.from_s, outage.to_s});
  std::sort(times.begin(), times.end());
  State before = State::up;
  for (const double time_s : times) {
    State state = State::up;
    for (const Outage& outage : of_node) {
      if (outage.from_s > time_s || time_s >= outage.to_s) continue;
      state = std::max(state, outage.drains ? State::draining : State::down);
    }
    if (state != before) events_.push_back({time_s, of_node.front().node, before, state});
    before = state;
  }
}

void Outages::advance(double now_s, Changes& changes) {
  for (; next_ < events_.size() && events_[next_].time_s <= now_s; ++next_) {
    const Event& event = events_[next_];
    if (event.state == State::down) changes.down.push_back(event.node);
    if (event.state == State::draining) changes.draining.push_back(event.node);
    if (event.before != State::up) changes.up.push_back(event.node);
  }
}

template <class Archive>
void Outages::serialize(Archive& archive, unsigned /*version*/) {
  (archive & next_);
  if constexpr (Archive::is_saving::value) return;
  std::vector<State> states(state_.topology().nodes(), State::up);
  for (std::size_t i = 0; i < next_ && i < events_.size(); ++i) states[events_[i].node.index()] = events_[i].state;
  for (std::uint32_t n = 0; n < states.size(); ++n) {
    if (states[n] != State::up) state_.free.withdraw(NodeId(n));
  }
}

std::unique_ptr<Effect> make_outages(PartitionState& state, Attempts&) { return std::make_unique<Outages>(state); }

}  // namespace

void register_effect_outages(EffectRegistry& registry) {
  registry.add({"outages",
                "Nodes go down, or take no more jobs, and come back: `cluster.outages`.",
                {},
                {.place = 3,
                 .used = [](const World& world) { return !world.outages.empty(); },
                 .make = make_outages,
                 .make_wide = make_outages,
                 .acts = BetweenBoundaries::anything}});
}

}  // namespace palstudy
