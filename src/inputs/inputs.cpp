// SPDX-License-Identifier: MIT
#define XXH_INLINE_ALL
#include "inputs/inputs.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "core/sha256.hpp"
#include "core/text.hpp"
#include "inputs/cluster_inputs.hpp"
#include "inputs/failure_inputs.hpp"
#include "inputs/input_files.hpp"
#include "inputs/node_weights.hpp"
#include "inputs/penalty_inputs.hpp"
#include "inputs/power_inputs.hpp"
#include "inputs/power_world.hpp"
#include "inputs/queue_inputs.hpp"
#include "inputs/share_inputs.hpp"
#include "inputs/site_validation.hpp"
#include "inputs/start_inputs.hpp"
#include "policy/tensor_groups.hpp"
#include "study/fingerprint.hpp"
#include "study/keys/key_names.hpp"
#include "study/keys/run_features.hpp"
#include "study/study.hpp"

namespace palstudy {
namespace {

void check_widest(const RunPlan& run, const Workload& workload, std::uint32_t gpus) {
  for (const Job& job : workload.jobs) {
    if (job.gpus <= gpus) continue;
    throw data_error(fmt::format("job {} wants {} GPUs, but the cluster has {}", job.id, job.gpus, gpus), jobs_of(run),
                     "make cluster.gpus larger, or leave such jobs out by workload.wider = \"skip\"");
  }
}

/// The most GPUs in groups, each on one node, that a job of so many GPUs can have: of one partition, or of all
/// partitions for jobs wider than any.
std::uint64_t room_in_groups(std::uint32_t group, std::uint32_t gpus, const Topology& topology,
                             const Partitioning& partitioning) {
  if (gpus > partitioning.widest()) return gpus_in_groups(group, topology, NodeId(0), topology.nodes());
  std::uint64_t room = UINT64_MAX;
  for (std::uint32_t p = 0; p < partitioning.partitions(); ++p) {
    const PartitionId id(p);
    room = std::min(room, gpus_in_groups(group, topology, partitioning.first_node(id), partitioning.nodes(id)));
  }
  return room;
}

/// Jobs whose GPUs work in groups have to fit whole nodes.
void check_groups(const RunPlan& run, const Workload& workload, const Topology& topology,
                  const std::vector<JobModel>& models) {
  const Partitioning partitioning = partitioning_of(run, topology);
  for (const Job& job : workload.jobs) {
    const JobModel& model = models[job.model];
    if (model.kind == JobModelKind::plain) continue;
    const std::string name = "job " + std::to_string(job.id) + " of model \"" + workload.models[job.model] + "\"";
    if (const auto problem = misfit(model, job.gpus); !problem.empty()) {
      throw data_error(fmt::format("{}: {}", name, problem), jobs_of(run), "give it another number of GPUs");
    }
    const std::uint64_t room = room_in_groups(model.tensor, job.gpus, topology, partitioning);
    if (job.gpus <= room) continue;
    throw data_error(
        fmt::format("{} wants {} GPUs{} in groups of {}, each group on one node; there are {}", name, job.gpus,
                    job.gpus > partitioning.widest() ? "" : " of one partition", model.tensor, room),
        jobs_of(run), "give the cluster larger nodes, more of them, or fewer partitions");
  }
}

/// What a run has that does not go together with jobs on several partitions; none if all of it does.
const Apart* apart_from_wide_jobs(const RunPlan& run) {
  Features features = features_of(run);
  features.set(Feature::wide_jobs);
  const Apart* const row = first_apart(features);
  return row != nullptr && row->first == Feature::wide_jobs ? row : nullptr;
}

/// Jobs wider than the whole cluster are refused first.
void check_wide_jobs(const Study& study, const RunPlan& run, const Apart& row, const Workload& workload,
                     const Topology& topology) {
  check_widest(run, workload, topology.gpus());
  const std::uint32_t widest = partitioning_of(run, topology).widest();
  for (const Job& job : workload.jobs) {
    if (job.gpus <= widest) continue;
    const std::string& key = key_of(row.second)->key;
    throw usage_error(fmt::format("job {} wants {} GPUs, but a partition has {}: that does not go together with {}; {}",
                                  job.id, job.gpus, widest, key, row.why),
                      study.place_of(key), row.advice);
  }
}

/// The error where no job is measured, with the jobs that could be.
Error none_measured(const RunPlan& run, const Workload& workload, const std::string& where) {
  const auto& measure = run.measure;
  if (workload.jobs.empty()) return usage_error(jobs_of(run) + " has no job to measure", where, "give another");
  const auto by_id = [](const Job& a, const Job& b) { return a.id < b.id; };
  const auto [first, last] = std::minmax_element(workload.jobs.begin(), workload.jobs.end(), by_id);
  if (measure.by_window) {
    return usage_error(
        fmt::format("no job of {} arrives in the window of [measure], from {} s to {} s", jobs_of(run),
                    shortest(measure.warmup_s), shortest(measure.warmup_s + measure.window_s)),
        where,
        fmt::format(
            "its jobs arrive from {} s to {} s: choose measure.warmup_s and measure.window_s so that some are in",
            shortest(workload.jobs.front().submit_s), shortest(workload.jobs.back().submit_s)));
  }
  return usage_error(
      fmt::format("[measure] takes in no job of {}, whose ids go from {} to {}", jobs_of(run), first->id, last->id),
      where, fmt::format("give measure.jobs = {{ first = {}, last = {} }}, or a part of it", first->id, last->id));
}

/// Checks what needs no clusters and no jobs.
void check_measured_number(const Study& study, const RunPlan& run) {
  if (!run.workload.generator.empty() && run.measured.by == MeasuredBy::nothing) {
    throw usage_error("the study does not say which jobs are measured, and a generator makes jobs without end",
                      study.place_of(keys::generator, run.workload.generator),
                      "give measure.jobs = { first = 0, last = 999 }, or measure.window_s");
  }
  const auto last = static_cast<std::uint64_t>(std::max<std::int64_t>(run.measure.last, 0));
  if (run.workload.generator.empty() || run.measure.by_window || last < most_generated_jobs) return;
  throw usage_error(fmt::format("measure.jobs ends at job {}, but a generator makes at most {}", run.measure.last,
                                most_generated_jobs),
                    run.measured.where, "measure fewer jobs");
}

/// Checks that the jobs of `[measure]` exist.
void check_measure(const Study& study, const RunPlan& run, const Workload& workload, bool dropped) {
  const auto& measure = run.measure;
  const auto measured = [&](const Job& job) { return measure.takes(job); };
  const auto by_id = [](const Job& a, const Job& b) { return a.id < b.id; };
  const auto largest = std::ranges::max_element(workload.jobs, by_id);
  const std::string where = run.measured.where.empty() ? study.file.string() : run.measured.where;
  if ((run.measured.by == MeasuredBy::study) && !measure.by_window && largest != workload.jobs.end() &&
      largest->id < measure.last) {
    const std::string left = dropped ? " without the jobs that tenants.unlisted = \"drop\" leaves out" : "";
    throw usage_error(fmt::format("measure.jobs ends at job {}, but the largest id of {}{} is {}", measure.last,
                                  jobs_of(run), left, largest->id),
                      where, fmt::format("let measure.jobs.last be at most {}", largest->id));
  }
  if (std::ranges::any_of(workload.jobs, measured)) return;
  throw none_measured(run, workload, where);
}

/// A predictor may refuse the jobs, as `column` does where the trace lacks what it reads.
void check_predictor(const RunPlan& run, const Workload& workload) {
  const auto& from = run.workload;
  if (from.predictor.empty() || !orders().at(run.policy.order).make(run.policy.order_params)->predicts()) return;
  (void)predictors().at(from.predictor).make.make({workload, from.seed}, from.predictor_params);
}

}  // namespace

struct Inputs::State {
  explicit State(const Study& of) : study(of) {}
  [[nodiscard]] std::optional<TenantRules> tenant_rules(const RunPlan& run) {
    if (!run.tenants.on) return std::nullopt;
    return tenants.rules(run, workloads.workload(run), clusters.topology(run).gpus());
  }

