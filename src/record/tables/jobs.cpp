// SPDX-License-Identifier: MIT
#include <array>
#include <cmath>

#include "core/numbers.hpp"
#include "record/record.hpp"
#include "record/table_builder.hpp"
#include "sim/output/metrics.hpp"

namespace palstudy {
namespace {

using enum ColumnType;

constexpr ColumnInfo jobs_columns[] = {
    {"run", "1", "Run that the row belongs to.", integer},
    {"job", "1", "Job, by the id that the trace gives it.", integer},
    {"site_job", "1", "Job, as its site calls it, empty where that is job; only where some got another number.", text,
     Digest::no, Stored::if_used},
    {"class", "1", "Class of applications that feel variability alike.", text},
    {"model", "1", "Application of the job, empty where the trace names none.", text},
    {"tenant", "1", "Whose job it is, empty where the trace does not say.", text},
    {"user", "1", "Who submitted the job, empty where the trace does not say; only where it names users.", text,
     Digest::no, Stored::if_used},
    {"gpus", "{GPU}", "GPUs that the job holds while it runs.", integer},
    {"partition", "1", "Partition that ran the job, -1 for several.", integer},
    {"submit_s", "s", "Time at which the job arrived.", real},
    {"start_s", "s", "Time at which the job first held GPUs, NaN if it never did.", real},
    {"finish_s", "s", "Time at which the job finished, NaN if it did not.", real},
    {"jct_s", "s", "Completion time: finish less submission, NaN if unfinished.", real},
    {"wait_s", "s", "Completion time less the time in which it held GPUs, NaN if unfinished.", real},
    {"exec_s", "s", "Time in which the job held GPUs.", real},
    {"ideal_s", "s", "Time the job needs at slowdown 1 and locality penalty 1.", real},
    {"status", "1",
     "finished (with failures: passed, killed or unsuccessful); running: started but not finished; waiting: never "
     "started.",
     text},
    {"attempts", "1", "Attempts at the job, 0 if it never started.", integer},
    {"measured", "1", "1 if the metrics are over this job, else 0.", integer},
    {"slowdown_mean", "1", "Mean slowdown over the time the job ran, NaN if it never did.", real},
    {"penalty_mean", "1", "Mean locality penalty over the time the job ran, NaN if it never did.", real},
    {"preemptions", "1", "Times the job was stopped and left without GPUs.", integer},
    {"migrations", "1", "Times the job changed its GPUs.", integer},
    {"energy_j", "J",
     "Energy of the job: that of its GPUs, and of its nodes' base power the share of its GPUs among those held; only "
     "where energy is accounted, and NaN in runs beside those.",
     real, Digest::no, Stored::if_used},
    {"power_wait_s", "s",
     "Time for which the job waited for nodes to be powered on, part of wait_s; only where nodes are powered "
     "off, and NaN in runs beside those.",
     real, Digest::no, Stored::if_used},
    {"gpu_util_mean", "1",
     "Modelled share of time in which its GPUs are busy: that of the model at slowdown 1, over slowdown and "
     "penalty; NaN if the model states none or the job never ran.",
     real},
    {"mem_bw_util_mean", "1",
     "Modelled share of memory bandwidth used: that of the model at slowdown 1, over slowdown and penalty; NaN if "
     "the model states none or the job never ran.",
     real}};

/// Modelled use of the GPUs of a job: the slower it runs, the less of their time or bandwidth it uses.
double modelled_use(const Workload& workload, const Job& job, double ModelUtilization::*use, double factor) {
  if (job.model >= workload.model_use.size()) return nan;
  return workload.model_use[job.model].*use / factor;
}

/// What became of a job: JobStatus in a run with failures, else whether it finished, and whether it started.
constexpr std::array<const char*, 6> status_names = {"finished",     "passed",  "killed",
                                                     "unsuccessful", "waiting", "running"};

std::size_t status_of(const JobRows& rows, std::size_t i) {
  if (!rows.finished[i]) return std::isnan(rows.start_s[i]) ? 4 : 5;
  return rows.status.empty() ? 0 : static_cast<std::size_t>(rows.status[i]);
}
static_assert(std::size_t(JobStatus::none) == 0 && std::size_t(JobStatus::unsuccessful) == 3);

TableData make_jobs(const RecordInput& run) {
  if (!run.tables.jobs) return {};
  const RunResult& result = *run.result;
  const Workload& workload = *run.workload;
  const JobRows& rows = result.jobs;
  const std::size_t n = rows.size();
  const auto job = [&](std::size_t i) -> const Job& { return workload.jobs[rows.job[i].index()]; };
  const auto finish_s = [&](std::size_t i) { return rows.finished[i] ? rows.finish_s[i] : nan; };
  const auto view = [&](std::size_t i) {
    return JobView{job(i).submit_s, finish_s(i), rows.exec_s[i], job(i).ideal_s()};
  };
  const auto factor = [&](std::size_t i) { return rows.slowdown_mean[i] * rows.penalty_mean[i]; };
  TableBuilder jobs(TableId::jobs, n, run.label.run);
  jobs.integers("job", [&](std::size_t i) { return job(i).id; });
  const auto in = [](const std::vector<std::string>& names) {
    return [&names](std::size_t index) { return name_of(names, index); };
  };
  if (!workload.site_ids.empty()) {
    jobs.texts("site_job", in(workload.site_ids), [&](std::size_t i) { return job(i).site_id; });
  }
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
  const auto use = [&](std::size_t i, double ModelUtilization::*what) {
    return modelled_use(workload, job(i), what, factor(i));
  };
  jobs.reals("gpu_util_mean", [&](std::size_t i) { return use(i, &ModelUtilization::gpu_util); });
  jobs.reals("mem_bw_util_mean", [&](std::size_t i) { return use(i, &ModelUtilization::mem_bw_util); });
  return jobs.take();
}

}  // namespace

void register_table_jobs(TableRegistry& tables) {
  tables.push_back({TableId::jobs, "/jobs", "/jobs", &RunRecord::jobs,
                    "a job that had arrived when the run ended (output.jobs)", "run the study with output.jobs = true",
                    true, 172, 20, jobs_columns, make_jobs});
}

}  // namespace palstudy
