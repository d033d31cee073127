// SPDX-License-Identifier: MIT
#include "record/schema.hpp"

#include "record/tables.hpp"
#include "sim/result.hpp"

namespace palstudy {
namespace {

using T = TableId;
using enum ColumnType;

void add_runs(std::vector<Column>& all) {
  all.insert(all.end(), {{T::runs, "run", "1", "Place of the run in the product of the axes.", integer, true},
                         {T::runs, "id", "1", "Hash of the resolved point of the run, 16 hex digits.", text, true},
                         {T::runs, "status", "1", "Whether the run is done or failed.", text, true},
                         {T::runs, "seed", "1", "Seed of the run.", integer, true},
                         {T::runs, "job_begin", "1", "First row of the run in /jobs.", integer, false},
                         {T::runs, "job_count", "1", "Rows of the run in /jobs.", integer, false},
                         {T::runs, "digest", "1", "SHA-256 of the run's rows, 64 hex digits.", text, false}});
  for (const MetricInfo& metric : metric_infos) {
    all.push_back({T::runs, std::string(metric.name), std::string(metric.unit), std::string(metric.summary),
                   metric.type == MetricType::count ? integer : real, true});
  }
}

void add_jobs(std::vector<Column>& all) {
  all.insert(
      all.end(),
      {{T::jobs, "run", "1", "Run that the row belongs to.", integer, true},
       {T::jobs, "job", "1", "Job, by the id that the trace gives it.", integer, true},
       {T::jobs, "class", "1", "Class of applications that feel variability alike.", text, true},
       {T::jobs, "model", "1", "Application of the job, empty where the trace names none.", text, true},
       {T::jobs, "tenant", "1", "Whose job it is, empty where the trace does not say.", text, true},
       {T::jobs, "user", "1", "Who submitted the job, empty where the trace does not say; only where it names users.",
        text, false, true},
       {T::jobs, "gpus", "{GPU}", "GPUs that the job holds while it runs.", integer, true},
       {T::jobs, "partition", "1", "Partition that ran the job, -1 for several.", integer, true},
       {T::jobs, "submit_s", "s", "Time at which the job arrived.", real, true},
       {T::jobs, "start_s", "s", "Time at which the job first held GPUs, NaN if it never did.", real, true},
       {T::jobs, "finish_s", "s", "Time at which the job finished, NaN if it did not.", real, true},
       {T::jobs, "jct_s", "s", "Completion time: finish less submission, NaN if unfinished.", real, true},
       {T::jobs, "wait_s", "s", "Completion time less the time in which it held GPUs, NaN if unfinished.", real, true},
       {T::jobs, "exec_s", "s", "Time in which the job held GPUs.", real, true},
       {T::jobs, "ideal_s", "s", "Time the job needs at slowdown 1 and locality penalty 1.", real, true},
       {T::jobs, "status", "1",
        "finished (with failures: passed, killed or unsuccessful); running: started but not finished; waiting: never "
        "started.",
        text, true},
       {T::jobs, "attempts", "1", "Attempts at the job, 0 if it never started.", integer, true},
       {T::jobs, "measured", "1", "1 if the metrics are over this job, else 0.", integer, true},
       {T::jobs, "slowdown_mean", "1", "Mean slowdown over the time the job ran, NaN if it never did.", real, true},
       {T::jobs, "penalty_mean", "1", "Mean locality penalty over the time the job ran, NaN if it never did.", real,
        true},
       {T::jobs, "preemptions", "1", "Times the job was stopped and left without GPUs.", integer, true},
       {T::jobs, "migrations", "1", "Times the job changed its GPUs.", integer, true},
       {T::jobs, "gpu_util_mean", "1",
        "Modelled share of time in which its GPUs are busy: that of the model at slowdown 1, over slowdown and "
        "penalty.",
        real, true},
       {T::jobs, "mem_bw_util_mean", "1",
        "Modelled share of memory bandwidth used: that of the model at slowdown 1, over slowdown and penalty.", real,
        true}});
}

void add_events(std::vector<Column>& all) {
  all.insert(all.end(),
             {{T::events, "run", "1", "Run that the row belongs to.", integer, true},
              {T::events, "time_s", "s", "Time of the event.", real, true},
              {T::events, "kind", "1",
               "finish; stop: the job is left without GPUs; launch: it starts or changes its GPUs.", text, true},
              {T::events, "job", "1", "Job, by the id that the trace gives it.", integer, true},
              {T::events, "gpu_begin", "1", "First row of the event in /events/gpu.", integer, false},
              {T::events, "gpu_count", "{GPU}", "Rows of the event in /events/gpu.", integer, false},
              {T::event_gpus, "gpu", "1", "GPUs of the events, ascending within each.", integer, true}});
}

void add_rounds(std::vector<Column>& all) {
  all.insert(all.end(), {{T::rounds, "run", "1", "Run that the row belongs to.", integer, true},
                         {T::rounds, "time_s", "s",
                          "Time of the boundary, a row where the state differs from the row before.", real, true},
                         {T::rounds, "queued", "{job}", "Jobs that wait after the boundary.", integer, true},
                         {T::rounds, "running", "{job}", "Jobs that run after the boundary.", integer, true},
                         {T::rounds, "free_gpus", "{GPU}", "GPUs that no job holds after the boundary.", integer, true},
                         {T::rounds, "demand_gpus", "{GPU}", "GPUs that the waiting and the running jobs ask for.",
                          integer, true}});
}

// The columns slowdown_<class> stand between cabinet and busy_s.
void add_nodes(std::vector<Column>& all) {
  all.insert(all.end(), {{T::nodes, "run", "1", "Run that the row belongs to.", integer, false},
                         {T::nodes, "node", "1", "Node.", integer, false},
                         {T::nodes, "partition", "1", "Partition of the node.", integer, false},
                         {T::nodes, "cabinet", "1", "Cabinet of the node.", integer, false},
                         {T::nodes, "busy_s", "s", "GPU-seconds of the node that were allocated.", real, false},
                         {T::nodes, "faults", "1", "Failed attempts that the node is at fault for (failures.faults).",
                          integer, false}});
}

void add_provenance(std::vector<Column>& all) {
  all.insert(all.end(), {{T::provenance_runs, "run", "1", "Run that the row belongs to.", integer, false},
                         {T::provenance_runs, "wall_s", "s", "Wall-clock time that the run took.", real, false},
                         {T::provenance_runs, "peak_rss_mib", "MiBy",
                          "Largest resident memory of a process of its team.", real, false},
                         {T::provenance_runs, "cores", "1", "Cores that computed the run.", integer, false},
                         {T::provenance_runs, "slowdown_max", "1",
                          "Largest true slowdown of a GPU of the run's cluster, over all classes.", real, false},
                         {T::provenance_runs, "reason", "1", "Why the run failed, empty if it did not.", text, false}});
}

// Of runs with tenants alone, a row for each of /jobs; so that nothing else changes in the digests of those without.
void add_delays(std::vector<Column>& all) {
  all.insert(
      all.end(),
      {{T::delays, "run", "1", "Run that the row belongs to.", integer, true},
       {T::delays, "job", "1", "Job, by the id that the trace gives it.", integer, true},
       {T::delays, "fair_share_s", "s", "Waited because its tenant would go over quota and too few GPUs were idle.",
        real, true},
       {T::delays, "fragmentation_s", "s",
        "Waited within quota because there was no placement at the level it could take.", real, true},
       {T::delays, "gang_s", "s", "Waited while it held a part of its GPUs, or backed off from that.", real, true},
       {T::delays, "locality_s", "s", "Waited for GPUs closer together than some that were free, by its patience.",
        real, true},
       {T::delays, "nodes_mean", "1",
        "Nodes that it was on, mean over the time in which it held GPUs; NaN if it never ran.", real, true},
       {T::delays, "shared_fraction", "1", "Share of that time in which neighbours slowed it ([interference]).", real,
        true}});
}

void add_failures(std::vector<Column>& all) {
  all.insert(
      all.end(),
      {{T::failures, "run", "1", "Run that the row belongs to.", integer, true},
       {T::failures, "job", "1", "Job, by the id that the trace gives it.", integer, true},
       {T::failures, "attempt", "1", "The attempt at the job that failed, from 1.", integer, true},
       {T::failures, "reason", "1", "Why it failed, as the table of failures calls it.", text, true},
       {T::failures, "gpus", "{GPU}", "GPUs that it held; 0: it failed in validation, before it held any.", integer,
        true},
       {T::failures, "node", "1", "Node at fault, -1 for none in particular.", integer, true},
       {T::failures, "gpu", "1", "GPU at fault, -1 for none in particular.", integer, true},
       {T::failures, "time_s", "s", "Time at which the attempt failed.", real, true},
       {T::failures, "run_s", "s", "Time for which the attempt had held GPUs, or run in validation.", real, true},
       {T::failures, "lost_s", "s",
        "GPU-seconds lost: those since the last checkpoint, and of a job that is given up all that are not "
        "counted yet.",
        real, true}});
}

std::vector<Column> make_schema() {
  std::vector<Column> all;
  add_runs(all);
  add_jobs(all);
  add_events(all);
  add_rounds(all);
  add_nodes(all);
  add_provenance(all);
  add_delays(all);
  add_failures(all);
  return all;
}

}  // namespace

const std::vector<Column>& schema_columns() {
  static const std::vector<Column> schema = make_schema();
  return schema;
}

const Column* find_column(TableId table, std::string_view name) {
  for (const Column& column : schema_columns()) {
    if (column.table == table && column.name == name) return &column;
  }
  return nullptr;
}

Column axis_column(const std::string& key, ColumnType type) {
  return {TableId::runs, key, "1", "Value of the study's key " + key + ", in the key's own unit.", type, true};
}

Column slowdown_column(const std::string& class_name) {
  return {TableId::nodes,
          "slowdown_" + class_name,
          "1",
          "Mean true slowdown of the node's GPUs for class " + class_name + ".",
          ColumnType::real,
          false};
}

}  // namespace palstudy
