// SPDX-License-Identifier: MIT
// What a backfill decides in one turn, worked out by hand.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "core/numbers.hpp"
#include "policy/backfill_policy.hpp"

namespace palstudy {
namespace {

/// A turn in which every job that is not wider than what is free can be placed.
class PlainTurn final : public BackfillTurn {
 public:
  std::vector<WaitingJob> jobs;
  std::uint32_t kept = 0;  ///< what `keep` answers
  std::vector<std::uint32_t> started;
  std::vector<std::pair<std::uint32_t, double>> promised;

  StartedJob start(const WaitingJob& job) override {
    if (job.gpus > free) return {};
    free -= job.gpus;
    started.push_back(job.job.value);
    return {true, now_s + job.length_s, job.gpus};
  }
  void undo() override { ADD_FAILURE() << "a start is taken back"; }
  void promise(const Promise& made) override { promised.emplace_back(made.job.value, made.start_s); }
  std::uint32_t keep(const WaitingJob& /*job*/, double /*start_s*/) override { return kept; }

  void decide_by(const char* backfill) {
    waiting = jobs;
    backfills().at(backfill).make({})->decide(*this);
  }
};

// Ten GPUs are wanted, and with all that is given back there are six: there is no time at which the head could start,
// so it holds up no job that fits, however long that runs.
TEST(EasyTurn, AHeadThatNeverFitsHoldsUpNobody) {
  PlainTurn turn;
  turn.free = 4;
  turn.releases = {{10, 2}};
  turn.jobs = {{JobId(0), 10, 5}, {JobId(1), 2, 1000}, {JobId(2), 3, 5}, {JobId(3), 2, 1000}};
  turn.decide_by("easy");
  EXPECT_EQ(turn.promised, (std::vector<std::pair<std::uint32_t, double>>{{0, infinity}}));
  EXPECT_EQ(turn.started, (std::vector<std::uint32_t>{1, 3}));
}

// Of GPUs given back at 30, 10 and 20 those at 10 and 20 make ten, so the head is promised 20. It leaves one of eleven
// over: a job of one takes it beyond 20, others have to end by then.
TEST(EasyTurn, JobsEndByTheShadowOrTakeWhatTheHeadLeaves) {
  PlainTurn turn;
  turn.free = 4;
  turn.kept = 11;
  turn.releases = {{30, 1}, {10, 2}, {20, 4}};
  turn.jobs = {{JobId(0), 10, 5}, {JobId(1), 2, 100}, {JobId(2), 1, 100}, {JobId(3), 1, 100}, {JobId(4), 2, 20}};
  turn.decide_by("easy");
  EXPECT_EQ(turn.promised, (std::vector<std::pair<std::uint32_t, double>>{{0, 20}}));
  EXPECT_EQ(turn.started, (std::vector<std::uint32_t>{2, 4}));
}

}  // namespace
}  // namespace palstudy
