// SPDX-License-Identifier: MIT
#include "policy/node_promises.hpp"

#include <algorithm>
#include <utility>

namespace palstudy {

/// The place of the first piece that ends after a time.
std::size_t NodePromises::first_after(ClockSecond time) const {
  const auto piece = std::ranges::partition_point(pieces_, [&](const Piece& one) { return one.end <= time; });
  return static_cast<std::size_t>(piece - pieces_.begin());
}

/// Whether some node is promised in a piece and not in the next.
bool NodePromises::releases(std::size_t piece) const {
  return piece + 1 < pieces_.size() && !pieces_[piece].nodes.includes(pieces_[piece + 1].nodes);
}

ClockSecond NodePromises::remove_promised(ClockSecond from, ClockSecond to, NodeSet& nodes) const {
  ClockSecond next = 0;
  for (std::size_t i = first_after(from); i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    if (next == 0 && releases(i)) next = piece.end;
    if (piece.begin <= to) {
      nodes &= piece.nodes;
    } else if (next != 0) {
      break;
    }
  }
  return next;
}

bool NodePromises::promised(ClockSecond from, ClockSecond to, const NodeSet& nodes) const {
  for (std::size_t i = first_after(from); i < pieces_.size() && pieces_[i].begin < to; ++i) {
    if (!pieces_[i].nodes.includes(nodes)) return true;
  }
  return false;
}

void NodePromises::split_at(ClockSecond time) {
  const std::size_t i = first_after(time);
  if (i == pieces_.size() || pieces_[i].begin >= time) return;
  Piece rest = pieces_[i];
  pieces_[i].end = rest.begin = time;
  pieces_.insert(pieces_.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(rest));
}

void NodePromises::promise(ClockSecond from, ClockSecond to, const NodeSet& nodes) {
  split_at(from);
  split_at(to);
  for (std::size_t i = first_after(from); i < pieces_.size() && pieces_[i].begin < to; ++i) {
    pieces_[i].nodes -= nodes;
  }
}

}  // namespace palstudy
