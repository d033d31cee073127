// SPDX-License-Identifier: MIT
// What runs take, from those that were rehearsed.
#include "study/study_plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "study/rehearsal.hpp"
#include "study/replications.hpp"

namespace palstudy {
namespace {

// The time of a shorter run says little of a longer one's.
constexpr double least_comparable_s = 2e-3;

// How far apart two values of an axis are, from 0 to 1.
double apart(const AxisValue& a, const AxisValue& b) {
  if (a == b) return 0;
  const auto number = [](const AxisValue& value) {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
    const auto* real = std::get_if<double>(&value);
    return real == nullptr ? std::numeric_limits<double>::quiet_NaN() : *real;
  };
  const double from = number(a), to = number(b);
  if (!(from > 0 && to > 0)) return 1;
  return std::min(1.0, std::abs(std::log(from / to)) / std::log(16.0));
}

double ratio(double seen, double formula) { return formula > 0 && seen > 0 ? seen / formula : 1; }

class Planner {
 public:
  Planner(const Study& study, Inputs& inputs, StudyPlan& plan) : study_(study), inputs_(inputs), plan_(plan) {}

  void apply(Rehearsal& rehearsal) {
    std::vector<RunEstimate> runs = plan_.needs.runs;
    for (const auto& point : rehearsal.points) {
      const auto first = rehearsal.runs.find(point.front());
      for (const std::size_t run : point) {
        if (const auto own = rehearsal.runs.find(run); own != rehearsal.runs.end()) {
          runs[run] = known(run, own->second);
          plan_.sources[run] = {own->second.whole ? EstimateFrom::rehearsed : EstimateFrom::begun, run};
        } else if (first != rehearsal.runs.end() && !first->second.glimpsed) {
          runs[run] = known(run, first->second);
          plan_.sources[run] = {first->second.whole ? EstimateFrom::rehearsed : EstimateFrom::begun, point.front()};
        } else if (const auto near = nearest(rehearsal, run)) {
          runs[run] = scaled(run, *near, rehearsal.runs.at(*near));
          plan_.sources[run] = {EstimateFrom::scaled, near};
        }
      }
    }
    plan_.needs = sum_up(study_, inputs_, runs);
  }

  // Whose rows are known, and for which runs they stand.
  std::vector<RowSample> samples(Rehearsal& rehearsal) {
    std::vector<RowSample> all;
    std::map<std::size_t, std::size_t> place;
    for (auto& [run, one] : rehearsal.runs) {
      if (!one.record) continue;
      place.emplace(run, all.size());
      all.push_back({std::move(*one.record), {run}});
    }
    for (std::size_t run = 0; run < plan_.sources.size(); ++run) {
      const auto& source = plan_.sources[run];
      if (source.from != EstimateFrom::rehearsed || *source.like == run) continue;
      if (const auto of = place.find(*source.like); of != place.end()) all[of->second].runs.push_back(run);
    }
    return all;
  }

 private:
  // Another seed has other jobs, fewer or more in the same time.
  RunEstimate known(std::size_t run, const Rehearsed& seen) {
    const auto loaded = inputs_.load(study_.runs[run]);
    Activity all = seen.activity;
    count_jobs(all, loaded.workload);
    all.sure_jobs = std::min(all.sure_jobs, all.jobs);
    all.sure_gpus = std::min(all.sure_gpus, all.gpus);
    RunEstimate one = estimate(study_.runs[run], loaded, all);
    one.core_s = seen.core_s;
    return one;
  }

  RunEstimate scaled(std::size_t run, std::size_t near, const Rehearsed& seen) {
    const RunPlan &own = study_.runs[run], &other = study_.runs[near];
    const auto own_inputs = inputs_.load(own);
    const Activity foretold = foretell(own, own_inputs, traits_of(own, own_inputs));
    Activity all = foretold;
    const auto others_inputs = inputs_.load(other);
    const Activity formula = foretell(other, others_inputs, traits_of(other, others_inputs));
    all.boundaries *= ratio(seen.activity.boundaries, formula.boundaries);
    all.running *= ratio(seen.activity.running, formula.running);
    carry_moves(all, foretold, seen.activity, formula);
    all.jobs = std::min(all.jobs * ratio(seen.activity.jobs, formula.jobs),
                        static_cast<double>(own_inputs.workload.jobs.size()));
    RunEstimate one = estimate(own, own_inputs, all);
    const double formula_s = plan_.needs.runs[near].core_s;
    one.core_s = plan_.needs.runs[run].core_s *
                 (std::max(seen.core_s, formula_s) < least_comparable_s ? 1 : ratio(seen.core_s, formula_s));
    return one;
  }

  // A rehearsed run with the same order and placement that is the nearest on the other axes; the first of several.
  [[nodiscard]] std::optional<std::size_t> nearest(const Rehearsal& rehearsal, std::size_t run) const {
    std::optional<std::size_t> best;
    double least = std::numeric_limits<double>::infinity();
    const RunPlan& own = study_.runs[run];
    for (const auto& [other, seen] : rehearsal.runs) {
      const RunPlan& there = study_.runs[other];
      if (there.policy.order != own.policy.order || there.policy.placement != own.policy.placement) continue;
      double far = 0;
      for (std::size_t a = 0; a < study_.axes.size(); ++a) {
        if (!is_seed_key(study_.axes[a].key)) far += apart(own.values[a], there.values[a]);
      }
      if (far >= least) continue;
      least = far;
      best = other;
    }
    return best;
  }

  const Study& study_;
  Inputs& inputs_;
  StudyPlan& plan_;
};

}  // namespace

std::string_view name_of(EstimateFrom from) {
  switch (from) {
    case EstimateFrom::scaled:
      return "scaled";
    case EstimateFrom::begun:
      return "begun";
    case EstimateFrom::rehearsed:
      return "rehearsed";
    case EstimateFrom::computed:
      break;
  }
  return "computed";
}

StudyPlan plan_study(const Study& study, Inputs& inputs, const PlanOptions& options) {
  StudyPlan plan;
  plan.needs = estimate(study, inputs);
  plan.sources.resize(study.runs.size());
  std::vector<RowSample> samples;
  if (!options.quick) {
    Rehearsal rehearsal = rehearse(study, inputs, plan.needs, options.told);
    Planner planner(study, inputs, plan);
    planner.apply(rehearsal);
    plan.rehearsed = rehearsal.runs.size();
    plan.seconds = rehearsal.seconds;
    samples = planner.samples(rehearsal);
  }
  plan.disk = estimate_disk(study, inputs, plan.needs, std::move(samples));
  return plan;
}

}  // namespace palstudy
