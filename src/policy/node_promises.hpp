// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "cluster/node_set.hpp"

namespace palstudy {

/// Seconds of the clock, whole.
using ClockSecond = std::int64_t;
inline constexpr ClockSecond clock_minute_s = 60;

/// The nodes of a partition that a backfill pass has promised to no job, from now to the end of its window: pieces of
/// time with a set of nodes each. A promise takes its nodes whole (Slurm 22.05, recorded: tests/golden/runs/slurm).
class NodePromises {
 public:
  /// Nothing is promised on `nodes` from `now` to `end`.
  NodePromises(ClockSecond now, ClockSecond end, const NodeSet& nodes) : pieces_{{now, end, nodes, false}} {}

  /// Takes out of `nodes` those that are promised in a piece that begins by `to` and ends after `from`. The first end
  /// of a piece after `from` behind which some node is promised no longer; 0: there is none.
  ClockSecond remove_promised(ClockSecond from, ClockSecond to, NodeSet& nodes) const;
  /// Whether one of the nodes is promised at some time from `from` to `to`, `to` not included.
  [[nodiscard]] bool promised(ClockSecond from, ClockSecond to, const NodeSet& nodes) const;
  /// Promises the nodes from `from` to `to`, `to` not included.
  void promise(ClockSecond from, ClockSecond to, const NodeSet& nodes);

 private:
  struct Piece {
    ClockSecond begin, end;
    NodeSet nodes;          // that are not promised
    bool releases = false;  // the next piece has a node that this one has not
  };
  std::size_t split_at(ClockSecond time);
  [[nodiscard]] std::size_t first_after(ClockSecond time) const;

  std::vector<Piece> pieces_;  // ascending, without gaps
};

}  // namespace palstudy
