// SPDX-License-Identifier: MIT
#include "policy/keyed_order.hpp"

namespace palstudy {
namespace {

/// By true time at slowdown 1, whatever the number of GPUs, ties by arrival (Helios, SC'21, artifact).
class Sjf final : public OrderPolicy {
 public:
  void order(const View& view, std::span<JobId> jobs) const override {
    sort_waiting(
        view, jobs, [&](JobId job) { return view.job(job).ideal_s(); }, [](JobId) { return 0.0; });
  }
  [[nodiscard]] bool preemptive() const override { return false; }
  [[nodiscard]] bool knows_durations() const override { return true; }
  [[nodiscard]] double next_change_s(const View& view, std::span<const JobId> ordered) const override {
    return order_change_s(*this, view, ordered);
  }
};

}  // namespace

void register_order_sjf(OrderRegistry& registry) {
  registry.add(
      {"sjf", "shortest job first, by its true time at slowdown 1; no job is stopped", {}, [](const ParamValues&) {
         return std::make_unique<Sjf>();
       }});
}

}  // namespace palstudy
