// SPDX-License-Identifier: MIT
#include "policy/backfill_policy.hpp"
#include "policy/capacity_profile.hpp"

namespace palstudy {
namespace {

/// Conservative backfilling (Mu'alem and Feitelson, TPDS 12(6), 2001): every job gets the earliest start that delays
/// none before it, and never a later one. When a job ends, the reservations are compressed in the order of submission:
/// each is made again among the others.
class Conservative final : public BackfillPolicy {
 public:
  void decide(BackfillTurn& turn) const override {
    std::vector<Reservation>& kept = turn.reservations;
    if (turn.inconsistent) kept.clear();
    // The time of these has come and gone: they could not be placed.
    std::erase_if(kept, [&](const Reservation& reservation) { return reservation.start_s < turn.now_s; });
    std::sort(kept.begin(), kept.end(), by_job);
    CapacityProfile profile = planned(turn);
    if (turn.ended) compress(turn, profile);
    for (const WaitingJob& job : turn.waiting) reserve(turn, profile, job);
    start_due(turn);
  }

  [[nodiscard]] double next_change_s(double now_s, std::span<const Reservation> reservations) const override {
    double next_s = infinity;
    for (const Reservation& one : reservations) next_s = one.start_s > now_s ? std::min(next_s, one.start_s) : next_s;
    return next_s;
  }

 private:
  static bool by_job(const Reservation& a, const Reservation& b) { return a.job < b.job; }
  static void take(CapacityProfile& profile, const Reservation& one) {
    profile.add(one.start_s, one.start_s + one.length_s, -std::int64_t{one.gpus});
  }

  static CapacityProfile planned(const BackfillTurn& turn) {
    CapacityProfile profile(turn.now_s, turn.free);
    for (const Release& release : turn.releases) profile.add(release.time_s, infinity, release.gpus);
    for (const Reservation& one : turn.reservations) take(profile, one);
    return profile;
  }

  static void compress(BackfillTurn& turn, CapacityProfile& profile) {
    for (Reservation& one : turn.reservations) {
      profile.add(one.start_s, one.start_s + one.length_s, one.gpus);
      one.start_s = profile.earliest(one.gpus, one.length_s, turn.rounds);
      take(profile, one);
    }
  }

  static void reserve(BackfillTurn& turn, CapacityProfile& profile, const WaitingJob& job) {
    const Reservation wanted{job.job, job.gpus, 0, job.length_s};
    const auto at = std::lower_bound(turn.reservations.begin(), turn.reservations.end(), wanted, by_job);
    if (at != turn.reservations.end() && at->job == job.job) return;
    Reservation& made = *turn.reservations.insert(at, wanted);
    made.start_s = profile.earliest(job.gpus, job.length_s, turn.rounds);
    take(profile, made);
    turn.promise({job.job, made.start_s});
  }

  static void start_due(BackfillTurn& turn) {
    for (const WaitingJob& job : turn.waiting) {
      const auto at =
          std::lower_bound(turn.reservations.begin(), turn.reservations.end(), Reservation{job.job}, by_job);
      if (at->start_s <= turn.now_s) (void)turn.start(job);
    }
  }
};

}  // namespace

void register_backfill_conservative(BackfillRegistry& registry) {
  registry.add({"conservative",
                "every job has a reservation from its arrival on, which is never moved to later",
                {},
                [](const ParamValues&) { return std::make_unique<Conservative>(); }});
}

}  // namespace palstudy
