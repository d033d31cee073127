// SPDX-License-Identifier: MIT
#include <limits>

#include "policy/order_policy.hpp"

namespace palstudy {
namespace {

/// By arrival. Nobody is stopped but for a job that has starved (PAL's artifact: priority, then arrival).
class Fifo final : public OrderPolicy {
 public:
  void order(const View& view, std::span<JobId> jobs) const override {
    // Ids are given by ascending submit time, so the jobs come in order.
    (void)view, (void)jobs;
  }
  [[nodiscard]] bool preemptive() const override { return false; }
  void victims(const View& view, JobId job, std::span<const JobId> behind, std::vector<JobId>& out) const override {
    if (view.table.starved(job)) OrderPolicy::victims(view, job, behind, out);
  }
  [[nodiscard]] double next_change_s(const View& view, std::span<const JobId> ordered) const override {
    (void)view, (void)ordered;
    return std::numeric_limits<double>::infinity();
  }
};

}  // namespace

void register_order_fifo(OrderRegistry& registry) {
  registry.add({"fifo",
                "first come, first served; no job is stopped, except for a job that has starved",
                {},
                [](const ParamValues&) { return std::make_unique<Fifo>(); }});
}

}  // namespace palstudy
