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

ClockSecond NodePromises::remove_promised(ClockSecond from, ClockSecond to, NodeSet& nodes) const {
  const std::size_t first = first_after(from);
  for (std::size_t i = first; i < pieces_.size() && pieces_[i].begin <= to; ++i) nodes &= pieces_[i].nodes;
  for (std::size_t i = first; i < pieces_.size(); ++i) {
    if (pieces_[i].releases) return pieces_[i].end;
  }
  return 0;
}

bool NodePromises::promised(ClockSecond from, ClockSecond to, const NodeSet& nodes) const {
  for (std::size_t i = first_after(from); i < pieces_.size() && pieces_[i].begin < to; ++i) {
    if (!pieces_[i].nodes.includes(nodes)) return true;
  }
  return false;
}

/// The place of the first piece that ends after the time, and begins at it or later.
std::size_t NodePromises::split_at(ClockSecond time) {
  const std::size_t i = first_after(time);
  if (i == pieces_.size() || pieces_[i].begin >= time) return i;
  Piece rest = pieces_[i];
  pieces_[i].end = rest.begin = time;
  pieces_[i].releases = false;
  pieces_.insert(pieces_.begin() + static_cast<std::ptrdiff_t>(i) + 1, std::move(rest));
  return i + 1;
}

void NodePromises::promise(ClockSecond from, ClockSecond to, const NodeSet& nodes) {
  const std::size_t first = split_at(from), end = split_at(to);
  for (std::size_t i = first; i < end; ++i) pieces_[i].nodes -= nodes;
  for (std::size_t i = first > 0 ? first - 1 : 0; i < end && i + 1 < pieces_.size(); ++i) {
    pieces_[i].releases = !pieces_[i].nodes.includes(pieces_[i + 1].nodes);
  }
}

}  // namespace palstudy
