// SPDX-License-Identifier: MIT
// Thousands of random histories of small random clusters: the index of free GPUs against its slow twin, and every
// placement policy that chooses by rules against these rules on plain lists. A history that fails is shrunk: what it
// fails without is left out before it is printed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <optional>

#include "cluster/random_bins.hpp"
#include "cluster/slow_free_gpus.hpp"
#include "policy/slow_placer.hpp"
#include "shrink.hpp"

namespace palstudy {
namespace {

/// One step; what it does is made from `random` and the state at hand, so that any subset of steps is a history.
struct Step {
  enum class What { place, leave, boundary, withdraw_or_restore, ask } what = What::place;
  std::uint32_t random = 0;
};

/// A cluster of 1 to 64 GPUs, its bins and what is believed of its network, by number.
struct Cluster {
  explicit Cluster(std::uint64_t seed) : stream(seed, Purpose::cluster_draw, 0) {
    std::vector<NodeGroup> groups;
    for (std::uint32_t i = 0, kinds = 1 + stream.below(2); i < kinds; ++i)
      groups.push_back({1 + stream.below(6), 1 + stream.below(stream.below(4) == 0 ? 12 : 5)});
    topology.emplace(groups, 1 + stream.below(5));
    std::vector<std::uint32_t> counts;
    for (std::uint32_t c = 0, classes = 1 + stream.below(3); c < classes; ++c)
      counts.push_back(1 + stream.below(std::min<std::uint32_t>(stream.below(5) == 0 ? 12 : 5, topology->gpus())));
    bins.emplace(random_bins(topology->gpus(), counts, stream));
    // Equal and falling ones as well: ties, and a spread that is worth its while.
    const double factors[] = {1, 1, 1.05, 1.1, 1.3, 1.7, 0.9};
    for (LocalityPenalty* each : {&penalty, &other}) {
      each->node = stream.below(4) == 0 ? 1.1 : 1;
      each->cabinet = factors[stream.below(7)];
      each->cluster = stream.below(3) == 0 ? each->cabinet : factors[stream.below(7)];
    }
  }
  RandomStream stream;
  std::optional<Topology> topology;
  std::optional<Bins> bins;
  LocalityPenalty penalty, other;  ///< of one job, and of another
};

std::vector<Step> random_steps(RandomStream& stream) {
  std::vector<Step> steps;
  for (std::uint32_t i = 5 + stream.below(20); i > 0; --i) {
    const std::uint32_t dice = stream.below(12);
    using enum Step::What;
    steps.push_back({dice < 5    ? place
                     : dice < 8  ? leave
                     : dice < 9  ? boundary
                     : dice < 10 ? withdraw_or_restore
                                 : ask,
                     stream.word()});
  }
  return steps;
}

/// Leads a policy on the index and its twins through steps.
class Replay {
 public:
  Replay(const std::string& policy, const Cluster& cluster)
      : name_(policy),
        topology_(*cluster.topology),
        bins_(*cluster.bins),
        policy_(placements().at(policy).make({topology_, bins_, Penalties({cluster.penalty, cluster.other}, {0, 1}), 1},
                                             {})),
        needs_(policy_->needs()),
        free_(topology_, bins_, needs_),
        slow_free_(topology_, bins_),
        slow_{SlowPlacer(topology_, bins_, cluster.penalty), SlowPlacer(topology_, bins_, cluster.other)} {}

  /// What goes wrong first; "" if nothing does.
  std::string run(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      RandomStream random(step.random, Purpose::job_shape, 0);
      switch (step.what) {
        case Step::What::place:
          place(any_class(random), any_size(random));
          break;
        case Step::What::leave:
          leave(random);
          break;
        case Step::What::boundary:
          boundary(random);
          break;
        case Step::What::withdraw_or_restore:
          withdraw_or_restore(NodeId(random.below(topology_.nodes())));
          break;
        case Step::What::ask:
          ask(random);
      }
      if (!wrong_.empty()) break;
    }
    return wrong_;
  }

