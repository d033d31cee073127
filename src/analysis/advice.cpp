// SPDX-License-Identifier: MIT
#include "analysis/advice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/error.hpp"

namespace palstudy {
namespace {

/// One replication of a trial and of doing nothing. Replications are draws of the log, or seeds: each stands by itself.
std::vector<Pair> pairs_of(const Trial& trial, const Trial& nothing) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < trial.outcomes.size(); ++i) {
    pairs.push_back({trial.outcomes[i].jct_mean_s, nothing.outcomes[i].jct_mean_s, i, i});
  }
  return pairs;
}

double mean_saved(const Trial& trial, const Trial& nothing, double TrialOutcome::*hours) {
  double saved = 0;
  for (std::size_t i = 0; i < trial.outcomes.size(); ++i) {
    saved += nothing.outcomes[i].*hours - trial.outcomes[i].*hours;
  }
  return saved / static_cast<double>(trial.outcomes.size());
}

bool gains(const Improvement& jct) {
  if (jct.low) return *jct.low > 0;
  return jct.least > 0 && jct.mean >= as_good_as_best;
}

ActionGain gain_of(const Trial& trial, const Trial& nothing, double capacity, const Comparing& how) {
  ActionGain gain{.action = trial.action, .capacity_share = capacity};
  gain.job_h_saved = mean_saved(trial, nothing, &TrialOutcome::job_h);
  gain.gpu_h_saved = mean_saved(trial, nothing, &TrialOutcome::gpu_h);
  gain.wait_h_saved = mean_saved(trial, nothing, &TrialOutcome::wait_h);
  const auto pairs = pairs_of(trial, nothing);
  const bool finished =
      std::ranges::all_of(pairs, [](const Pair& pair) { return comparable(pair.policy, pair.baseline); });
  if (!finished) return gain;
  gain.jct = improvement(pairs, how);
  gain.helps = trial.action.kind != ActionKind::nothing && gains(*gain.jct);
  return gain;
}

/// The cheapest of those that help and gain nearly as much as the best.
Action chosen(const std::vector<ActionGain>& actions) {
  double best = 0;
  for (const ActionGain& one : actions) {
    if (one.helps) best = std::max(best, one.jct->mean);
  }
  const ActionGain* choice = &actions.front();
  for (const ActionGain& one : actions) {
    if (!one.helps || one.jct->mean < best - as_good_as_best) continue;
    if (choice->action.kind == ActionKind::nothing || cheaper(one.action, choice->action)) choice = &one;
  }
  return choice->action;
}

}  // namespace

const char* name_of(ActionKind kind) {
  return std::array{"nothing", "prefer", "drain", "place", "both"}[static_cast<std::size_t>(kind)];
}

bool cheaper(const Action& a, const Action& b) { return std::pair(a.kind, a.drained) < std::pair(b.kind, b.drained); }

const ActionGain* best_drain(const Advice& advice) {
  const ActionGain* best = nullptr;
  for (const ActionGain& one : advice.actions) {
    if (one.action.kind != ActionKind::drain || !one.jct) continue;
    if (best == nullptr || one.jct->mean > best->jct->mean) best = &one;
  }
  return best;
}

const ActionGain& Advice::advised() const { return *std::ranges::find(actions, action, &ActionGain::action); }

Advice advice_of(const std::vector<Trial>& trials, const std::vector<double>& capacity, const Comparing& how) {
  if (trials.empty() || trials.front().action.kind != ActionKind::nothing) throw fault("advice without doing nothing");
  Advice advice;
  advice.replications = trials.front().outcomes.size();
  for (const TrialOutcome& one : trials.front().outcomes) {
    advice.jct_mean_s += one.jct_mean_s / static_cast<double>(advice.replications);
    advice.wait_mean_s += one.wait_mean_s / static_cast<double>(advice.replications);
  }
  Comparing together = how;
  together.comparisons = std::max<std::size_t>(trials.size() - 1, 1);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    advice.actions.push_back(gain_of(trials[i], trials.front(), capacity[i], together));
    const auto& jct = advice.actions.back().jct;
    if (i > 0 && jct && !jct->low && !advice.no_interval) advice.no_interval = jct->no_interval;
  }
  std::ranges::stable_sort(advice.actions,
                           [](const ActionGain& a, const ActionGain& b) { return cheaper(a.action, b.action); });
  advice.action = chosen(advice.actions);
  return advice;
}

bool confirm(Advice& advice, double gain) {
  if (advice.action.kind == ActionKind::nothing) throw fault("nothing is advised that could be confirmed");
  ActionGain& asked = *std::ranges::find(advice.actions, advice.action, &ActionGain::action);
  asked.other_half = gain;
  asked.helps = gain >= as_good_as_best;
  advice.action = chosen(advice.actions);
  return asked.helps;
}

}  // namespace palstudy
