// SPDX-License-Identifier: MIT
// One run, simulated for what it takes.
#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "core/processor_time.hpp"
#include "sim/exchange.hpp"
#include "study/execute_watched.hpp"
#include "study/rehearsal.hpp"

namespace palstudy {
namespace {

// What has been seen up to some time of the run.
struct Seen {
  double time_s = 0, arrived = 0, boundaries = 0, running = 0, ordered = 0, core_s = 0;
  double measured_done = 0;
};

// Counts what a run does, remembers its course, and ends it when it has done enough.
class Watch final : public Checkpoints {
 public:
  Watch(const EngineRates& rates, bool preemptive, double limit_s)
      : rates_(rates), preemptive_(preemptive), limit_s_(limit_s) {}

  void instant(const Pulse& pulse) override {
    const auto running = static_cast<double>(pulse.running), active = running + static_cast<double>(pulse.queued);
    now_.time_s = pulse.time_s;
    now_.arrived = static_cast<double>(pulse.arrived);
    now_.boundaries += 1;
    now_.running += running;
    now_.ordered += preemptive_ ? active : 0;
    if (now_.boundaries == 1) measured_ = static_cast<double>(pulse.measured_left);
    now_.measured_done = measured_ - static_cast<double>(pulse.measured_left);
    spent_s_ = rates_.begin_s + rates_.job_s * now_.arrived + rates_.boundary_s * now_.boundaries +
               rates_.running_s * now_.running + rates_.ordered_s * now_.ordered;
    if (now_.boundaries >= next_note_) note();
  }
  [[nodiscard]] Wish wish() override {
    if (spent_s_ <= limit_s_) return Wish::none;
    if (now_.core_s == 0) now_ = seen();  // saving the state is no part of the run
    return Wish::stop;
  }
  void save(const RunState&) override {}
  [[nodiscard]] std::optional<std::vector<double>> find() override { return std::nullopt; }
  [[nodiscard]] RunState read(const std::vector<PartitionId>&) override { return {}; }
  void unusable(const std::string&) override {}

  [[nodiscard]] Seen seen() const {
    Seen all = now_;
    if (all.core_s == 0) all.core_s = processor_s() - begin_s_;
    return all;
  }
  /// What had been seen by half of that time, in a straight line between two notes.
  [[nodiscard]] Seen half() const {
    const double time_s = now_.time_s / 2;
    Seen before;
    for (const Seen& after : course_) {
      if (after.time_s >= time_s) return between(before, after, time_s);
      before = after;
    }
    return between(before, seen(), time_s);
  }
  [[nodiscard]] double measured() const { return measured_; }

 private:
  // Every so many boundaries, more seldom the longer it lasts.
  void note() {
    course_.push_back(seen());
    next_note_ = now_.boundaries * (1 + 1.0 / 64);
  }
  static Seen between(const Seen& a, const Seen& b, double time_s) {
    const double share = b.time_s > a.time_s ? (time_s - a.time_s) / (b.time_s - a.time_s) : 1;
    const auto at = [share](double from, double to) { return from + share * (to - from); };
    return {time_s,
            at(a.arrived, b.arrived),
            at(a.boundaries, b.boundaries),
            at(a.running, b.running),
            at(a.ordered, b.ordered),
            at(a.core_s, b.core_s),
            at(a.measured_done, b.measured_done)};
  }

