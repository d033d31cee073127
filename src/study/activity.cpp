// SPDX-License-Identifier: MIT
#include "study/activity.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/numbers.hpp"
#include "policy/order_policy.hpp"
#include "policy/placement_policy.hpp"

namespace palstudy {
namespace {

// Seconds of the engine: by job, by boundary looked at, by running job that might move, by job in an order that changes
// with time, by GPU that chance passes over; by placement afresh on 64 GPUs and for each time that cluster and
// partition are twice as large (farther memory).
constexpr double per_job_s = 0.6e-6, per_boundary_s = 0.45e-6, per_move_s = 0.065e-6, per_ordered_s = 0.1e-6;
// And of each GPU before it begins: the index by bins, or who is free alone.
constexpr double index_s = 0.27e-6, flags_s = 6e-9;
constexpr double per_chance_s = 2e-9, placement_s = 0.1e-6, doubling_s = 0.017e-6;
// How much longer jobs run than on median GPUs.
constexpr double stretch = 1.12;
// Of the search for how long a study lasts in which later jobs go first; each takes one look at the jobs.
constexpr int most_steps = 50;

double runs_s(const Inputs::Loaded& inputs, std::size_t place) {
  const Job& job = inputs.workload.jobs[place];
  const LocalityPenalty& penalty = inputs.penalty.of(JobId(place));
  const bool wide = job.gpus > inputs.topology.gpus_of(NodeId(0));
  return stretch * (wide ? penalty.cabinet : penalty.node) * job.ideal_s();
}

// The work in GPU-seconds that goes before the last measured job: what arrived until then and, where running jobs are
// stopped for others, as much of each that comes later as the longest of the measured ones takes. Under LAS this is the
// load that such a job sees in a queue that serves the least attained first (Kleinrock, Queueing Systems II, 4.7).
double work_before(const Inputs::Loaded& inputs, double last_arrival_s, double until_s, double longest_s) {
  double work_gpu_s = 0;
  const auto& jobs = inputs.workload.jobs;
  for (std::size_t i = 0; i < jobs.size() && jobs[i].submit_s <= std::max(last_arrival_s, until_s); ++i) {
    const double held_s = runs_s(inputs, i);
    work_gpu_s += jobs[i].gpus * (jobs[i].submit_s <= last_arrival_s ? held_s : std::min(held_s, longest_s));
  }
  return work_gpu_s;
}

bool by_bins(const PlacementPolicy& placement) { return placement.needs().exact_bins || placement.needs().bins_up_to; }

// Which share of the running jobs a boundary launches elsewhere, where all are placed afresh. By chance: all. Else a
// job stays unless those before it leave it other GPUs, which they do as more jobs of its partition have begun or ended
// since. Fitted to what moved of Philly-like jobs on 1,024 to 16,384 GPUs in 1, 8 and 64 partitions, rounds of 60 and
// 300 s, a fortieth of a run each: 0.02 to 0.75 of those that ran. Other jobs have moved more or less often at as many
// changes (docs/performance.md), so where it matters the beginning of a run is looked at.
double share_moved(const PolicyTraits& traits, double changes) {
  if (traits.sticky) return 0;
  if (!traits.repeatable) return 1;
  return std::min(0.8, 1 - std::exp((traits.by_bins ? -0.085 : -0.07) * std::pow(changes, 0.57)));
}

// And how wide those are, beside the ones that run: narrow jobs find room in more places.
double width_moved(const PolicyTraits& traits) { return !traits.repeatable ? 1 : traits.by_bins ? 0.86 : 0.6; }

// As long as the last measured job runs, or as long as the cluster takes for the work that goes before it.
double span_of(const RunPlan& run, const Inputs::Loaded& inputs, bool preemptive, double& last_arrival_s) {
  double alone_s = 0, longest_s = 0;
  const auto& jobs = inputs.workload.jobs;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (!run.measure.takes(jobs[i])) continue;
    last_arrival_s = std::max(last_arrival_s, jobs[i].submit_s);
    alone_s = std::max(alone_s, jobs[i].submit_s + runs_s(inputs, i));
    longest_s = std::max(longest_s, runs_s(inputs, i));
  }
  double span_s = 0;
  // Who arrives in a longer time delays it further; nothing grows once all have arrived.
  for (int step = 0; step < most_steps; ++step) {
    const double work_gpu_s = work_before(inputs, last_arrival_s, preemptive ? span_s : 0, longest_s);
    const double longer_s = std::max(alone_s, work_gpu_s / inputs.topology.gpus());
    if (longer_s <= span_s * 1.001) break;
    span_s = longer_s;
  }
  return std::min(span_s, run.measure.end_s);
}

// What goes on in a part of a run if no job waits.
struct Period {
  double begun = 0, ended = 0;  // jobs; those that are there from the start are not begun
  double running = 0;           // on average
};

// The span of a run in equal periods: days differ from nights, and at the end fewer and fewer run.
std::vector<Period> course_of(const Inputs::Loaded& inputs, const Activity& all) {
  constexpr double most = 128, jobs_each = 64;
  const auto count = static_cast<std::size_t>(std::clamp(all.jobs / jobs_each, 1.0, most));
  std::vector<Period> periods(count);
  std::vector<double> since(count + 2, 0);  // running jobs that a period has more than the one before, all of it
  const double period_s = all.span_s / static_cast<double>(count);
  if (period_s <= 0) return periods;
  const auto period_at = [&](double time) { return std::min(static_cast<std::size_t>(time), count - 1); };
  for (std::size_t i = 0; static_cast<double>(i) < all.jobs; ++i) {
    const double from_s = inputs.workload.jobs[i].submit_s, to_s = from_s + runs_s(inputs, i);
    const double from = std::max(from_s, 0.0) / period_s, to = std::min(to_s, all.span_s) / period_s;
    const std::size_t first = period_at(from), last = period_at(to);
    if (from_s > 0) periods[first].begun += 1;
    if (to_s <= all.span_s) periods[last].ended += 1;
    periods[first].running += static_cast<double>(first + 1) - from;
    periods[last].running -= static_cast<double>(last + 1) - to;
    since[first + 1] += 1;
    since[last + 1] -= 1;
  }
  double running = 0;
  for (std::size_t k = 0; k < count; ++k) {
    running += since[k];
    periods[k].running += running;
  }
  return periods;
}

// Of a course on a machine on which so many jobs fit: what does not is done in the periods after it.
void queue_up(std::vector<Period>& course, double fit) {
  Period waiting;
  for (Period& period : course) {
    const Period wanted = {waiting.begun + period.begun, waiting.ended + period.ended,
                           waiting.running + period.running};
    const double share = wanted.running > fit ? fit / wanted.running : 1;
    period = {share * wanted.begun, share * wanted.ended, share * wanted.running};
    waiting = {wanted.begun - period.begun, wanted.ended - period.ended, wanted.running - period.running};
  }
}

}  // namespace

