// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "policy/slurm_turn.hpp"

namespace palstudy {
namespace {

/// When passes come that have clocks of their own: every `period_s`, from `phase_s` on.
struct PassTimes {
  Rounds rounds;
  double phase_s;

  [[nodiscard]] bool due(double now_s) const { return now_s >= phase_s && rounds.is_boundary(now_s - phase_s); }
  [[nodiscard]] double after(double now_s) const {
    return now_s < phase_s ? phase_s : phase_s + rounds.time_s(rounds.after(now_s - phase_s));
  }
};

/// The main pass comes within `batch_sched_delay` of a submission or an end, and at most once a second.
class Slurm final : public BackfillPolicy {
 public:
  explicit Slurm(const ParamValues& values)
      : options_{static_cast<std::size_t>(values.number("default_queue_depth")),
                 static_cast<std::size_t>(values.number("bf_max_job_test")),
                 static_cast<ClockSecond>(values.number("bf_resolution")),
                 static_cast<ClockSecond>(clock_minute_s * values.number("bf_window")),
                 static_cast<ClockSecond>(values.number("clock_s"))},
        own_clocks_(values.text("passes") == "slurm"),
        main_{Rounds(std::max(1.0, values.number("batch_sched_delay"))), values.number("main_phase_s")},
        backfill_{Rounds(values.number("bf_interval")), values.number("bf_phase_s")},
        limit_phase_s_(values.number("limit_phase_s")),
        cred_expire_s_(values.number("cred_expire")) {}

  [[nodiscard]] bool plans_nodes() const override { return true; }
  [[nodiscard]] LimitChecks limit_checks() const override {
    constexpr double period_s = 30;
    return {period_s, limit_phase_s_};
  }
  [[nodiscard]] double requeue_delay_s() const override { return cred_expire_s_ + 1; }
  void decide(BackfillTurn& turn) const override {
    const bool main = turn.main_pass && (!own_clocks_ || main_.due(turn.now_s));
    const bool backfill = turn.backfill_pass && (!own_clocks_ || backfill_.due(turn.now_s));
    if (!main && !backfill) return;
    take_slurm_turn(turn, options_, {main, backfill});
  }
  [[nodiscard]] double next_change_s(double now_s, std::span<const Reservation>) const override {
    return own_clocks_ ? std::min(main_.after(now_s), backfill_.after(now_s)) : now_s;
  }

 private:
  SlurmPassOptions options_;
  bool own_clocks_;
  PassTimes main_, backfill_;
  double limit_phase_s_, cred_expire_s_;
};

/// A key of `[slurm]`.
Param pass_option(const char* name, ParamType type, const char* unit, const char* summary, const char* value,
                  double least, double most) {
  Param param{name, type, unit, summary, value, least, most};
  param.section = "slurm";
  return param;
}

std::vector<Param> pass_options() {
  constexpr double most_s = 1e9, most_jobs = 1e6;
  using enum ParamType;
  Param passes{"passes", text, "", "When the passes come: both whenever the scheduler decides, or by Slurm's clocks.",
               "\"boundary\""};
  passes.section = "slurm";
  passes.choices = {"boundary", "slurm"};
  return {
      passes,
      pass_option("clock_s", integer, "s", "The second of the minute at which the study's time 0 is.", "0", 0,
                  clock_minute_s - 1),
      pass_option("bf_interval", number, "s", "Time between two backfill passes by Slurm's clocks.", "30", 1, most_s),
      pass_option("bf_phase_s", number, "s", "The first backfill pass by Slurm's clocks.", "0", 0, most_s),
      pass_option("bf_max_job_test", integer, "job", "Jobs that a backfill pass looks at.", "500", 1, most_jobs),
      pass_option("bf_resolution", integer, "s", "Promises begin and end at multiples of it.", "60", 1, most_s),
      pass_option("bf_window", number, "min", "No promise begins later than this from now.", "1440", 1, most_s),
      pass_option("default_queue_depth", integer, "job", "Jobs that a main pass looks at.", "100", 1, most_jobs),
      pass_option("batch_sched_delay", number, "s", "Time between two main passes by Slurm's clocks; less than 1 is 1.",
                  "3", 0, most_s),
      pass_option("main_phase_s", number, "s", "The first main pass by Slurm's clocks.", "0", 0, most_s),
      pass_option("limit_phase_s", number, "s", "The first of the checks of limits, every 30 s.", "0", 0, most_s),
      pass_option("cred_expire", number, "s", "A job that lost its nodes waits for so long, and one second.", "120", 0,
                  most_s)};
}

}  // namespace

void register_backfill_slurm(BackfillRegistry& registry) {
  registry.add(
      {"slurm",
       "as Slurm 22.05: the first jobs of the order start until one does not fit; then jobs start that are in the "
       "way of none before them, by promises of whole nodes",
       pass_options(), [](const ParamValues& values) { return std::make_unique<Slurm>(values); }});
}

}  // namespace palstudy
