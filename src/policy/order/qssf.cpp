// SPDX-License-Identifier: MIT
#include "policy/keyed_order.hpp"

namespace palstudy {
namespace {

/// Quasi-shortest service first (Helios, SC'21): by predicted GPU time, ties by fewest GPUs, then arrival. As in its
/// artifact, jobs that are submitted at one time and find nobody waiting are served without predictions, fewest GPUs
/// first. `believed`: by GPU time at the slowdown that the job can expect of the partition's GPUs.
class Qssf final : public OrderPolicy {
 public:
  explicit Qssf(bool believed) : believed_(believed) {}

  void order(const View& view, std::span<JobId> jobs) const override {
    const bool unpredicted = newcomers_alone(view, jobs);
    sort_waiting(
        view, jobs, [&](JobId job) { return unpredicted ? 0.0 : key(view, job); },
        [&](JobId job) { return static_cast<double>(view.job(job).gpus); });
  }
  [[nodiscard]] bool preemptive() const override { return false; }
  [[nodiscard]] bool predicts() const override { return true; }
  /// What newcomers were not ordered by counts from the next boundary on.
  [[nodiscard]] double next_change_s(const View& view, std::span<const JobId> ordered) const override {
    return newcomers_alone(view, ordered) ? view.now_s : order_change_s(*this, view, ordered);
  }

 private:
  [[nodiscard]] double key(const View& view, JobId id) const {
    const Job& job = view.job(id);
    return view.predicted_gpu_s(id) * (believed_ ? view.expected_slowdown.slowest(job.cls, job.gpus) : 1.0);
  }

  /// Whether the jobs that wait, or have just started, are several, were submitted at one time, and are served for the
  /// first time.
  static bool newcomers_alone(const View& view, std::span<const JobId> jobs) {
    double submit_s = nan;
    std::size_t newcomers = 0;
    for (const JobId job : jobs) {
      if (view.table.running(job) && view.table.course(job).held_since_s < view.now_s) continue;
      if (newcomers++ == 0) submit_s = view.job(job).submit_s;
      if (view.job(job).submit_s != submit_s) return false;
    }
    return newcomers > 1 && view.now_s - submit_s < view.round_s;
  }

  bool believed_;
};

}  // namespace

void register_order_qssf(OrderRegistry& registry) {
  registry.add(
      {"qssf", "least predicted GPU time first (workload.predictor); no job is stopped", {}, [](const ParamValues&) {
         return std::make_unique<Qssf>(false);
       }});
  registry.add({"qssf-believed",
                "least predicted GPU time at the believed slowdown that the job can expect first; no job is stopped",
                {},
                [](const ParamValues&) { return std::make_unique<Qssf>(true); }});
}

}  // namespace palstudy
