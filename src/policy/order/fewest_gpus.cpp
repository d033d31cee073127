// SPDX-License-Identifier: MIT
#include "policy/keyed_order.hpp"

namespace palstudy {
namespace {

/// By number of GPUs, ties by arrival: the baseline of `qssf`, which is this order where all predictions are equal.
class FewestGpus final : public OrderPolicy {
 public:
  void order(const View& view, std::span<JobId> jobs) const override {
    sort_waiting(
        view, jobs, [&](JobId job) { return static_cast<double>(view.job(job).gpus); }, [](JobId) { return 0.0; });
  }
  [[nodiscard]] bool preemptive() const override { return false; }
  [[nodiscard]] double next_change_s(const View& view, std::span<const JobId> ordered) const override {
    return order_change_s(*this, view, ordered);
  }
};

}  // namespace

void register_order_fewest_gpus(OrderRegistry& registry) {
  registry.add({"fewest-gpus", "the job with the fewest GPUs first; no job is stopped", {}, [](const ParamValues&) {
                  return std::make_unique<FewestGpus>();
                }});
}

}  // namespace palstudy