  EngineRates rates_;
  bool preemptive_;
  double limit_s_, spent_s_ = 0, begin_s_ = processor_s(), measured_ = 0, next_note_ = 1;
  Seen now_;
  std::vector<Seen> course_;
};

// A sum that had reached `half` and `whole`, `times` as long: a parabola through these and 0 where it bends upwards, as
// with a queue that grows, else on in a straight line.
double carried_on(double half, double whole, double times) {
  const double bend = 2 * (whole - 2 * half);
  if (bend <= 0) return whole + 2 * (whole - half) * (times - 1);
  return (whole - bend) * times + bend * times * times;
}

// How long the whole run takes: at least as the formula has it, and at least as long as what is left of the measured
// jobs takes at the pace of the second half.
double span_from(const Seen& half, const Seen& seen, double measured, const Activity& formula) {
  const double pace = std::max(seen.measured_done - half.measured_done, 1e-3 * measured) / (seen.time_s / 2);
  const double left_s = seen.measured_done > 0 ? (measured - seen.measured_done) / pace : 0;
  return std::max({formula.span_s, seen.time_s + left_s, 1.02 * seen.time_s});
}

// The whole of a run that was cut.
Seen carry_on(const Watch& watch, const Activity& formula, const EngineOptions& engine, double end_s) {
  const Seen half = watch.half(), seen = watch.seen();
  Seen all = seen;
  all.time_s = std::min(span_from(half, seen, watch.measured(), formula), end_s);
  const double times = seen.time_s > 0 ? std::max(1.0, all.time_s / seen.time_s) : 1;
  for (const auto what : {&Seen::boundaries, &Seen::running, &Seen::ordered, &Seen::core_s}) {
    all.*what = carried_on(half.*what, seen.*what, times);
  }
  // However long they wait, jobs run for about as long as their work takes and their moves, which the formula knows all
  // but the moves of; each is seen running once at least. A load that rises in the part that was seen falls again.
  const double slack = 1.5 * (1 + engine.migration_s / engine.round_s);
  const double at_once = formula.boundaries > 0 ? formula.running / formula.boundaries : 0;
  const double most = slack * (at_once * all.boundaries + formula.jobs);
  if (all.running > most) {
    all.core_s *= most / all.running;
    all.running = most;
  }
  return all;
}

// The whole with boundaries as far apart as they are, from what was seen with boundaries `near` and `far` times as far:
// a sum grows as a power of their number, the first where every boundary is looked at, less where only those are at
// which something happens. How long the run lasts does not depend on them.
Seen with_all_boundaries(const Seen& nearer, double near, const Seen& farther, double far) {
  Seen all = nearer;
  for (const auto what : {&Seen::boundaries, &Seen::running, &Seen::ordered, &Seen::core_s}) {
    constexpr double usual = 0.95;
    double power = usual;
    if (near < far && farther.*what > 0) power = std::log(nearer.*what / (farther.*what)) / std::log(far / near);
    all.*what = nearer.*what * std::pow(near, std::clamp(power, 0.0, 1.0));
  }
  return all;
}

// Seconds of writing down that a job is moved.
constexpr double write_s = 0.25e-6;

double rows_of(const TableData& table) { return static_cast<double>(table.rows()); }

// Events beside the first launch and the last end of every attempt (estimate.cpp counts the same two for each), and
// GPUs of those: only a launch has any.
void count_moves(Activity& all, const RunRecord& record) {
  const auto& jobs = std::get<std::vector<std::int64_t>>(*record.events.find("job"));
  const auto& widths = std::get<std::vector<std::int64_t>>(*record.events.find("gpu_count"));
  std::unordered_map<std::int64_t, std::int64_t> last;
  double own_gpus = 0;
  all.moved = -2 * rows_of(record.failures);
  all.moved_gpus = 0;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const auto width = static_cast<double>(widths[i]);
    if (last.insert_or_assign(jobs[i], widths[i]).second) {
      own_gpus += width;
    } else {
      all.moved += 1;
      all.moved_gpus += width;
    }
  }
  for (const auto& [job, width] : last) all.moved -= width == 0 ? 1 : 0;
  all.moved = std::max(0.0, all.moved);
  all.moved_gpus -= rows_of(record.failures) * own_gpus / std::max<double>(1, static_cast<double>(last.size()));
  all.moved_gpus = std::max(0.0, all.moved_gpus);
}

// The run once, or with other boundaries, on this rank alone.
class Trials {
 public:
  Trials(const Study& study, const RunPlan& run, Inputs& inputs)
      : study_(study),
        run_(run),
        inputs_(inputs),
        loaded_(inputs.load(run)),
        traits_(traits_of(run, loaded_)),
        formula_(foretell(run, loaded_, traits_)),
        rates_(engine_rates(run, loaded_)) {}

  Rehearsed within(double limit_s, bool as_is) {
    Rehearsed seen = as_is ? as_it_is(limit_s) : whole_or_cut(limit_s);
    if (seen.whole || !run_.output.events) return seen;
    (void)look_for_moves(seen.activity, limit_s / 4);
    seen.spent_s = spent_s_;
    if (unwritten_) seen.core_s += write_s * seen.activity.moved;
    return seen;
  }

  // What the formula says but for who is moved.
  std::optional<Rehearsed> glimpse(double limit_s) {
    Activity all = formula_;
    if (!look_for_moves(all, limit_s)) return std::nullopt;
    return Rehearsed{all, rates_.seconds(all), spent_s_, false, std::nullopt, true};
  }

 private:
  // The run itself if it keeps to the limit by what is known of it, else a part of it, or others like it.
  Rehearsed whole_or_cut(double limit_s) {
    // Where only that is looked at at which something happens, coarser boundaries save little.
    if (run_.engine.start == Start::event || !is_doubtful(run_, loaded_, traits_)) return as_it_is(limit_s);
    const double far = coarsest();
    const Seen farther = coarse(far, limit_s);
    const double most_s = far * rates_.seconds(activity_of(farther));
    if (most_s <= limit_s) return as_it_is(2 * limit_s);
    double near = 2;
    while (near < far && most_s > near * limit_s) near *= 2;
    const Seen nearer = near < far ? coarse(near, 2 * limit_s) : farther;
    return begun(with_all_boundaries(nearer, near, farther, far));
  }

