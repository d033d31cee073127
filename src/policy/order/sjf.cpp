// SPDX-License-Identifier: MIT
#include "policy/keyed_order.hpp"

namespace palstudy {
namespace {

/// By one number of a job that never changes, ties by arrival; no job is stopped.
class ByJob final : public OrderPolicy {
 public:
  using Key = double (*)(const Job&);
  ByJob(Key key, bool by_duration) : key_(key), by_duration_(by_duration) {}

  void order(const View& view, std::span<JobId> jobs) const override {
    sort_waiting(
        view, jobs, [&](JobId job) { return key_(view.job(job)); }, [](JobId) { return 0.0; });
  }
  [[nodiscard]] bool preemptive() const override { return false; }
  [[nodiscard]] bool knows_durations() const override { return by_duration_; }
  [[nodiscard]] double next_change_s(const View& view, std::span<const JobId> ordered) const override {
    return order_change_s(*this, view, ordered);
  }

 private:
  Key key_;
  bool by_duration_;
};

}  // namespace

void register_order_sjf(OrderRegistry& registry) {
  // Whatever the number of GPUs (Helios, SC'21, artifact).
  registry.add(
      {"sjf", "shortest job first, by its true time at slowdown 1; no job is stopped", {}, [](const ParamValues&) {
         return std::make_unique<ByJob>([](const Job& job) { return job.ideal_s(); }, true);
       }});
  // The baseline of `qssf`, which is this order where all predictions are equal.
  registry.add({"fewest-gpus", "the job with the fewest GPUs first; no job is stopped", {}, [](const ParamValues&) {
                  return std::make_unique<ByJob>([](const Job& job) { return static_cast<double>(job.gpus); }, false);
                }});
}

}  // namespace palstudy
