// SPDX-License-Identifier: MIT
#include <cmath>

#include "policy/backfill_policy.hpp"
#include "policy/capacity_profile.hpp"

namespace palstudy {
namespace {

/// Two passes, as Slurm's documentation of sched/backfill has them. The main pass starts the first jobs of the order
/// until one does not fit. The backfill pass, every `backfill_interval_s`, gives the first `depth` jobs reservations,
/// made from nothing: later passes may give worse ones.
class SlurmLike final : public BackfillPolicy {
 public:
  explicit SlurmLike(const ParamValues& values)
      : depth_(static_cast<std::size_t>(values.number("backfill_depth"))),
        resolution_s_(values.number("backfill_resolution_s")),
        window_s_(values.number("backfill_window_s")),
        passes_(values.number("backfill_interval_s")) {}

  void decide(BackfillTurn& turn) const override {
    const auto jobs = turn.waiting.first(std::min(depth_, turn.waiting.size()));
    std::size_t next = 0;
    while (next < jobs.size() && turn.start(jobs[next]).placed) ++next;
    if (pass_due(turn)) backfill(turn, jobs.subspan(next));
  }

  [[nodiscard]] double next_change_s(double now_s, std::span<const Reservation>) const override {
    return passes_.time_s(passes_.after(now_s));
  }

 private:
  /// Whether a multiple of the interval is now, or has come since the boundary before.
  [[nodiscard]] bool pass_due(const BackfillTurn& turn) const {
    const double round_s = turn.rounds.round_s();
    if (round_s == 0) return passes_.is_boundary(turn.now_s);
    return passes_.time_s(passes_.at_or_before(turn.now_s)) > turn.now_s - round_s;
  }

  [[nodiscard]] double rounded_up(double time_s) const { return std::ceil(time_s / resolution_s_) * resolution_s_; }

  void backfill(BackfillTurn& turn, std::span<const WaitingJob> jobs) const {
    CapacityProfile profile(turn.now_s, turn.free);
    for (const Release& release : turn.releases) profile.add(rounded_up(release.time_s), infinity, release.gpus);
    for (const WaitingJob& job : jobs) {
      const double start_s = profile.earliest(job.gpus, job.length_s, turn.rounds);
      const double end_s = rounded_up(start_s + job.length_s);
      if (start_s > turn.now_s) {
        if (end_s > turn.now_s + window_s_) continue;
        turn.promise(job.job, start_s);
      } else if (!turn.start(job).placed) {
        continue;
      }
      profile.add(start_s, end_s, -std::int64_t{job.gpus});
    }
  }

  std::size_t depth_;
  double resolution_s_, window_s_;
  Rounds passes_;
};

}  // namespace

void register_backfill_slurm(BackfillRegistry& registry) {
  constexpr double most_s = 1e9;
  registry.add(
      {"slurm",
       "as Slurm's defaults: the first jobs of the order start until one does not fit; every 30 s the first 100 get "
       "reservations",
       {{"backfill_depth", ParamType::integer, "job", "Jobs that get a reservation in one pass.", "100", 1, 1e6},
        {"backfill_resolution_s", ParamType::number, "s", "Planned ends are rounded up to multiples of it.", "60", 1,
         most_s},
        {"backfill_window_s", ParamType::number, "s", "No reservation ends later than this from now.", "86400", 1,
         most_s},
        {"backfill_interval_s", ParamType::number, "s", "Time between two passes.", "30", 1, most_s}},
       [](const ParamValues& values) { return std::make_unique<SlurmLike>(values); }});
}

}  // namespace palstudy