  Rehearsed as_it_is(double limit_s) {
    unwritten_ = false;
    Watch watch(rates_, traits_.preemptive, limit_s);
    double core_s = 0;
    Execution execution = simulated(run_, watch, core_s);
    if (execution.stopped) return begun(carry_on(watch, formula_, run_.engine, run_.measure.end_s));
    Seen seen = watch.seen();
    seen.core_s = core_s;
    Rehearsed whole = begun(seen);
    whole.whole = true;
    whole.record = std::move(execution.record);
    whole.activity.events = rows_of(whole.record->events);
    whole.activity.event_gpus = rows_of(whole.record->event_gpus);
    whole.activity.round_rows = rows_of(whole.record->rounds);
    if (run_.output.events) count_moves(whole.activity, *whole.record);
    return whole;
  }

  // The beginning of the run tells who is moved: its boundaries are as far apart as they are, on which that hangs.
  // Whether it told: a few boundaries or a few moves are chance.
  bool look_for_moves(Activity& all, double limit_s) {
    constexpr double least_rounds = 20, least_moves = 30, patience = 2;
    const double all_s = rates_.seconds(formula_);
    if (all_s <= 0) return false;
    RunPlan part = run_;
    part.measure.end_s = std::min(run_.measure.end_s, std::max(least_rounds * run_.engine.round_s,
                                                               formula_.span_s * std::min(1.0, limit_s / all_s)));
    part.output = {false, true, false};
    const Activity expected = foretell(part, loaded_, traits_);
    Activity most = expected;  // the formula may be wrong
    most.moved = most.running;
    Watch watch(rates_, traits_.preemptive, patience * rates_.seconds(most));
    double core_s = 0;
    const Execution execution = simulated(part, watch, core_s);
    if (execution.stopped) return false;
    Activity seen = activity_of(watch.seen());
    count_moves(seen, *execution.record);
    if (std::max(seen.moved, expected.moved) < least_moves) return false;
    carry_moves(all, formula_, seen, expected);
    return true;
  }

  // Of which nothing is written down, since that is not what grows with the boundaries.
  Seen coarse(double factor, double limit_s) {
    unwritten_ = true;
    RunPlan other = run_;
    other.engine.round_s *= factor;
    other.output = {false, false, false};
    Watch watch(rates_, traits_.preemptive, limit_s);
    double core_s = 0;
    if (simulated(other, watch, core_s).stopped) return carry_on(watch, formula_, run_.engine, run_.measure.end_s);
    Seen seen = watch.seen();
    seen.core_s = core_s;
    return seen;
  }

  Execution simulated(const RunPlan& run, Watch& watch, double& core_s) {
    LocalExchange alone;
    Execution execution = execute_watched(study_, run, inputs_, alone, watch, core_s);
    spent_s_ += rates_.seconds(activity_of(watch.seen()));
    return execution;
  }

  // Farther apart than that boundaries make another run of it: jobs wait for them for as long as they take.
  [[nodiscard]] double coarsest() const {
    constexpr double most = 32, least = 4, share = 0.3;
    double mean_s = 0;
    for (const Job& job : loaded_.workload.jobs) mean_s += job.ideal_s();
    mean_s /= std::max(1.0, static_cast<double>(loaded_.workload.jobs.size()));
    double factor = least;
    while (factor < most && 2 * factor * run_.engine.round_s <= share * mean_s) factor *= 2;
    return factor;
  }

  [[nodiscard]] Activity activity_of(const Seen& seen) const {
    Activity all = formula_;
    all.span_s = seen.time_s;
    all.boundaries = seen.boundaries;
    all.running = seen.running;
    all.ordered = seen.ordered;
    const double times = formula_.running > 0 ? seen.running / formula_.running : 0;
    all.moved *= times;
    all.moved_gpus *= times;
    count_jobs(all, loaded_.workload);
    return all;
  }

  [[nodiscard]] Rehearsed begun(const Seen& seen) const {
    return {activity_of(seen), seen.core_s, spent_s_, false, std::nullopt};
  }

  const Study& study_;
  const RunPlan& run_;
  Inputs& inputs_;
  Inputs::Loaded loaded_;
  PolicyTraits traits_;
  Activity formula_;
  EngineRates rates_;
  double spent_s_ = 0;
  bool unwritten_ = false;  // what was seen last wrote no events down
};

}  // namespace

Rehearsed rehearse(const Study& study, const RunPlan& run, Inputs& inputs, double limit_s) {
  return Trials(study, run, inputs).within(limit_s, false);
}

Rehearsed rehearse_as_it_is(const Study& study, const RunPlan& run, Inputs& inputs, double limit_s) {
  return Trials(study, run, inputs).within(limit_s, true);
}

std::optional<Rehearsed> glimpse(const Study& study, const RunPlan& run, Inputs& inputs, double limit_s) {
  return Trials(study, run, inputs).glimpse(limit_s);
}

}  // namespace palstudy