 private:
  ClassId any_class(RandomStream& random) const {
    return ClassId(random.below(static_cast<std::uint32_t>(bins_.classes())));
  }
  std::uint32_t any_size(RandomStream& random) const {
    return 1 + random.below(random.below(3) == 0 ? topology_.gpus() : topology_.widest_node() + 1);
  }
  [[nodiscard]] Gpus ids(const GpuSet& set) const {
    Gpus gpus;
    for (const NodeGpus& part : set) {
      for (GpuMask rest = part.mask; rest != 0; rest &= rest - 1)
        gpus.push_back(topology_.first_gpu(part.node).value + static_cast<std::uint32_t>(std::countr_zero(rest)));
    }
    std::sort(gpus.begin(), gpus.end());
    return gpus;
  }
  void place(ClassId cls, std::uint32_t n) {
    GpuSet all, chosen;
    for (std::uint32_t node = 0; node < topology_.nodes(); ++node)
      all.push_back({NodeId(node), slow_free_.mask(GpuFilter::all(), NodeId(node))});
    job_ = 1 - job_;  // two jobs, two penalties, in turn
    const auto expected = slow_.at(job_).place(name_, cls, n, ids(all));
    const bool fits = policy_->choose({JobId(job_), cls, n, 0}, free_, chosen);
    if (fits != expected.has_value() || (fits && ids(chosen) != *expected)) {
      wrong_ = fmt::format("{} GPUs for class {}: {} instead of {}", n, cls.value, fmt::join(ids(chosen), " "),
                           expected ? fmt::format("{}", fmt::join(*expected, " ")) : "none");
    }
    if (!fits) return;
    canonicalize(chosen);
    for (const NodeGpus& part : chosen) free_.take(part), slow_free_.take(part);
    running_.push_back(chosen);
  }
  void leave(RandomStream& random) {
    if (running_.empty()) return;
    const auto job = running_.begin() + random.below(static_cast<std::uint32_t>(running_.size()));
    for (const NodeGpus& part : *job) free_.give(part), slow_free_.give(part);
    running_.erase(job);
  }
  /// Everything is given back, then jobs are placed class by class.
  void boundary(RandomStream& random) {
    free_.give_all();
    slow_free_.give_all();
    running_.clear();
    for (std::uint32_t c = 0; c < bins_.classes(); ++c) {
      free_.begin_class(ClassId(c));
      for (std::uint32_t jobs = random.below(4); jobs > 0 && wrong_.empty(); --jobs)
        place(ClassId(c), any_size(random));
    }
  }
  void withdraw_or_restore(NodeId node) {
    if (slow_free_.withdrawn(node)) {
      free_.restore(node), slow_free_.restore(node);
    } else {
      free_.withdraw(node), slow_free_.withdraw(node);
    }
  }
  void ask(RandomStream& random) {
    const ClassId cls = any_class(random);
    const std::uint32_t bin = random.below(bins_.bins(cls));
    if (needs_.counts) ask(GpuFilter::all(), random);
    if (needs_.exact_bins) ask(GpuFilter::bin(cls, bin), random);
    if (needs_.bins_up_to) ask(GpuFilter::up_to(cls, bin), random);
    if (needs_.cabinets && free_.freest_cabinet(cls, bin) != slow_free_.freest_cabinet(GpuFilter::up_to(cls, bin)))
      wrong_ = fmt::format("the freest cabinet for class {}, bin {}", cls.value, bin);
  }
  void ask(GpuFilter kind, RandomStream& random) {
    const NodeId node(random.below(topology_.nodes()));
    const std::uint32_t n = 1 + random.below(topology_.widest_node());
    const bool same = free_.total(kind) == slow_free_.total(kind) &&
                      free_.mask(kind, node) == slow_free_.mask(kind, node) &&
                      free_.exactly(kind, n, node) == slow_free_.exactly(kind, n, node) &&
                      free_.fewest_at_least(kind, n) == slow_free_.fewest_at_least(kind, n) &&
                      free_.most(kind) == slow_free_.most(kind) && free_.largest(kind) == slow_free_.largest(kind) &&
                      free_.present(kind) == slow_free_.present(kind);
    if (!same) wrong_ = fmt::format("the index on {} GPUs, from node {} on", n, node.value);
  }

  std::string name_;
  const Topology& topology_;
  const Bins& bins_;
  std::unique_ptr<PlacementPolicy> policy_;
  IndexNeeds needs_;
  FreeGpus free_;
  SlowFreeGpus slow_free_;
  std::array<SlowPlacer, 2> slow_;  ///< by job
  std::size_t job_ = 0;
  std::vector<GpuSet> running_;
  std::string wrong_;
};

class RandomHistories : public testing::TestWithParam<const char*> {};

TEST_P(RandomHistories, AgreeWithTheSlowTwins) {
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Cluster cluster(seed);
    const auto wrong = [&](const std::vector<Step>& steps) { return Replay(GetParam(), cluster).run(steps); };
    std::vector<Step> steps = random_steps(cluster.stream);
    if (wrong(steps).empty()) continue;
    steps = shrink(steps, [&](const std::vector<Step>& fewer) { return !wrong(fewer).empty(); });
    std::string told;
    for (const Step& step : steps) told += fmt::format("  {{{}, {}}}\n", static_cast<int>(step.what), step.random);
    FAIL() << GetParam() << ", cluster " << seed << ": " << wrong(steps) << ", after these steps:\n" << told;
  }
}

INSTANTIATE_TEST_SUITE_P(Policies, RandomHistories,
                         testing::Values("pal", "pal-levels", "pal-sticky", "pm-first", "packed-sticky",
                                         "packed-nonsticky"));

// The shrinker itself: of 40 numbers the sum exceeds 100 already with the two of 60, which is what is left.
TEST(Shrink, LeavesWhatMatters) {
  std::vector<int> numbers(40, 1);
  numbers[7] = numbers[29] = 60;
  const auto left = shrink(numbers, [](const std::vector<int>& some) {
    int sum = 0;
    for (const int number : some) sum += number;
    return sum > 100;
  });
  EXPECT_EQ(left, (std::vector<int>{60, 60}));
}

}  // namespace
}  // namespace palstudy