PolicyTraits traits_of(const RunPlan& run, const Inputs::Loaded& inputs) {
  const PlacementContext context{inputs.topology, inputs.believed, inputs.believed_penalty, run.policy.seed};
  const auto placement = placements().at(run.policy.placement).make(context, run.policy.placement_params);
  return {orders().at(run.policy.order).make(run.policy.order_params)->preemptive(), placement->repeatable(),
          placement->sticky(), placement->moves_running(), by_bins(*placement)};
}

bool is_doubtful(const RunPlan& run, const Inputs::Loaded& inputs, const PolicyTraits& traits) {
  const auto is_plain = [](const JobModel& model) { return model.kind == JobModelKind::plain; };
  return traits.preemptive || !traits.repeatable || inputs.tenants || run.engine.start == Start::event ||
         run.engine.backfill != Backfill::none ||
         !std::all_of(inputs.job_models.begin(), inputs.job_models.end(), is_plain);
}

Activity foretell(const RunPlan& run, const Inputs::Loaded& inputs, const PolicyTraits& traits) {
  Activity all;
  const auto gpus = static_cast<double>(inputs.topology.gpus());
  double last_arrival_s = 0, busy_s = 0, busy_gpu_s = 0;
  all.span_s = span_of(run, inputs, traits.preemptive, last_arrival_s);
  for (std::size_t i = 0; i < inputs.workload.jobs.size(); ++i) {
    const Job& job = inputs.workload.jobs[i];
    if (job.submit_s > all.span_s) break;
    all.jobs += 1;
    all.gpus += job.gpus;
    if (job.submit_s <= last_arrival_s) {
      all.sure_jobs += 1;
      all.sure_gpus += job.gpus;
    }
    const double held_s = std::min(runs_s(inputs, i), all.span_s - job.submit_s);
    busy_s += held_s;
    busy_gpu_s += held_s * job.gpus;
  }
  // A full cluster runs no more than fits.
  const double fits = std::min(1.0, gpus * all.span_s / std::max(busy_gpu_s, 1.0));
  const double waiting = all.jobs * (1 - fits) / 2;
  const bool all_rounds = !traits.repeatable || (traits.preemptive && waiting > 1);
  std::vector<Period> course = course_of(inputs, all);
  if (!traits.preemptive) queue_up(course, gpus * busy_s / std::max(busy_gpu_s, 1.0));
  const double rounds = std::max(1.0, all.span_s / run.engine.round_s) / static_cast<double>(course.size());
  for (const Period& period : course) {
    // Jobs that wait and run may change places at every boundary; else every job changes who runs about once, at a
    // boundary that chance chooses.
    const double changes = period.begun + period.ended;
    const double boundaries = all_rounds ? rounds : rounds * (1 - std::exp(-0.5 * changes / rounds));
    const double running = boundaries * period.running * (traits.preemptive ? fits : 1);
    all.boundaries += boundaries;
    all.running += running;
    if (boundaries > 0) all.moved += running * share_moved(traits, changes / boundaries / run.cluster.partitions);
  }
  all.moved_gpus = width_moved(traits) * all.moved * busy_gpu_s / std::max(busy_s, 1.0);
  if (traits.preemptive) all.ordered = all.running + all.boundaries * waiting;
  return all;
}

