// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/csv.hpp"
#include "core/random.hpp"
#include "default_params.hpp"
#include "sim/simulation.hpp"
#include "sim/state/energy_model.hpp"
#include "sim/state/scheduler.hpp"

namespace palstudy {

/// A whole run in a few lines: nodes of equal size, one class "A" unless `slowdown_values` says more, jobs by hand.
struct SmallWorld {
  std::uint32_t nodes = 1;
  std::uint32_t gpus_per_node = 4;
  std::uint32_t nodes_per_cabinet = 16;
  std::vector<std::string> classes = {"A"};
  std::vector<double> slowdown_values;  ///< class by class; empty: all 1
  std::vector<Job> jobs;
  std::string order = "fifo";
  std::string placement = "packed-sticky";
  std::string backfill;                          ///< one with reservations; empty: by `engine`
  std::function<void(ParamValues&)> set_params;  ///< of order and placement; none: their defaults
  std::vector<ModelUtilization> model_use;       ///< by Job::model
  BinRule bins;
  LocalityPenalty penalty{1.0, 1.7, 1.7};
  std::optional<LocalityPenalty> believed_penalty;           ///< none: `penalty`
  std::vector<LocalityPenalty> by_model, believed_by_model;  ///< by Job::model; empty: one for all, as above
  std::vector<JobModel> job_models;                          ///< by Job::model; empty: all plain
  EngineOptions engine;
  MeasureWindow measure;
  std::uint32_t partitions = 1;
  std::vector<std::uint32_t> partition_sizes;             ///< in GPUs; empty: `partitions` of about equal size
  std::vector<PartitionId> of_tenant = {PartitionId(0)};  ///< by Job::tenant, for routing "tenant"
  std::string predictor;                                  ///< "": nothing is predicted
  std::string routing = "least-loaded";
  RoutingOptions routing_options;
  std::optional<TenantRules> tenants;  ///< by Job::tenant
  std::vector<std::string> tenant_names = {""};
  InterferenceRules interference;
  std::string failures;  ///< a table of failures as CSV; empty: no attempt fails
  FailureOptions failure_options;
  Faults faults = Faults::job;
  bool slow_faults = false;
  std::vector<MakeEffect> effects;
  std::vector<Outage> outages;
  std::optional<EnergyModel> energy;  ///< none: it is not accounted
  std::optional<PowerOptions> power;  ///< none: all nodes stay on
  std::vector<double> off_first;      ///< by node; empty: the last first
  std::vector<MakeObserver> observers;
  std::optional<QueueRules> queues;  ///< by Job::queue
  std::optional<ShareTree> shares;   ///< by job
  JobLinks links;
  std::shared_ptr<const ElasticJobs> elastic;                                    ///< none: all jobs are rigid
  std::function<std::unique_ptr<Scheduler>(const SchedulerContext&)> scheduler;  ///< none: `list`

  /// A job of class 0 with one second an iteration.
  void add(double submit_s, std::uint32_t gpus, double seconds, std::uint32_t cls = 0) {
    Job job;
    job.id = static_cast<std::int64_t>(jobs.size());
    job.submit_s = submit_s;
    job.gpus = gpus;
    job.iterations = seconds;
    job.iteration_s = 1.0;
    job.cls = ClassId(cls);
    jobs.push_back(job);
  }

  [[nodiscard]] Penalties penalties(const std::vector<LocalityPenalty>& models, const LocalityPenalty& same) const {
    if (models.empty()) return same;
    std::vector<std::uint16_t> of_job;
    for (const Job& job : jobs) of_job.push_back(job.model);
    return {models, of_job};
  }

  [[nodiscard]] std::function<std::unique_ptr<Predictor>()> maker(const Workload& workload) const {
    if (predictor.empty()) return nullptr;
    return [&] {
      const auto& chosen = predictors().at(predictor);
      ParamValues params;
      for (const Param& param : chosen.params) params.set(param.name, std::stod(param.default_value));
      return chosen.make.make({workload, 1}, params);
    };
  }

