// SPDX-License-Identifier: MIT
#include "policy/backfill_policy.hpp"
#include "policy/capacity_profile.hpp"

namespace palstudy {
namespace {

/// EASY (Lifka, JSSPP'95; Mu'alem and Feitelson, TPDS 12(6), 2001): the first job that does not fit has a reservation
/// at its shadow time, the first at which enough GPUs are expected to be free. Jobs behind it start if they end by
/// then, or take GPUs that it leaves over.
class Easy final : public BackfillPolicy {
 public:
  void decide(BackfillTurn& turn) const override {
    std::size_t head = 0;
    while (head < turn.waiting.size() && turn.start(turn.waiting[head]).placed) ++head;
    if (head == turn.waiting.size()) return;
    const double shadow_s = shadow(turn, turn.waiting[head]);
    turn.promise({turn.waiting[head].job, shadow_s});
    const std::uint32_t kept = turn.keep(turn.waiting[head], shadow_s);
    fill(turn, head, shadow_s, kept - std::min(kept, turn.waiting[head].gpus));
  }

 private:
  /// Infinity where there are never enough: nodes are down.
  static double shadow(BackfillTurn& turn, const WaitingJob& head) {
    std::uint32_t free = turn.free;
    double time_s = turn.now_s;  // enough are free, and yet it cannot be placed
    const auto later = [](const Release& a, const Release& b) { return a.time_s > b.time_s; };
    const auto first = turn.releases.begin();
    auto last = turn.releases.end();
    std::make_heap(first, last, later);  // of many releases the first few are asked for
    while (free < head.gpus) {
      if (last == first) return infinity;
      std::pop_heap(first, last--, later);
      free += last->gpus;
      time_s = last->time_s;
    }
    return turn.rounds.start_s(time_s);
  }

  /// `extra`: GPUs that the head leaves over at its start.
  static void fill(BackfillTurn& turn, std::size_t head, double shadow_s, std::uint32_t extra) {
    for (const WaitingJob& job : turn.waiting.subspan(head + 1)) {
      if (turn.free == 0) return;
      if (job.gpus > turn.free) continue;
      if (turn.lengths_known && turn.now_s + job.length_s > shadow_s && job.gpus > extra) continue;
      const StartedJob started = turn.start(job);
      if (!started.placed || started.end_s <= shadow_s) continue;
      if (started.reserved > extra) {
        turn.undo();
      } else {
        extra -= started.reserved;
      }
    }
  }
};

}  // namespace

void register_backfill_easy(BackfillRegistry& registry) {
  registry.add({"easy",
                "the first job that does not fit has a reservation; jobs behind it start if they do not delay it",
                {},
                [](const ParamValues&) { return std::make_unique<Easy>(); }});
}

}  // namespace palstudy
