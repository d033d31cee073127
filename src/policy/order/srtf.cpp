// SPDX-License-Identifier: MIT
#include "core/numbers.hpp"
#include "policy/keyed_order.hpp"

namespace palstudy {
namespace {

/// Shortest remaining time first: nominal duration less seconds run, blind to slowdown and possibly negative, as
/// published (PAL's artifact, srtf scheduler); or that times the number of GPUs (Tiresias' simulator, shortest-gpu).
class Srtf final : public OrderPolicy {
 public:
  explicit Srtf(bool times_gpus) : times_gpus_(times_gpus) {}
  void order(const View& view, std::span<JobId> jobs) const override {
    sort_by_key(jobs, [&](JobId job) { return weight(view, job) * remaining_s(view, job); });
  }
  [[nodiscard]] bool preemptive() const override { return true; }
  [[nodiscard]] bool knows_durations() const override { return true; }
  [[nodiscard]] double next_change_s(const View& view, std::span<const JobId> ordered) const override {
    // Running jobs shrink by their weight towards those before them that shrink more slowly.
    double least_s = infinity;
    for (std::size_t i = 1; i < ordered.size(); ++i) {
      const JobId first = ordered[i - 1], second = ordered[i];
      const double closing = speed(view, second) - speed(view, first);
      if (!(closing > 0)) continue;
      const double gap =
          weight(view, second) * remaining_s(view, second) - weight(view, first) * remaining_s(view, first);
      least_s = std::min(least_s, gap / closing);
    }
    return view.now_s + std::max(least_s, 0.0);
  }

 private:
  [[nodiscard]] double weight(const View& view, JobId job) const { return times_gpus_ ? view.job(job).gpus : 1.0; }
  [[nodiscard]] double speed(const View& view, JobId job) const {
    return view.table.running(job) ? weight(view, job) : 0.0;
  }
  static double remaining_s(const View& view, JobId id) {
    const Job& job = view.job(id);
    return job.iteration_s * job.iterations - view.table.attained_s(id, view.now_s);
  }

  bool times_gpus_;
};

}  // namespace

void register_order_srtf(OrderRegistry& registry) {
  registry.add({"srtf",
                "shortest remaining time: nominal duration less seconds run; stops others for the shortest",
                {},
                [](const ParamValues&) { return std::make_unique<Srtf>(false); }});
  registry.add(
      {"srtf-gpu",
       "shortest remaining GPU time: what srtf orders by, times the number of GPUs; stops others for the shortest",
       {},
       [](const ParamValues&) { return std::make_unique<Srtf>(true); }});
}

}  // namespace palstudy
