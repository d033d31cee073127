// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <vector>

#include "sim/state/effect.hpp"

namespace palstudy {

/// Nodes that go down, whether jobs run on them or not, and come up again. Outages of one node that overlap are one.
class Outages final : public Effect {
 public:
  explicit Outages(PartitionState& state);

  [[nodiscard]] double next_event_s() const override;
  void advance(double now_s, Changes& changes) override;
  /// The nodes that are down follow from the time.
  void serialize(Fields& f) override;

 private:
  struct Event {
    double time_s;
    NodeId node;
    bool down;
  };
  PartitionState& state_;
  std::vector<Event> events_;  // by time
  std::size_t next_ = 0;
};

}  // namespace palstudy
