// SPDX-License-Identifier: MIT
#include "campaign/site/action_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <type_traits>
#include <utility>
#include <variant>

#include "campaign/execute.hpp"
#include "campaign/site/slow_nodes.hpp"
#include "core/error.hpp"
#include "core/numbers.hpp"
#include "inputs/cluster_inputs.hpp"
#include "inputs/site_validation.hpp"
#include "stats/interval.hpp"
#include "study/axes.hpp"
#include "study/keys/chosen_params.hpp"
#include "study/keys/key_names.hpp"
#include "workload/synthetic/resample.hpp"

namespace palstudy {
namespace {

constexpr std::size_t least_draws = 16, most_draws = 64, jobs_of_draws = 20'000;
constexpr const char* candidate = "pal-sticky";

bool is_seeds(const Axis& axis) { return is_seed_key(axis.key); }

std::size_t count_traces(const Study& study) {
  std::set<std::string> traces;
  for (const RunPlan& run : study.runs) traces.insert(run.workload.trace);
  return traces.size();
}

/// Whether the values of an axis are replications: seeds, or in a study without seeds traces, if they are enough for an
/// interval. Fewer are other workloads, of which the first is the site's.
bool replicates(const Study& study, const Axis& axis) {
  if (is_seeds(axis)) return true;
  return axis.key == keys::trace.name && count_traces(study) >= least_replications &&
         std::ranges::none_of(study.axes, is_seeds);
}

/// As in a study.
std::string written(const AxisValue& value) {
  return std::visit(
      [](const auto& any) {
        constexpr bool text = std::is_same_v<std::decay_t<decltype(any)>, std::string>;
        return text ? fmt::format("\"{}\"", any) : fmt::format("{}", any);
      },
      value);
}

/// Every axis but that of replications at the value of the run that does what the site does.
std::vector<std::string> as_at_site(const Study& study) {
  const RunPlan& site = site_run(study);
  std::vector<std::string> overrides;
  for (std::size_t a = 0; a < study.axes.size(); ++a) {
    if (replicates(study, study.axes[a])) continue;
    if (study.axes[a].key == keys::system.name) {
      throw usage_error("advise tries other placements, and this study has systems", study.place_of(keys::system),
                        "write a study with the site's scheduler as [policy], without policy.system");
    }
    overrides.push_back(study.axes[a].key + "=" + written(site.values[a]));
  }
  return overrides;
}

/// Whether the days of a trace can be drawn again. Jobs that are measured by their numbers have others in a draw.
bool can_resample(const RunPlan& run, const Workload& workload) {
  if (run.measured.by == MeasuredBy::study && !run.measure.by_window) return false;
  return trace_blocks(workload, Resampling::days).blocks >= 2;
}

/// Few jobs need more draws: their mean differs more from one to the next.
std::size_t draws_of(const RunPlan& run, const Workload& workload) {
  const auto measured = std::ranges::count_if(workload.jobs, [&](const Job& job) { return run.measure.takes(job); });
  const auto jobs = static_cast<std::size_t>(std::max<std::ptrdiff_t>(measured, 1));
  return std::clamp(jobs_of_draws / jobs, least_draws, most_draws);
}

/// What makes the replications of a study that has none.
std::vector<std::string> replicated(const Study& study) {
  if (std::ranges::any_of(study.axes, [&](const Axis& axis) { return replicates(study, axis); })) return {};
  const RunPlan& run = site_run(study);
  Inputs inputs(study);
  const bool drawn = run.workload.trace.empty() || run.workload.resampling != Resampling::none;
  const Workload& workload = inputs.load(drawn ? run : as_the_site_ran(study)).workload;
  const std::string seeds = fmt::format("workload.seed={{ first = 1, count = {} }}", draws_of(run, workload));
  if (drawn) return {seeds};
  if (!can_resample(run, workload)) return {};
  return {"workload.resample=days", seeds};
}

std::vector<std::string> all_overrides(const std::filesystem::path& file, std::vector<std::string> overrides) {
  for (const auto more : {as_at_site, replicated}) {
    for (std::string& one : more(read_study(file, overrides))) overrides.push_back(std::move(one));
  }
  return overrides;
}

TrialOutcome outcome_of(const RunResult& result, const Workload& workload) {
  TrialOutcome outcome;
  outcome.jct_mean_s = result.metric(Metric::jobs_unfinished) > 0 ? nan : result.metric(Metric::jct_mean_s);
  outcome.wait_mean_s = result.metric(Metric::wait_mean_s);
  for (std::size_t row = 0; row < result.jobs.size(); ++row) {
    const Job& job = workload.jobs[result.jobs.job[row].index()];
    if (result.jobs.measured[row] == 0 || result.jobs.finished[row] == 0) continue;
    const double jct_s = result.jobs.finish_s[row] - job.submit_s;
    outcome.job_h += jct_s / hour_s;
    outcome.wait_h += (jct_s - result.jobs.exec_s[row]) / hour_s;
    outcome.gpu_h += job.gpus * result.jobs.exec_s[row] / hour_s;
  }
  return outcome;
}

void scale_penalties(RunPlan& run, double part) {
  if (part == 1) return;
  for (LocalityPenalty* one : {&run.network.penalty, &run.policy.locality}) {
    one->node = 1 + part * (one->node - 1);
    one->cabinet = 1 + part * (one->cabinet - 1);
    one->cluster = 1 + part * (one->cluster - 1);
  }
}

/// The keys of a study may ask for its own backfill, so that this is no matter of another study.
void leave_backfill_out(RunPlan& run) {
  run.policy.backfill = "none";
  run.policy.backfill_params = {};
  run.engine.backfill = Backfill::none;
  run.engine.limit_checks = {};
}

/// Whether no job wants more GPUs than are left where it may run.
bool can_drain(const Inputs::Loaded& loaded, const std::vector<Outage>& drained) {
  std::vector<bool> out(loaded.topology.nodes());
  for (const Outage& one : drained) out[one.node.index()] = true;
  std::uint32_t all = 0;
  const QueueRules none;
  const QueueRules& queues = loaded.queues == nullptr ? none : *loaded.queues;
  std::vector<std::uint32_t> of_queue(queues.all.size());
  for (std::uint32_t n = 0; n < loaded.topology.nodes(); ++n) {
    if (out[n]) continue;
    const std::uint32_t gpus = loaded.topology.gpus_of(NodeId(n));
    all += gpus;
    for (std::size_t q = 0; q < of_queue.size(); ++q) {
      if (queues.all[q].nodes.contains(NodeId(n))) of_queue[q] += gpus;
    }
  }
  return std::ranges::all_of(loaded.workload.jobs, [&](const Job& job) {
    return job.gpus <= (of_queue.empty() ? all : of_queue[queues.of(job)]);
  });
}

std::vector<Outage> drained_nodes(const Action& action, const std::vector<RankedNode>& nodes) {
  std::vector<Outage> drained;
  for (std::uint32_t i = 0; i < action.drained; ++i) {
    drained.push_back({NodeId(nodes[i].node), 0, std::numeric_limits<double>::infinity(), false});
  }
  return drained;
}

/// Inputs of which some are others.
struct Changed {
  const Topology& topology;
  const Slowdowns& truth;
  const Bins& believed;
  const Workload& workload;
  const Partitioning& partitioning;
  const std::vector<Outage>& outages;
  const std::vector<double>& weights;
};
Inputs::Loaded with(const Inputs::Loaded& loaded, const Changed& changed) {
  return {changed.topology,        changed.truth,     changed.believed, changed.workload, loaded.penalty,
          loaded.believed_penalty, loaded.job_models, loaded.tenants,   loaded.failures,  changed.partitioning,
          loaded.of_tenant,        changed.outages,   changed.weights,  loaded.energy,    loaded.power,
          loaded.queues,           loaded.shares,     loaded.starts};
}

}  // namespace

ActionTrials::ActionTrials(std::filesystem::path file, std::vector<std::string> overrides)
    : file_(std::move(file)),
      overrides_(all_overrides(file_, std::move(overrides))),
      site_(read_study(file_, overrides_)),
      inputs_(site_) {
  (void)inputs_.check();
  nodes_ = nodes_of(site_.runs.front());
}

std::vector<Action> ActionTrials::actions() const {
  const PolicyOptions& policy = site_.runs.front().policy;
  std::vector<Action> actions = {{}};
  const bool uneven = std::ranges::any_of(nodes_, [](const RankedNode& node) { return node.weight > 1; });
  if (uneven && traits_of(policy).weighs_nodes) actions.push_back({ActionKind::prefer, 0});
  const auto nodes = static_cast<std::uint32_t>(nodes_.size());
  const std::uint32_t most = std::min(nodes - 1, std::max(nodes / 10, 1U));
  for (std::uint32_t k = 1; k <= most; k = std::max(k + 1, k * 3 / 2)) actions.push_back({ActionKind::drain, k});
  if (most > 0 && actions.back().drained != most) actions.push_back({ActionKind::drain, most});
  if (policy.placement != candidate) actions.push_back({ActionKind::place, 0});
  return actions;
}

Trial ActionTrials::trial(const Action& action, const TrialSetting& setting, const std::function<void()>& done) {
  const bool places = action.kind == ActionKind::place || action.kind == ActionKind::both;
  const auto runs = runs_of(setting, places);
  const auto nodes = setting.overrides.empty() ? nodes_ : nodes_of(runs.front());  // another knowledge, other nodes
  Trial trial{action, {}};
  for (const RunPlan& run : runs) {
    trial.outcomes.push_back(simulated(action, run, nodes, setting.load));
    if (done) done();
  }
  return trial;
}

std::optional<Trial> ActionTrials::without_slowest_gpu() {
  if (nodes_.front().gpus < 2) return std::nullopt;
  Trial trial{{ActionKind::drain, 1}, {}};
  for (const RunPlan& run : site_.runs) {
    const Inputs::Loaded loaded = inputs_.load(run);
    const auto rest = without_gpu(loaded, slowest_gpu(loaded, nodes_.front()), run.cluster.nodes_per_cabinet);
    const bool fits =
        std::ranges::all_of(loaded.workload.jobs, [&](const Job& job) { return job.gpus <= rest.topology.gpus(); });
    if (!fits || !run.cluster.partition_sizes.empty()) return std::nullopt;
    const Bins believed(rest.truth, run.cluster.bins);
    const Partitioning partitioning = partitioning_of(run, rest.topology);
    const auto result = simulate_loaded(run, with(loaded, {rest.topology, rest.truth, believed, loaded.workload,
                                                           partitioning, loaded.outages, loaded.node_weights}));
    trial.outcomes.push_back(outcome_of(result, loaded.workload));
  }
  return trial;
}

double ActionTrials::capacity(const Action& action) const {
  double out = 0, all = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    all += nodes_[i].gpus;
    if (i < action.drained) out += nodes_[i].gpus;
  }
  return out / all;
}