  /// `use(world, policies)`.
  template <class Use>
  [[nodiscard]] auto with_world(Use use) const {
    const std::vector<NodeGroup> groups = {{nodes, gpus_per_node}};
    const Topology topology(groups, nodes_per_cabinet);
    const Slowdowns truth = slowdown_values.empty() ? Slowdowns::flat(classes, topology.gpus())
                                                    : Slowdowns(classes, topology.gpus(), slowdown_values);
    const Bins believed(truth, bins);
    Workload workload;
    workload.jobs = jobs;
    workload.links = links;
    const StartRules starts(workload);
    workload.classes = classes;
    workload.models = {""};
    workload.tenants = tenant_names;
    workload.model_use = model_use;
    const auto params = [&](const auto& entry) {
      ParamValues values = default_params(entry.params);
      for (const char* factor : {"Age", "Fairshare", "JobSize"}) {  // without a weight multifactor is no order
        values.set(std::string("PriorityWeight") + factor, 1000.0);
      }
      if (set_params) set_params(values);
      return values;
    };
    const auto order_policy = orders().at(order).make(params(orders().at(order)));
    const Penalties physics = penalties(by_model, penalty);
    const Penalties seen =
        penalties(believed_by_model.empty() ? by_model : believed_by_model, believed_penalty.value_or(penalty));
    const auto placement_policy =
        placements().at(placement).make({topology, believed, seen, 1, &workload}, params(placements().at(placement)));
    const auto routing_policy = routings().at(routing).make({believed, seen, 1, of_tenant}, {});
    std::optional<FailureWorld> failing;
    if (!failures.empty()) {
      failing.emplace(FailureWorld{AttemptModel(failure_table(CsvTable::parse(failures, "table")), failure_options),
                                   FaultyPlaces(topology, truth, faults, slow_faults, failure_options.seed)});
    }
    std::optional<PowerWorld> powering;
    if (power) powering.emplace(PowerWorld{*power, off_first});
    if (power && off_first.empty()) powering->off_first.resize(nodes, 0.0);
    std::unique_ptr<BackfillPolicy> backfill_policy;
    if (!backfill.empty()) {
      backfill_policy = backfills().at(backfill).make(params(backfills().at(backfill)));
    }
    EngineOptions engine_here = engine;
    if (backfill_policy) engine_here.limit_checks = backfill_policy->limit_checks();
    const World world{
        topology,
        truth,
        believed,
        workload,
        physics,
        seen,
        engine_here,
        measure,
        {true, true},
        partition_sizes.empty() ? Partitioning(topology, partitions) : Partitioning(topology, partition_sizes),
        routing_options,
        job_models,
        tenants ? &*tenants : nullptr,
        failing ? &*failing : nullptr,
        interference,
        effects,
        outages,
        elastic.get(),
        maker(workload),
        energy ? &*energy : nullptr,
        powering ? &*powering : nullptr,
        observers,
        queues ? &*queues : nullptr,
        shares ? &*shares : nullptr,
        starts.empty() ? nullptr : &starts};
    return use(world,
               Policies{*order_policy, *placement_policy, routing_policy.get(), scheduler, backfill_policy.get()});
  }

  /// With the ranks of `exchange`; the result is rank 0's.
  [[nodiscard]] RunResult run(Exchange& exchange) const {
    return with_world(
        [&](const World& world, const Policies& policies) { return simulate(world, policies, exchange); });
  }

  [[nodiscard]] RunResult run() const {
    LocalExchange alone;
    return run(alone);
  }
};

/// Jobs of random widths, lengths and classes, arriving over `span_s`.
inline void add_random_jobs(SmallWorld& world, std::uint64_t seed, int jobs, double span_s, double longest_s) {
  RandomStream random(seed, Purpose::job_shape, 0);
  std::vector<double> arrivals;
  for (int i = 0; i < jobs; ++i) arrivals.push_back(std::floor(random.uniform() * span_s));
  std::sort(arrivals.begin(), arrivals.end());
  const std::uint32_t gpus = world.nodes * world.gpus_per_node;
  for (const double arrival : arrivals) {
    const std::uint32_t width = 1 + random.below(random.below(4) == 0 ? gpus : world.gpus_per_node);
    world.add(arrival, width, 1 + std::floor(random.uniform() * longest_s),
              random.below(static_cast<std::uint32_t>(world.classes.size())));
  }
}

}  // namespace palstudy
