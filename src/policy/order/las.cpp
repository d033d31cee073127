// SPDX-License-Identifier: MIT
#include "policy/keyed_order.hpp"

namespace palstudy {
namespace {

/// Least attained service first: seconds run so far, not GPU-seconds, as published (PAL's artifact, las scheduler).
class Las final : public OrderPolicy {
 public:
  void order(const View& view, std::span<JobId> jobs) const override {
    sort_by_key(jobs, [&](JobId job) { return view.table.attained_s(job, view.now_s); });
  }
  [[nodiscard]] bool preemptive() const override { return true; }
  [[nodiscard]] double next_change_s(const View& view, std::span<const JobId> ordered) const override {
    // A running job grows towards a waiting one after it.
    return next_overtaking_s(
        view, ordered, [&](JobId job) { return view.table.attained_s(job, view.now_s); },
        [&](JobId first, JobId second) { return view.table.running(first) && !view.table.running(second); });
  }
};

}  // namespace

void register_order_las(OrderRegistry& registry) {
  registry.add({"las",
                "least attained service: the job that has run for the fewest seconds first; stops others for it",
                {},
                [](const ParamValues&) { return std::make_unique<Las>(); }});
}

}  // namespace palstudy
