// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/state/effect.hpp"

namespace palstudy {

/// Nodes that go down, whether jobs run on them or not, or drain, and come up again. Where outages of one node overlap,
/// it is down as long as any says so.
class Outages final : public Effect {
 public:
  explicit Outages(PartitionState& state);

  [[nodiscard]] double next_event_s() const override;
  void advance(double now_s, Changes& changes) override;
  /// The states of the nodes follow from the time.
  void serialize(Fields& f) override;

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

}  // namespace palstudy
