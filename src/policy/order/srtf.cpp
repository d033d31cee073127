// SPDX-License-Identifier: MIT
#include "policy/keyed_order.hpp"

namespace palstudy {
namespace {

/// Shortest remaining time first: nominal duration less seconds run, blind to slowdown and possibly negative, as
/// published (PAL's artifact, srtf scheduler).
class Srtf final : public OrderPolicy {
 public:
  void order(const View& view, std::span<JobId> jobs) const override {
    sort_by_key(jobs, [&](JobId job) { return remaining_s(view, job); });
  }
  [[nodiscard]] bool preemptive() const override { return true; }
  [[nodiscard]] double next_change_s(const View& view, std::span<const JobId> ordered) const override {
    // A running job shrinks towards a waiting one before it.
    return next_meeting_s(
        view, ordered, [&](JobId job) { return remaining_s(view, job); },
        [&](JobId first, JobId second) { return !view.table.running(first) && view.table.running(second); });
  }

 private:
  static double remaining_s(const View& view, JobId id) {
    const Job& job = view.job(id);
    return job.iteration_s * job.iterations - view.table.attained_s(id, view.now_s);
  }
};

}  // namespace

void register_order_srtf(OrderRegistry& registry) {
  registry.add({"srtf",
                "shortest remaining time: nominal duration less seconds run; stops others for the shortest",
                {},
                [](const ParamValues&) { return std::make_unique<Srtf>(); }});
}

}  // namespace palstudy
