// SPDX-License-Identifier: MIT
#include "policy/node_promises.hpp"

#include <algorithm>
#include <utility>

namespace palstudy {

ClockSecond NodePromises::remove_promised(ClockSecond from, ClockSecond to, NodeSet& nodes) const {
  ClockSecond next = 0;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    if (piece.end <= from) continue;
    if (next == 0 && i + 1 < pieces_.size() && !piece.nodes.includes(pieces_[i + 1].nodes)) {
      next = piece.end;
    }
    if (piece.begin <= to) {
      nodes &= piece.nodes;
    } else if (next != 0) {
      break;
    }
  }
  return next;
}

bool NodePromises::promised(ClockSecond from, ClockSecond to, const NodeSet& nodes) const {
  return std::any_of(pieces_.begin(), pieces_.end(), [&](const Piece& piece) {
    return piece.begin < to && piece.end > from && !piece.nodes.includes(nodes);
  });
}

void NodePromises::split_at(ClockSecond time) {
  const auto piece = std::find_if(pieces_.begin(), pieces_.end(),
                                  [&](const Piece& one) { return one.begin < time && time < one.end; });
  if (piece == pieces_.end()) return;
  Piece rest = *piece;
  piece->end = rest.begin = time;
  pieces_.insert(piece + 1, std::move(rest));
}

void NodePromises::promise(ClockSecond from, ClockSecond to, const NodeSet& nodes) {
  split_at(from);
  split_at(to);
  for (Piece& piece : pieces_) {
    if (from <= piece.begin && piece.begin < to) piece.nodes -= nodes;
  }
}

}  // namespace palstudy
