// SPDX-License-Identifier: MIT
// That this build has what it is made for: assertions of the index of free GPUs, and the engine's invariants after
// every boundary. Linked with the tests of sim, whose helpers it uses.
#include <gtest/gtest.h>

#include <string>

#include "core/error.hpp"
#include "sim/small_world.hpp"

namespace palstudy {
namespace {

/// Chooses one GPU fewer than were asked for.
class OneTooFew final : public PlacementPolicy {
 public:
  explicit OneTooFew(PlacementPolicy& of) : of_(of) {}
  [[nodiscard]] bool sticky() const override { return of_.sticky(); }
  [[nodiscard]] IndexNeeds needs() const override { return of_.needs(); }
  bool choose(const Request& request, FreeGpus& free, GpuSet& out) override {
    Request less = request;
    --less.gpus;
    return of_.choose(less, free, out);
  }

 private:
  PlacementPolicy& of_;
};

std::string said_of(const SmallWorld& world) {
  LocalExchange alone;
  try {
    (void)world.with_world([&](const World& of, const Policies& policies) {
      OneTooFew wrong(policies.placement);
      return simulate(of, {policies.order, wrong, policies.routing}, alone);
    });
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

// Nothing else looks at how many GPUs a placement has chosen, so without the invariants the run ends as if all were
// well.
TEST(ChecksAreOn, AfterEveryBoundary) {
  SmallWorld world;
  world.measure.last = 0;
  world.add(0, 3, 100);
  EXPECT_NE(said_of(world).find("a job does not hold what it asked for"), std::string::npos) << said_of(world);
}

// A GPU that is taken twice is a slip that only an assertion sees at once.
TEST(ChecksAreOnDeathTest, InTheIndexOfFreeGpus) {
  const Topology topology(std::vector<NodeGroup>{{1, 4}}, 1);
  const Bins bins(Slowdowns::flat({"A"}, 4), {});
  FreeGpus free(topology, bins, {});
  free.take({NodeId(0), 1});
  EXPECT_DEATH(free.take({NodeId(0), 1}), "Assertion");
}

}  // namespace
}  // namespace palstudy
