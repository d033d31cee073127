// SPDX-License-Identifier: MIT
// Promises of nodes against a list of the open nodes in each second.
#include "policy/node_promises.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/random.hpp"

namespace palstudy {
namespace {

constexpr ClockSecond promises_begin = 1000, promises_end = 1200;
constexpr std::uint32_t many_nodes = 70;  // more than a word has bits

struct Seconds {
  std::vector<NodeSet> open = std::vector<NodeSet>(promises_end - promises_begin, NodeSet::all(many_nodes));

  void promise(ClockSecond from, ClockSecond to, const NodeSet& taken) {
    for (ClockSecond s = from; s < to; ++s) open[static_cast<std::size_t>(s - promises_begin)] -= taken;
  }
  [[nodiscard]] bool promised(ClockSecond from, ClockSecond to, const NodeSet& some) const {
    bool any = false;
    for (ClockSecond s = from; s < to; ++s)
      any = any || !open[static_cast<std::size_t>(s - promises_begin)].includes(some);
    return any;
  }
  /// The nodes that are promised at no second from `from` to `to`, that second included.
  [[nodiscard]] NodeSet free(ClockSecond from, ClockSecond to) const {
    NodeSet all = NodeSet::all(many_nodes);
    for (ClockSecond s = from; s <= to && s < promises_end; ++s)
      all &= open[static_cast<std::size_t>(s - promises_begin)];
    return all;
  }
  /// The first second after `from` at which a node is open that was not in the second before.
  [[nodiscard]] ClockSecond opening_after(ClockSecond from) const {
    for (ClockSecond s = from + 1; s < promises_end; ++s) {
      const auto i = static_cast<std::size_t>(s - promises_begin);
      if (!open[i - 1].includes(open[i])) return s;
    }
    return 0;
  }
};

TEST(NodePromises, AreThoseOfEachSecond) {
  RandomStream random(5, Purpose::job_shape, 0);
  for (int round = 0; round < 100; ++round) {
    NodePromises promises(promises_begin, promises_end, NodeSet::all(many_nodes));
    Seconds seconds;
    for (int i = 0; i < 12; ++i) {
      const ClockSecond from = promises_begin + 10 * random.below(15), to = from + 1 + random.below(40);
      NodeSet some(many_nodes);
      const std::uint32_t of = round % 2 == 0 ? many_nodes : 4;  // of few, promises follow each other on the same ones
      for (int n = 0; n < 5; ++n) some.insert(NodeId(random.below(of)));
      EXPECT_EQ(promises.promised(from, to, some), seconds.promised(from, to, some));
      NodeSet found = NodeSet::all(many_nodes);
      EXPECT_EQ(promises.remove_promised(from, to, found), seconds.opening_after(from));
      EXPECT_EQ(found, seconds.free(from, to));
      promises.promise(from, to, some);
      seconds.promise(from, to, some);
    }
  }
}

}  // namespace
}  // namespace palstudy
