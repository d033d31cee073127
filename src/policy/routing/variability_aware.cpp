// SPDX-License-Identifier: MIT
#include <tuple>
#include <vector>

#include "core/numbers.hpp"
#include "policy/routing_policy.hpp"

namespace palstudy {
namespace {

/// PAL's product (Jain et al., SC'24, section IV), asked of whole partitions: the value of the slowest bin that a job
/// would need, were it given the fastest free GPUs of its class, times the penalty of a node if it could fit one, else
/// that of the cluster. Where it would have to wait, the load decides.
class VariabilityAware final : public RoutingPolicy {
 public:
  explicit VariabilityAware(const RoutingContext& context) : penalty_(context.believed_penalty) {
    for (std::size_t c = 0; c < context.bins.classes(); ++c) values_.push_back(context.bins.of(ClassId(c)).values);
  }
  [[nodiscard]] bool needs_bins() const override { return true; }
  [[nodiscard]] PartitionId route(JobId id, const Job& job, const Summaries& summaries) const override {
    return least_partition(
        job, summaries, [&](PartitionId p) { return std::tuple(product(p, id, job, summaries), summaries.load(p)); });
  }

 private:
  [[nodiscard]] double product(PartitionId p, JobId id, const Job& job, const Summaries& summaries) const {
    if (summaries.at(p, Summaries::queued_jobs) > 0) return infinity;
    const auto free = summaries.free_by_bin(p, job.cls);
    std::int64_t found = 0;
    for (std::size_t b = 0; b < free.size(); ++b) {
      found += free[b];
      if (found < job.gpus) continue;
      const bool within = summaries.at(p, Summaries::largest_node) >= job.gpus;
      return values_[job.cls.index()][b] * (within ? penalty_.of(id).node : penalty_.of(id).cluster);
    }
    return infinity;
  }

  Penalties penalty_;
  std::vector<std::vector<double>> values_;  // by class: of its bins
};

}  // namespace

void register_routing_variability_aware(RoutingRegistry& registry) {
  registry.add(
      {"variability-aware",
       "To the partition whose free GPUs promise the least slowdown x locality penalty; else the least loaded.",
       {},
       [](const RoutingContext& context, const ParamValues&) { return std::make_unique<VariabilityAware>(context); }});
}

}  // namespace palstudy
