// SPDX-License-Identifier: MIT
#include "record/record.hpp"

#include <algorithm>
#include <cmath>

#include "core/numbers.hpp"
#include "core/text.hpp"
#include "record/digest.hpp"
#include "record/table_builder.hpp"
#include "sim/output/metrics.hpp"

namespace palstudy {
namespace {

/// The value of an axis in the type that the axis has over all of its values.
ColumnValues axis_values(const Axis& axis, const AxisValue& value) {
  switch (axis.type) {
    case ColumnType::integer:
      if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::vector<std::int64_t>{*integer};
      throw fault("the axis is of integers, one value is not", axis.key);
    case ColumnType::real:
      if (const auto* integer = std::get_if<std::int64_t>(&value)) {
        return std::vector<double>{static_cast<double>(*integer)};
      }
      if (const auto* real = std::get_if<double>(&value)) return std::vector<double>{*real};
      throw fault("the axis is of numbers, one value is not", axis.key);
    case ColumnType::text:
      break;
  }
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return TextColumn{{0}, {std::to_string(*integer)}};
  if (const auto* real = std::get_if<double>(&value)) return TextColumn{{0}, {shortest(*real)}};
  return TextColumn{{0}, {std::get<std::string>(value)}};
}

void add_axes(TableBuilder& runs, const RunLabel& label) {
  if (label.axes.size() != label.values.size()) throw fault("not one value for each axis", "run " + label.id);
  for (std::size_t i = 0; i < label.axes.size(); ++i) {
    const Axis& axis = label.axes[i];
    if (axis.key == "seed") continue;  // is the fixed column
    runs.add(axis_column(axis.key, axis.type), axis_values(axis, label.values[i]));
  }
}

/// The row of /runs; `result` null for a run that failed. The digest is filled in when all tables are there.
TableData make_runs(const RunLabel& label, const RunResult* result, std::size_t job_rows) {
  TableBuilder runs(TableId::runs, 1, label.run);
  runs.text("id", label.id);
  runs.text("status", result ? "done" : "failed");
  runs.integer("seed", static_cast<std::int64_t>(label.seed));
  add_axes(runs, label);
  runs.integer("job_begin", 0);
  runs.integer("job_count", static_cast<std::int64_t>(job_rows));
  runs.text("digest", "");
  for (std::size_t i = 0; i < metric_count; ++i) {
    if (metric_infos[i].use == MetricUse::energy && (result == nullptr || result->power.size() == 0)) continue;
    if (metric_infos[i].use == MetricUse::power && (result == nullptr || result->power_wait_s.empty())) continue;
    if (metric_infos[i].use == MetricUse::estimates && !label.by_estimates) continue;
    if (metric_infos[i].type == MetricType::count) {
      runs.integer(metric_infos[i].name, result ? std::llround(result->metrics[i]) : -1);
    } else {
      runs.real(metric_infos[i].name, result ? result->metrics[i] : nan);
    }
  }
  return runs.take();
}

/// Modelled use of the GPUs of a job: the slower it runs, the less of their time or bandwidth it uses.
double modelled_use(const Workload& workload, const Job& job, double ModelUse::*use, double factor) {
  if (job.model >= workload.model_use.size()) return nan;
  return workload.model_use[job.model].*use / factor;
}

std::string name_of(const std::vector<std::string>& names, std::size_t index) {
  return index < names.size() ? names[index] : std::string();
}

/// What became of a job: JobStatus in a run with failures, else whether it finished, and whether it started.
constexpr std::array<const char*, 6> status_names = {"finished",     "passed",  "killed",
                                                     "unsuccessful", "waiting", "running"};

std::size_t status_of(const JobRows& rows, std::size_t i) {
  if (!rows.finished[i]) return std::isnan(rows.start_s[i]) ? 4 : 5;
  return rows.status.empty() ? 0 : static_cast<std::size_t>(rows.status[i]);
}
static_assert(std::size_t(JobStatus::none) == 0 && std::size_t(JobStatus::unsuccessful) == 3);

TableData make_jobs(std::int64_t run, const RunResult& result, const Workload& workload) {
  const JobRows& rows = result.jobs;
  const std::size_t n = rows.size();
  const auto job = [&](std::size_t i) -> const Job& { return workload.jobs[rows.job[i].index()]; };
  const auto finish_s = [&](std::size_t i) { return rows.finished[i] ? rows.finish_s[i] : nan; };
  const auto view = [&](std::size_t i) {
    return JobView{job(i).submit_s, finish_s(i), rows.exec_s[i], job(i).ideal_s()};
  };
  const auto factor = [&](std::size_t i) { return rows.slowdown_mean[i] * rows.penalty_mean[i]; };
  TableBuilder jobs(TableId::jobs, n, run);
  jobs.integers("job", [&](std::size_t i) { return job(i).id; });
  const auto in = [](const std::vector<std::string>& names) {
    return [&names](std::size_t index) { return name_of(names, index); };
  };
  jobs.texts("class", in(workload.classes), [&](std::size_t i) { return job(i).cls.index(); });
  jobs.texts("model", in(workload.models), [&](std::size_t i) { return job(i).model; });
  jobs.texts("tenant", in(workload.tenants), [&](std::size_t i) { return job(i).tenant; });
  if (!workload.users.empty()) {
    jobs.texts("user", in(workload.users), [&](std::size_t i) { return job(i).user; });
  }
  jobs.integers("gpus", [&](std::size_t i) { return job(i).gpus; });
  jobs.integers("partition", [&](std::size_t i) { return rows.partition[i]; });
  jobs.reals("submit_s", [&](std::size_t i) { return job(i).submit_s; });
  jobs.reals("start_s", [&](std::size_t i) { return rows.start_s[i]; });
  jobs.reals("finish_s", finish_s);
  jobs.reals("jct_s", [&](std::size_t i) { return view(i).jct_s(); });
  jobs.reals("wait_s", [&](std::size_t i) { return view(i).wait_s(); });
  jobs.reals("exec_s", [&](std::size_t i) { return rows.exec_s[i]; });
  jobs.reals("ideal_s", [&](std::size_t i) { return job(i).ideal_s(); });
  jobs.texts(
      "status", [](std::size_t status) { return status_names[status]; },
      [&](std::size_t i) { return status_of(rows, i); });
  jobs.integers("attempts", [&](std::size_t i) { return rows.attempts[i]; });
  jobs.integers("measured", [&](std::size_t i) { return rows.measured[i] ? 1 : 0; });
  jobs.reals("slowdown_mean", [&](std::size_t i) { return rows.slowdown_mean[i]; });
  jobs.reals("penalty_mean", [&](std::size_t i) { return rows.penalty_mean[i]; });
  jobs.integers("preemptions", [&](std::size_t i) { return rows.preemptions[i]; });
  jobs.integers("migrations", [&](std::size_t i) { return rows.migrations[i]; });
  if (!result.job_energy_j.empty()) {
    jobs.reals("energy_j", [&](std::size_t i) { return result.job_energy_j.at(rows.job[i].index()); });
  }
  if (!result.power_wait_s.empty()) {
    jobs.reals("power_wait_s", [&](std::size_t i) { return result.power_wait_s.at(rows.job[i].index()); });
  }
  const auto use = [&](std::size_t i, double ModelUse::*what) {
    return modelled_use(workload, job(i), what, factor(i));
  };
  jobs.reals("gpu_util_mean", [&](std::size_t i) { return use(i, &ModelUse::gpu_util); });
  jobs.reals("mem_bw_util_mean", [&](std::size_t i) { return use(i, &ModelUse::mem_bw_util); });
  return jobs.take();
}

const char* event_name(std::size_t kind) {
  return kind == std::size_t(EventKind::finish) ? "finish" : kind == std::size_t(EventKind::stop) ? "stop" : "launch";
}

void make_events(RunRecord& record, const EventRows& rows, const Workload& workload) {
  const std::size_t n = rows.size();
  // The GPUs are laid down in the order of the events, so that the offsets are no part of the result.
  std::vector<std::int64_t> begin(n), gpus;
  gpus.reserve(rows.gpus.size());
  for (std::size_t i = 0; i < n; ++i) {
    begin[i] = static_cast<std::int64_t>(gpus.size());
    const auto first = rows.gpus.begin() + static_cast<std::ptrdiff_t>(rows.gpu_begin[i]);
    gpus.insert(gpus.end(), first, first + rows.gpu_count[i]);
  }
  TableBuilder events(TableId::events, n, record.run);
  events.reals("time_s", [&](std::size_t i) { return rows.time_s[i]; });
  events.texts("kind", event_name, [&](std::size_t i) { return rows.kind[i]; });
  events.integers("job", [&](std::size_t i) { return workload.jobs[rows.job[i].index()].id; });
  events.add("gpu_begin", std::move(begin));
  events.integers("gpu_count", [&](std::size_t i) { return rows.gpu_count[i]; });
  record.events = events.take();
  TableBuilder event_gpus(TableId::event_gpus, gpus.size());
  event_gpus.add("gpu", std::move(gpus));
  record.event_gpus = event_gpus.take();
}

TableData make_failures(std::int64_t run, const RunResult& result, const Workload& workload) {
  const FailureRows& rows = result.failures;
  const std::size_t n = rows.size();
  TableBuilder failures(TableId::failures, n, run);
  failures.integers("job", [&](std::size_t i) { return workload.jobs[rows.job[i].index()].id; });
  failures.integers("attempt", [&](std::size_t i) { return rows.attempt[i]; });
  failures.texts(
      "reason", [&](std::size_t reason) { return result.failure_reasons[reason]; },
      [&](std::size_t i) { return rows.reason[i]; });
  failures.integers("gpus", [&](std::size_t i) { return rows.gpus[i]; });
  failures.integers("node", [&](std::size_t i) { return rows.node[i]; });
  failures.integers("gpu", [&](std::size_t i) { return rows.gpu[i]; });
  failures.reals("time_s", [&](std::size_t i) { return rows.time_s[i]; });
  failures.reals("run_s", [&](std::size_t i) { return rows.run_s[i]; });
  failures.reals("lost_s", [&](std::size_t i) { return rows.lost_s[i]; });
  return failures.take();
}

TableData make_rounds(std::int64_t run, const RoundRows& rows) {
  const std::size_t n = rows.size();
  TableBuilder rounds(TableId::rounds, n, run);
  rounds.reals("time_s", [&](std::size_t i) { return rows.time_s[i]; });
  rounds.integers("queued", [&](std::size_t i) { return rows.queued[i]; });
  rounds.integers("running", [&](std::size_t i) { return rows.running[i]; });
  rounds.integers("free_gpus", [&](std::size_t i) { return rows.free_gpus[i]; });
  rounds.integers("demand_gpus", [&](std::size_t i) { return rows.demand_gpus[i]; });
  return rounds.take();
}

TableData make_delays(std::int64_t run, const RunResult& result, const Workload& workload) {
  const std::size_t n = result.delays.size();
  if (n == 0) return {};
  TableBuilder delays(TableId::delays, n, run);
  delays.integers("job", [&](std::size_t i) { return workload.jobs[result.jobs.job[i].index()].id; });
  const auto column = [&](const char* name, DelayCause cause) {
    const std::vector<double>& seconds = result.delays.of(cause);
    delays.reals(name, [&](std::size_t i) { return seconds.at(i); });
  };
  column("fair_share_s", DelayCause::fair_share);
  column("fragmentation_s", DelayCause::fragmentation);
  column("gang_s", DelayCause::gang);
  column("locality_s", DelayCause::locality);
  const auto mean = [&](const std::vector<double>& sums) {  // over the time in which GPUs were held; NaN: never
    return [&](std::size_t i) { return sums.at(i) / result.jobs.exec_s[i]; };
  };
  delays.reals("nodes_mean", mean(result.delays.node_s));
  delays.reals("shared_fraction", mean(result.delays.shared_s));
  return delays.take();
}

TableData make_power(std::int64_t run, const PowerRows& rows, const Workload& workload) {
  constexpr std::array<const char*, power_states> names = {"busy", "idle", "stopping", "off", "booting"};
  TableBuilder power(TableId::power, rows.size(), run);
  power.texts(
      "state", [&](std::size_t state) { return names[state]; }, [&](std::size_t i) { return rows.state[i]; });
  power.texts(
      "class", [&](std::size_t c) { return c == 0 ? std::string() : name_of(workload.classes, c - 1); },
      [&](std::size_t i) { return rows.cls[i] + 1; });
  power.reals("node_s", [&](std::size_t i) { return rows.node_s[i]; });
  power.reals("gpu_s", [&](std::size_t i) { return rows.gpu_s[i]; });
  power.reals("work_s", [&](std::size_t i) { return rows.work_s[i]; });
  power.reals("energy_j", [&](std::size_t i) { return rows.energy_j[i]; });
  return power.take();
}

TableData make_solves(std::int64_t run, const SolveRows& rows) {
  TableBuilder solves(TableId::solves, rows.size(), run);
  solves.reals("time_s", [&](std::size_t i) { return rows.time_s[i]; });
  solves.integers("partition", [&](std::size_t i) { return rows.partition[i]; });
  solves.texts(
      "objective", [](std::size_t objective) { return share_objective_names.at(objective); },
      [&](std::size_t i) { return rows.objective[i]; });
  solves.integers("jobs", [&](std::size_t i) { return rows.jobs[i]; });
  solves.integers("groups", [&](std::size_t i) { return rows.groups[i]; });
  solves.reals("primal", [&](std::size_t i) { return rows.primal[i]; });
  solves.reals("dual", [&](std::size_t i) { return rows.dual[i]; });
  solves.reals("gap", [&](std::size_t i) { return gap_of(rows.primal[i], rows.dual[i]); });
  solves.integers("iterations", [&](std::size_t i) { return rows.iterations[i]; });
  return solves.take();
}

double mean_slowdown(const Slowdowns& truth, const Topology& topology, ClassId cls, NodeId node) {
  const std::uint32_t first = topology.first_gpu(node).value, gpus = topology.gpus_of(node);
  double sum = 0;
  for (std::uint32_t g = first; g < first + gpus; ++g) sum += truth.at(cls, GpuId(g));
  return sum / gpus;
}

TableData make_nodes(std::int64_t run, const Topology& topology, const Partitioning& partitioning,
                     const Slowdowns& truth, const RunResult& result) {
  if (topology.nodes() > nodes_table_limit) return {};
  const std::size_t n = topology.nodes();
  TableBuilder nodes(TableId::nodes, n, run);
  nodes.integers("node", [](std::size_t i) { return i; });
  nodes.integers("partition", [&](std::size_t i) { return partitioning.of(NodeId(i)).value; });
  nodes.integers("cabinet", [&](std::size_t i) { return topology.cabinet_of(NodeId(i)).value; });
  for (std::size_t c = 0; c < truth.classes(); ++c) {
    std::vector<double> means(n);
    for (std::size_t i = 0; i < n; ++i) means[i] = mean_slowdown(truth, topology, ClassId(c), NodeId(i));
    nodes.add(slowdown_column(truth.class_names()[c]), std::move(means));
  }
  const std::vector<double>& busy_s = result.node_busy_s;
  nodes.reals("busy_s", [&](std::size_t i) { return i < busy_s.size() ? busy_s[i] : nan; });
  std::vector<std::int64_t> faults(n, 0);
  for (const std::int64_t node : result.failures.node) {
    if (node >= 0) ++faults[static_cast<std::size_t>(node)];
  }
  nodes.add("faults", std::move(faults));
  return nodes.take();
}

double largest_slowdown(const Slowdowns& truth) {
  double largest = 0;
  for (std::size_t c = 0; c < truth.classes(); ++c) {
    for (const double slowdown : truth.of(ClassId(c))) largest = std::max(largest, slowdown);
  }
  return largest;
}

TableData make_provenance(const RunLabel& label, double slowdown_max, const std::string& reason) {
  TableBuilder provenance(TableId::provenance_runs, 1, label.run);
  provenance.real("wall_s", label.wall_s);
  provenance.real("peak_rss_mib", label.peak_rss_mib);
  provenance.integer("cores", label.cores);
  provenance.real("slowdown_max", slowdown_max);
  provenance.text("reason", reason);
  return provenance.take();
}

}  // namespace

RunRecord make_record(const RunLabel& label, const RunResult& result, const Workload& workload, const Slowdowns& truth,
                      const Topology& topology, const Partitioning& partitioning, const OutputTables& tables) {
  RunRecord record;
  record.run = label.run;
  record.id = label.id;
  record.runs = make_runs(label, &result, tables.jobs ? result.jobs.size() : 0);
  if (tables.jobs) record.jobs = make_jobs(label.run, result, workload);
  if (tables.jobs) record.delays = make_delays(label.run, result, workload);
  if (tables.events) make_events(record, result.events, workload);
  if (tables.rounds) record.rounds = make_rounds(label.run, result.rounds);
  if (result.with_failures) record.failures = make_failures(label.run, result, workload);
  if (result.power.size() > 0) record.power = make_power(label.run, result.power, workload);
  if (result.solves.size() > 0) record.solves = make_solves(label.run, result.solves);
  record.nodes = make_nodes(label.run, topology, partitioning, truth, result);
  record.provenance = make_provenance(label, largest_slowdown(truth), "");
  set_digest(record);
  return record;
}

RunRecord make_failed_record(const RunLabel& label, const std::string& reason) {
  RunRecord record;
  record.run = label.run;
  record.id = label.id;
  record.status = RunStatus::failed;
  record.reason = reason;
  record.runs = make_runs(label, nullptr, 0);
  record.provenance = make_provenance(label, nan, reason);
  set_digest(record);
  return record;
}

void renumber(RunRecord& record, std::int64_t run) {
  if (record.run == run) return;
  record.run = run;
  for (const Table& table : all_tables) {
    TableData& data = record.*table.data;
    for (std::size_t c = 0; c < data.columns.size(); ++c) {
      if (data.columns[c].name != "run") continue;
      std::ranges::fill(std::get<std::vector<std::int64_t>>(data.values[c]), run);
    }
  }
  set_digest(record);
}

}  // namespace palstudy
