// SPDX-License-Identifier: MIT
#include "core/random.hpp"
#include "policy/routing_policy.hpp"

namespace palstudy {
namespace {

/// Each partition draws a ticket for the job and the least wins (rendezvous hashing; Thaler and Ravishankar, 1998), so
/// that a job's partition depends on the job alone, also where some partitions are too small for it.
class Hash final : public RoutingPolicy {
 public:
  explicit Hash(std::uint64_t seed) : seed_(seed) {}
  [[nodiscard]] PartitionId route(JobId id, const Job& job, const Summaries& summaries) const override {
    return least_partition(job, summaries, [&](PartitionId p) {
      const auto words = draw(seed_, Purpose::hash_routing, id.value, p.value);
      return std::uint64_t{words[0]} << 32 | words[1];
    });
  }

 private:
  std::uint64_t seed_;
};

}  // namespace

void register_routing_hash(RoutingRegistry& registry) {
  registry.add(
      {"hash",
       "To a partition drawn for the job by policy.seed, whatever their load.",
       {},
       [](const RoutingContext& context, const ParamValues&) { return std::make_unique<Hash>(context.seed); }});
}

}  // namespace palstudy