  /// Null where the run does not depend on them.
  [[nodiscard]] const std::vector<double>* temperatures_c(const RunPlan& run) {
    return wants_temperatures(run) ? &clusters.temperatures_c(run) : nullptr;
  }
  [[nodiscard]] std::optional<PowerWorld> power_world_of(const RunPlan& run) {
    if (!run.power.on()) return std::nullopt;
    return power_world(run, {clusters.topology(run), clusters.believed(run), power.of(run), temperatures_c(run)});
  }

  const Study& study;
  InputFiles files{study};
  ProfileInputs profiles{files};
  ClusterInputs clusters{files, profiles};
  TenantInputs tenants{files};
  QueueInputs queues{files};
  WorkloadInputs workloads{files, clusters, tenants, queues};
  PenaltyInputs penalties{files, workloads};
  OutageInputs outages{files};
  NodeWeightInputs weights{files};
  ShareInputs shares{files};
  StartInputs starts{files};
  FailureInputs failures{files, clusters, workloads};
  PowerInputs power{files, profiles, clusters, workloads};
  std::vector<MeasuredSet> sets;
};

Inputs::Inputs(const Study& study) : state_(std::make_unique<State>(study)) {}
Inputs::~Inputs() = default;

std::vector<Note> Inputs::check() {
  State& all = *state_;
  for (const Note& note : all.study.notes) all.files.note(note);
  for (const RunPlan& run : all.study.runs) check_measured_number(all.study, run);
  std::set<std::string> seen, predicted, doubted;
  std::set<std::tuple<std::uint32_t, std::string, std::string>> counted;
  all.sets.clear();
  for (const RunPlan& run : all.study.runs) {
    if (run.network.measured || run.policy.locality_measured) (void)all.penalties.of(run);
    (void)all.tenant_rules(run);
    (void)all.outages.of(run, all.clusters.topology(run));
    (void)all.weights.of(run, all.clusters.topology(run));
    (void)all.queues.of(run, all.workloads.workload(run), all.clusters.topology(run));
    (void)all.shares.of(run, all.workloads.workload(run));
    (void)all.starts.of(run, all.workloads.workload(run));
    (void)all.power.of(run);
    (void)all.temperatures_c(run);
    (void)all.failures.of(run);
    if (const Apart* const row = apart_from_wide_jobs(run)) {
      check_wide_jobs(all.study, run, *row, all.workloads.workload(run), all.clusters.topology(run));
    }
    const std::string asked = run.policy.order + "\n" + run.workload.predictor + "\n" + workload_text(run);
    if (predicted.insert(asked).second) check_predictor(run, all.workloads.workload(run));
    const std::string measured = section_text(run, "measure");
    const std::string text = cluster_text(run) + "\n" + value_text(run, keys::partitions) + "\n" +
                             section_text(run, routing_section) + "\n" + workload_text(run) + "\n" + measured;
    if (!seen.insert(text).second) continue;
    const Workload& workload = all.workloads.workload(run);
    const Topology& topology = all.clusters.topology(run);
    check_widest(run, workload, topology.gpus());
    (void)partitions_of_tenants(run, workload);
    check_groups(run, workload, topology, all.workloads.job_models(run));
    check_measure(all.study, run, workload, all.tenants.dropped_some(run));
    if (counted.emplace(topology.gpus(), workload_text(run), measured).second) {
      all.sets.push_back(measured_set(run, workload, topology.gpus()));
      auto doubt = doubt_of_units(all.sets.back(), workload);
      if (doubt && doubted.insert(run.workload.trace).second) all.files.note(std::move(*doubt));
    }
  }
  const RunPlan& site = site_run(all.study);
  if (all.workloads.records_starts(site)) all.files.note(validation_note(all.study, as_the_site_ran(all.study)));
  return all.files.notes();
}

std::map<std::string, std::string> Inputs::sha256() const {
  std::map<std::string, std::string> digests;
  for (const auto& [written, path] : state_->files.read()) digests.emplace(written, sha256_file(path));
  return digests;
}

Inputs::Loaded Inputs::load(const RunPlan& run) {
  State& all = *state_;
  return {all.clusters.topology(run),
          all.clusters.truth(run),
          all.clusters.believed(run),
          all.workloads.workload(run),
          run.network.measured ? all.penalties.of(run) : Penalties(run.network.penalty),
          run.policy.locality_measured ? all.penalties.of(run) : Penalties(run.policy.locality),
          all.workloads.job_models(run),
          all.tenant_rules(run),
          all.failures.of(run),
          partitioning_of(run, all.clusters.topology(run)),
          partitions_of_tenants(run, all.workloads.workload(run)),
          all.outages.of(run, all.clusters.topology(run)),
          all.weights.of(run, all.clusters.topology(run)),
          all.power.of(run),
          all.power_world_of(run),
          all.queues.of(run, all.workloads.workload(run), all.clusters.topology(run)),
          all.shares.of(run, all.workloads.workload(run)),
          all.starts.of(run, all.workloads.workload(run))};
}

std::vector<SiteNode> Inputs::site_nodes(const RunPlan& run) { return state_->clusters.site_nodes(run); }

Inputs::LoadedCluster Inputs::load_cluster(const RunPlan& run) {
  ClusterInputs& clusters = state_->clusters;
  return {clusters.topology(run), clusters.truth(run), clusters.classes(run)};
}

const std::vector<Note>& Inputs::notes() const { return state_->files.notes(); }

const std::vector<MeasuredSet>& Inputs::measured() const { return state_->sets; }

std::string Inputs::profile_origin() const { return state_->profiles.origin(); }

std::vector<const Measurements*> Inputs::measurements() const { return state_->profiles.measurements(); }

TraceBlocks Inputs::trace_blocks() {
  TraceBlocks fewest;
  std::set<std::pair<std::string, Resampling>> seen;
  for (const RunPlan& run : state_->study.runs) {
    const auto& from = run.workload;
    if (from.resampling == Resampling::none) continue;
    if (!seen.emplace(from.trace, from.resampling).second) continue;
    const TraceBlocks blocks = state_->workloads.trace_blocks(run);
    if (fewest.how == Resampling::none || blocks.degrees() < fewest.degrees()) fewest = blocks;
  }
  return fewest;
}

std::string Inputs::cluster_key(const RunPlan& run) const {
  const std::string text = cluster_text(run);
  std::array<char, 17> hex{};  // with the NUL
  (void)std::snprintf(hex.data(), hex.size(), "%016llx",
                      static_cast<unsigned long long>(XXH3_64bits(text.data(), text.size())));
  return hex.data();
}

}  // namespace palstudy
