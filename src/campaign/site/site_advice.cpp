// SPDX-License-Identifier: MIT
#include "campaign/site/site_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/replications.hpp"
#include "campaign/site/action_trials.hpp"
#include "core/error.hpp"
#include "core/progress_report.hpp"
#include "study/keys/key_names.hpp"

namespace palstudy {
namespace {

constexpr std::size_t draws_of_settings = 8;

const std::string other_half = "policy.knowledge=other-half";

/// Whether the policies of a run believe what was measured, and that is also what is true.
bool believes_truth(const RunPlan& run) {
  return run.policy.knowledge == "oracle" && source_of(run.cluster).measured == Measured::gpus;
}

using OtherAndSetting = std::pair<OtherSetting, TrialSetting>;

/// What may be otherwise at the site than the study says.
std::vector<OtherAndSetting> settings_of(const RunPlan& run) {
  using What = OtherSetting::What;
  std::vector<OtherAndSetting> settings;
  const auto add = [&](What what, std::string value, TrialSetting setting) {
    setting.most = draws_of_settings;
    settings.emplace_back(OtherSetting{what, std::move(value), {}}, std::move(setting));
  };
  if (!run.network.measured && run.network.penalty.cluster > 1) {
    for (const double part : {0.5, 1.5}) {
      add(What::penalty, fmt::format("{:.3g}", 1 + part * (run.network.penalty.cluster - 1)), {.penalty_part = part});
    }
  }
  for (const double load : {0.8, 1.2}) add(What::load, fmt::format("x {:.1f}", load), {.load = load});
  if (run.policy.backfill == "none") {
    add(What::backfill, "easy", {.overrides = {std::string(keys::backfill) + "=easy"}});
  } else if (run.slurm.queues.empty()) {  // queues need their backfill
    add(What::backfill, "none", {.backfill = false});
  }
  if (believes_truth(run)) add(What::knowledge, "other-half", {.overrides = {other_half}});
  return settings;
}

/// The gain of an action in a setting; none if that does not go together with other keys of the study.
std::optional<ActionGain> gain_in(ActionTrials& trials, const Action& action, const TrialSetting& setting,
                                  const Comparing& how, const std::function<void()>& done) {
  try {
    const std::vector<Trial> both = {trials.trial({}, setting, done), trials.trial(action, setting, done)};
    return advice_of(both, {0, trials.capacity(action)}, how).actions.back();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::usage) throw;
    return std::nullopt;
  }
}

/// Asks of what is advised whether it stands on the other half of the measurements, until something does.
void confirm_on_other_half(ActionTrials& trials, Advice& advice, const Comparing& how,
                           const std::function<void()>& done) {
  if (!believes_truth(trials.site().runs.front())) return;
  while (advice.action.kind != ActionKind::nothing) {
    const auto gain = gain_in(trials, advice.action, {.overrides = {other_half}}, how, done);
    if (!gain || !gain->jct || confirm(advice, gain->jct->mean)) return;
  }
}

/// The best drain together with the other placement; none if either was not tried.
std::optional<Action> both_of(const Advice& alone) {
  const ActionGain* const drain = best_drain(alone);
  const bool places =
      std::ranges::any_of(alone.actions, [](const ActionGain& one) { return one.action.kind == ActionKind::place; });
  if (!places || drain == nullptr) return std::nullopt;
  return Action{ActionKind::both, drain->action.drained};
}

Comparing how_compared(ActionTrials& trials) {
  Comparing how;
  const TraceBlocks blocks = trials.inputs().trace_blocks();
  if (blocks.how != Resampling::none) how.resampled = sample_of(blocks);
  return how;
}

void describe(ActionTrials& trials, AdviceFound& found) {
  const RunPlan& first = trials.site().runs.front();
  std::size_t measured = 0;
  for (const RunPlan& run : trials.site().runs) {
    const auto& jobs = trials.inputs().load(run).workload.jobs;
    measured +=
        static_cast<std::size_t>(std::ranges::count_if(jobs, [&](const Job& job) { return run.measure.takes(job); }));
    found.span_s = std::max(found.span_s, jobs.back().submit_s - jobs.front().submit_s);
  }
  found.jobs = measured / trials.replications();
  found.nodes = trials.nodes();
  for (const RankedNode& node : found.nodes) found.gpus += node.gpus;
  found.notes = trials.inputs().notes();
  found.title = trials.site().title;
  if (!first.cluster.hosts.empty()) found.slurm_conf = trials.site().resolve(first.cluster.hosts);
}

/// What a simulation takes: the mean of doing nothing and of the last action. Each is done before, since what it loads
/// is loaded once.
double seconds_of_one(ActionTrials& trials) {
  const std::vector<Action> two = {{}, trials.actions().back()};
  for (const Action& action : two) (void)trials.trial(action, {.most = 1});
  const auto begin = std::chrono::steady_clock::now();
  for (const Action& action : two) (void)trials.trial(action, {.most = 1});
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / 2;
}

void require_hosts(const std::vector<RankedNode>& nodes, const std::string& what) {
  if (what.empty() || std::ranges::any_of(nodes, [](const RankedNode& node) { return !node.host.empty(); })) return;
  throw usage_error("the study does not know which hosts its nodes are", what,
                    "set cluster.source = \"site\", with a profile that names hosts");
}

}  // namespace

AdviceFound site_advice(const AdviceOptions& options) {
  ActionTrials trials(options.study, options.overrides);
  require_hosts(trials.nodes(), options.hosts_for);
  const std::vector<Action> actions = trials.actions();
  const auto settings = settings_of(trials.site().runs.front());
  const std::size_t confirming = believes_truth(trials.site().runs.front()) ? 2 : 0;
  const std::size_t simulations = (actions.size() + 2 + confirming) * trials.replications() +
                                  2 * settings.size() * std::min(draws_of_settings, trials.replications());
  if (options.told) options.told(seconds_of_one(trials) * static_cast<double>(simulations), simulations);

  ProgressReport step("simulating what could be done");
  std::size_t count = 0;
  const std::function<void()> done = [&] { step.at(std::min(++count, simulations), simulations); };
  const Comparing how = how_compared(trials);
  std::vector<Trial> tried;
  std::vector<double> capacity;
  const auto try_one = [&](const Action& action) {
    tried.push_back(trials.trial(action, {}, done));
    capacity.push_back(trials.capacity(action));
  };
  for (const Action& action : actions) try_one(action);
  if (const auto both = both_of(advice_of(tried, capacity, how))) try_one(*both);

  AdviceFound found;
  found.advice = advice_of(tried, capacity, how);
  confirm_on_other_half(trials, found.advice, how, done);
  describe(trials, found);
  if (const auto kept = trials.without_slowest_gpu()) {
    const double one_gpu = 1.0 / found.gpus;
    found.slowest_gpu_alone = advice_of({tried.front(), *kept}, {0, one_gpu}, how).actions.back();
  }
  if (found.advice.action.kind == ActionKind::nothing) return found;
  for (const auto& [other, setting] : settings) {
    const auto gain = gain_in(trials, found.advice.action, setting, how, done);
    if (gain) found.settings.push_back({other.what, other.value, *gain});
  }
  return found;
}

}  // namespace palstudy
