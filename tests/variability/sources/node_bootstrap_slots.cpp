// SPDX-License-Identifier: MIT
// Generated nodes whose size no measured node has: which slots of which measured node they take.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "variability/drawn.hpp"
#include "variability/made_up.hpp"

namespace palstudy {
namespace {

constexpr std::uint32_t donor_hosts = 24, slots = 8, marked = 12;

// Hosts of eight GPUs, nearly all exactly alike, so that the spread between the quartiles is 0, nothing is smoothed and
// every value comes through as it was measured. Each of the first twelve hosts has two neighbouring GPUs that no other
// resembles; their slots go round over the hosts.
std::uint32_t first_mark(std::uint32_t host) { return host % slots; }
double mark(std::uint32_t host, std::uint32_t which) { return 2 + 0.1 * host + 0.05 * which; }

Measurements marked_hosts() {
  Measurements m = made_up::machine("m", 0, donor_hosts, slots);
  for (auto& gpu : m.gpus) {
    const auto host = static_cast<std::uint32_t>(std::stoi(gpu.host.substr(4)));
    const std::uint32_t after = (static_cast<std::uint32_t>(gpu.local) + slots - first_mark(host)) % slots;
    gpu.median = host < marked && after < 2 ? 1000 * mark(host, after) : 1000;
    gpu.times_ms = {gpu.median};
  }
  return m;
}

/// The slowdowns of `nodes` nodes of `size`, node by node.
std::vector<std::vector<double>> drawn(std::uint32_t nodes, std::uint32_t size) {
  const Measurements m = marked_hosts();
  const Slowdowns slowdowns = draw_cluster("block", {{"A", &m}}, made_up::cluster(nodes, size), 3).slowdowns;
  const auto values = slowdowns.of(ClassId(0));
  std::vector<std::vector<double>> all;
  for (std::uint32_t n = 0; n < nodes; ++n) {
    all.emplace_back(values.begin() + n * size, values.begin() + (n + 1) * size);
  }
  return all;
}

/// At which of the GPUs [from, to) of a node the mark stands; `to` if at none.
std::uint32_t place_of(const std::vector<double>& node, double value, std::uint32_t from, std::uint32_t to) {
  const auto begin = node.begin() + from, end = node.begin() + to;
  const auto at = std::find_if(begin, end, [&](double one) { return std::abs(one - value) < 1e-9; });
  return static_cast<std::uint32_t>(at - node.begin());
}

// A node of one GPU takes any slot of any host: each of the 192 as often. 96,000 draws give each 500, with a standard
// deviation of 22.3; the chi-square of the 24 marks has 24 degrees of freedom, 99.99 % of it lies under 60.
TEST(BlockSlots, ANodeOfOneTakesEverySlotAsOften) {
  const double expected = 500;
  std::vector<std::vector<double>> nodes = drawn(donor_hosts * slots * 500, 1);
  double chi_square = 0;
  for (std::uint32_t host = 0; host < marked; ++host) {
    for (const std::uint32_t which : {0U, 1U}) {
      const auto count = static_cast<double>(std::count_if(
          nodes.begin(), nodes.end(), [&](const auto& node) { return place_of(node, mark(host, which), 0, 1) == 0; }));
      chi_square += (count - expected) * (count - expected) / expected;
    }
  }
  EXPECT_LT(chi_square, 60);
}

// A node of six takes six neighbours, going round, from any slot on: a mark stands at each of the six places as often,
// or at none in 2 of 8 cases, and the mark of the next slot at the next place. Of 48,000 nodes 2,000 are of each host:
// 250 for each place (standard deviation 15; over the twelve hosts 3,000 and 51).
TEST(BlockSlots, ANodeOfSixTakesNeighboursFromARandomSlotOn) {
  std::map<std::uint32_t, double> at;
  for (const auto& node : drawn(48000, 6)) {
    for (std::uint32_t host = 0; host < marked; ++host) {
      const std::uint32_t first = place_of(node, mark(host, 0), 0, 6), second = place_of(node, mark(host, 1), 0, 6);
      if (first == 6 && second == 6) continue;
      ++at[first];
      // At the last place the next slot is not taken any more; without the first mark the node begins behind it.
      EXPECT_EQ(second, first == 5 ? 6U : first == 6 ? 0U : first + 1);
    }
  }
  for (std::uint32_t place = 0; place <= 6; ++place) EXPECT_NEAR(at[place], 3000, 5 * 51) << place;
}

// A node of twelve is a whole measured node, in its own order, and four neighbours of another from a random slot on.
TEST(BlockSlots, ANodeOfTwelveIsAWholeNodeAndAPartOfAnother) {
  double whole = 0, both_same = 0;
  std::map<std::uint32_t, double> at;
  for (const auto& node : drawn(48000, 12)) {
    std::uint32_t first_host = donor_hosts;
    for (std::uint32_t host = 0; host < marked; ++host) {
      const std::uint32_t first = place_of(node, mark(host, 0), 0, 8);
      if (first == 8) continue;
      EXPECT_EQ(first, first_mark(host));
      EXPECT_EQ(place_of(node, mark(host, 1), 0, 8), (first_mark(host) + 1) % slots);
      first_host = host;
      ++whole;
    }
    for (std::uint32_t host = 0; host < marked; ++host) {
      const std::uint32_t first = place_of(node, mark(host, 0), 8, 12);
      if (first == 12) continue;
      ++at[first];
      both_same += host == first_host ? 1 : 0;
    }
  }
  EXPECT_NEAR(whole, 24000, 5 * 110);
  for (std::uint32_t place = 8; place < 12; ++place) EXPECT_NEAR(at[place], 3000, 5 * 53) << place;
  EXPECT_NEAR(both_same, 48000 * 0.5 / 24 / 2,
              5 * 22);  // the second is drawn again: once in 24 the same, half of it seen
}

}  // namespace
}  // namespace palstudy