std::vector<RunPlan> ActionTrials::runs_of(const TrialSetting& setting, bool places) const {
  std::vector<std::string> overrides = overrides_;
  overrides.insert(overrides.end(), setting.overrides.begin(), setting.overrides.end());
  if (places) overrides.push_back(std::string(keys::placement) + "=" + candidate);
  const bool same = overrides.size() == overrides_.size();
  std::vector<RunPlan> runs = same ? site_.runs : read_study(file_, overrides).runs;
  if (runs.size() > setting.most) runs.resize(setting.most);
  for (RunPlan& run : runs) {
    scale_penalties(run, setting.penalty_part);
    if (!setting.backfill) leave_backfill_out(run);
  }
  return runs;
}

std::vector<RankedNode> ActionTrials::nodes_of(const RunPlan& run) {
  const bool named = source_of(run.cluster).uses("hosts");
  return ranked_nodes(inputs_.load(run), run.policy.knowledge == "oracle",
                      named ? inputs_.site_nodes(run) : std::vector<SiteNode>());
}

TrialOutcome ActionTrials::simulated(const Action& action, RunPlan run, const std::vector<RankedNode>& nodes,
                                     double load) {
  const Inputs::Loaded loaded = inputs_.load(run);
  std::vector<Outage> outages = loaded.outages;
  const auto drained = drained_nodes(action, nodes);
  if (!can_drain(loaded, drained)) return {.jct_mean_s = nan};
  outages.insert(outages.end(), drained.begin(), drained.end());
  std::vector<double> weights = loaded.node_weights;
  if (action.kind == ActionKind::prefer) {
    weights.assign(loaded.topology.nodes(), 1);
    for (const RankedNode& node : nodes) weights[node.node] = static_cast<double>(node.weight);
  }
  // What a run has is told by its keys, and nothing reads these files any more.
  if (!drained.empty()) run.cluster.outages = "drained";
  if (!weights.empty()) run.cluster.weights = "preferred";
  std::optional<Workload> scaled;
  if (load != 1) {
    scaled = loaded.workload;
    for (Job& job : scaled->jobs) job.iterations *= load;
  }
  const Workload& jobs = scaled ? *scaled : loaded.workload;
  const auto result = simulate_loaded(
      run, with(loaded, {loaded.topology, loaded.truth, loaded.believed, jobs, loaded.partitioning, outages, weights}));
  return outcome_of(result, jobs);
}

}  // namespace palstudy