void count_jobs(Activity& all, const Workload& workload) {
  all.jobs = all.gpus = 0;
  for (const Job& job : workload.jobs) {
    if (job.submit_s > all.span_s) break;
    all.jobs += 1;
    all.gpus += job.gpus;
  }
}

void carry_moves(Activity& all, const Activity& formula, const Activity& seen, const Activity& there) {
  if (seen.running <= 0) return;
  const auto per = [](double sum, double count) { return count > 0 ? sum / count : 0; };
  const auto change = [](double here, double before) { return here > 0 && before > 0 ? here / before : 1; };
  all.moved = all.running * per(seen.moved, seen.running) *
              change(per(formula.moved, formula.running), per(there.moved, there.running));
  all.moved_gpus = all.moved * per(seen.moved_gpus, seen.moved) *
                   change(per(formula.moved_gpus, formula.moved), per(there.moved_gpus, there.moved));
}

double EngineRates::seconds(const Activity& all) const {
  double placed = all.running;
  if (afresh) placed = std::min(placed, 0.25 * all.running + 3.75 * all.moved);
  return begin_s + job_s * all.jobs + boundary_s * all.boundaries + running_s * placed + ordered_s * all.ordered;
}

EngineRates engine_rates(const RunPlan& run, const Inputs::Loaded& inputs) {
  const PlacementContext context{inputs.topology, inputs.believed, inputs.believed_penalty, run.policy.seed};
  const auto placement = placements().at(run.policy.placement).make(context, run.policy.placement_params);
  const double partitions = run.cluster.partitions;
  const auto gpus = static_cast<double>(inputs.topology.gpus());
  const double chance_s = placement->repeatable() ? 0.0 : per_chance_s * gpus / partitions;
  const double begin_s = 2e-5 + gpus * (by_bins(*placement) ? index_s : flags_s);
  EngineRates rates{.begin_s = begin_s,
                    .job_s = per_job_s + chance_s,
                    .boundary_s = per_boundary_s * (1 + partitions / 4),
                    .ordered_s = per_ordered_s};
  if (!placement->sticky()) {
    const double doublings = std::max(0.0, std::log2(gpus / 64) - std::log2(partitions) / 2);
    rates.running_s = (placement_s + doubling_s * doublings) * (by_bins(*placement) ? 1.0 : 0.6) + chance_s;
    rates.afresh = true;
  } else if (placement->moves_running()) {
    rates.running_s = per_move_s;
  }
  return rates;
}

}  // namespace palstudy
