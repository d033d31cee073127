// SPDX-License-Identifier: MIT
#include "record/schema.hpp"

#include <span>

#include "record/tables.hpp"
#include "sim/result.hpp"

namespace palstudy {
namespace {

using T = TableId;
using enum ColumnType;

enum class Digest { yes, no };          // whether a column of a digested table is digested
enum class Stored { always, if_used };  // if_used: where the study has such values

struct ColumnInfo {
  const char *name, *units, *long_name;
  ColumnType type;
  Digest digest = Digest::yes;
  Stored stored = Stored::always;
};

constexpr ColumnInfo runs_columns[] = {{"run", "1", "Place of the run in the product of the axes.", integer},
                                       {"id", "1", "Hash of the resolved point of the run, 16 hex digits.", text},
                                       {"status", "1", "Whether the run is done or failed.", text},
                                       {"seed", "1", "Seed of the run.", integer},
                                       {"job_begin", "1", "First row of the run in /jobs.", integer, Digest::no},
                                       {"job_count", "1", "Rows of the run in /jobs.", integer, Digest::no},
                                       {"digest", "1", "SHA-256 of the run's rows, 64 hex digits.", text, Digest::no}};

constexpr ColumnInfo jobs_columns[] = {
    {"run", "1", "Run that the row belongs to.", integer},
    {"job", "1", "Job, by the id that the trace gives it.", integer},
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
     "where "
     "energy is accounted.",
     real, Digest::no, Stored::if_used},
    {"power_wait_s", "s",
     "Time for which the job waited for nodes to be powered on, part of wait_s; only where nodes are powered off.",
     real, Digest::no, Stored::if_used},
    {"gpu_util_mean", "1",
     "Modelled share of time in which its GPUs are busy: that of the model at slowdown 1, over slowdown and "
     "penalty.",
     real},
    {"mem_bw_util_mean", "1",
     "Modelled share of memory bandwidth used: that of the model at slowdown 1, over slowdown and penalty.", real}};

constexpr ColumnInfo events_columns[] = {
    {"run", "1", "Run that the row belongs to.", integer},
    {"time_s", "s", "Time of the event.", real},
    {"kind", "1", "finish; stop: the job is left without GPUs; launch: it starts or changes its GPUs.", text},
    {"job", "1", "Job, by the id that the trace gives it.", integer},
    {"gpu_begin", "1", "First row of the event in /events/gpu.", integer, Digest::no},
    {"gpu_count", "{GPU}", "Rows of the event in /events/gpu.", integer, Digest::no}};

constexpr ColumnInfo event_gpus_columns[] = {{"gpu", "1", "GPUs of the events, ascending within each.", integer}};

constexpr ColumnInfo rounds_columns[] = {
    {"run", "1", "Run that the row belongs to.", integer},
    {"time_s", "s", "Time of the boundary, a row where the state differs from the row before.", real},
    {"queued", "{job}", "Jobs that wait after the boundary.", integer},
    {"running", "{job}", "Jobs that run after the boundary.", integer},
    {"free_gpus", "{GPU}", "GPUs that no job holds after the boundary, on nodes that are on and up.", integer},
    {"demand_gpus", "{GPU}", "GPUs that the waiting and the running jobs ask for.", integer}};

// The columns slowdown_<class> stand between cabinet and busy_s.
constexpr ColumnInfo nodes_columns[] = {
    {"run", "1", "Run that the row belongs to.", integer},
    {"node", "1", "Node.", integer},
    {"partition", "1", "Partition of the node.", integer},
    {"cabinet", "1", "Cabinet of the node.", integer},
    {"busy_s", "{GPU}.s", "GPU-seconds of the node that were allocated.", real},
    {"faults", "1", "Failed attempts that the node is at fault for (failures.faults).", integer}};

constexpr ColumnInfo provenance_runs_columns[] = {
    {"run", "1", "Run that the row belongs to.", integer},
    {"wall_s", "s", "Wall-clock time that the run took.", real},
    {"peak_rss_mib", "MiBy", "Largest resident memory of a process of its team.", real},
    {"cores", "1", "Cores that computed the run.", integer},
    {"slowdown_max", "1", "Largest true slowdown of a GPU of the run's cluster, over all classes.", real},
    {"reason", "1", "Why the run failed, empty if it did not.", text}};

constexpr ColumnInfo delays_columns[] = {
    {"run", "1", "Run that the row belongs to.", integer},
    {"job", "1", "Job, by the id that the trace gives it.", integer},
    {"fair_share_s", "s", "Waited because its tenant would go over quota and too few GPUs were idle.", real},
    {"fragmentation_s", "s", "Waited within quota because there was no placement at the level it could take.", real},
    {"gang_s", "s", "Waited while it held a part of its GPUs, or backed off from that.", real},
    {"locality_s", "s", "Waited for GPUs closer together than some that were free, by its patience.", real},
    {"nodes_mean", "1", "Nodes that it was on, mean over the time in which it held GPUs; NaN if it never ran.", real},
    {"shared_fraction", "1", "Share of that time in which neighbours slowed it ([interference]).", real}};

constexpr ColumnInfo failures_columns[] = {
    {"run", "1", "Run that the row belongs to.", integer},
    {"job", "1", "Job, by the id that the trace gives it.", integer},
    {"attempt", "1", "The attempt at the job that failed, from 1.", integer},
    {"reason", "1", "Why it failed, as the table of failures calls it.", text},
    {"gpus", "{GPU}", "GPUs that it held; 0: it failed in validation, before it held any.", integer},
    {"node", "1", "Node at fault, -1 for none in particular.", integer},
    {"gpu", "1", "GPU at fault, -1 for none in particular.", integer},
    {"time_s", "s", "Time at which the attempt failed.", real},
    {"run_s", "s", "Time for which the attempt had held GPUs, or run in validation.", real},
    {"lost_s", "{GPU}.s",
     "GPU-seconds lost: those since the last checkpoint, and of a job that is given up all that are not "
     "counted yet.",
     real}};

constexpr ColumnInfo power_columns[] = {
    {"run", "1", "Run that the row belongs to.", integer},
    {"state", "1", "State of the nodes: busy, idle, stopping, off or booting.", text},
    {"class", "1", "Class of the jobs on busy nodes; empty for GPUs and nodes without jobs.", text},
    {"node_s", "s", "Node-seconds; a busy node is shared among classes by the GPUs that they hold there.", real},
    {"gpu_s", "{GPU}.s", "GPU-seconds.", real},
    {"work_s", "{GPU}.s", "GPU-seconds of work at slowdown 1 and locality penalty 1.", real},
    {"energy_j", "J", "Energy up to power.horizon_s, times power.pue; the rows of a run add up to its energy_j.",
     real}};

constexpr ColumnInfo solves_columns[] = {
    {"run", "1", "Run that the row belongs to.", integer},
    {"time_s", "s", "Time of the solution; the shares hold until the next one of the partition.", real},
    {"partition", "1", "Partition whose GPUs are shared.", integer},
    {"objective", "1", "What the shares are best for, policy.objective of the run.", text},
    {"jobs", "{job}", "Jobs that share the GPUs: queued and running.", integer},
    {"groups", "1", "Groups of jobs that the program does not tell apart, which its variables belong to.", integer},
    {"primal", "1",
     "Objective that the shares reach: of makespan in seconds, of water-filling the first and lowest level.", real},
    {"dual", "1",
     "Bound from the row prices that no shares beat: of max-min, water-filling and sum an upper one, of makespan and "
     "ftf, which are minimized, a lower one.",
     real},
    {"gap", "1",
     "|primal - dual| / |primal|, at most 1e-6; of makespan and ftf with more than 1,000 jobs, whose demands are told "
     "apart in steps of 1 %, at most 1e-2.",
     real},
    {"iterations", "1", "Iterations of the simplex method for the solution, over all of its steps.", integer}};

std::vector<Column> make_schema() {
  std::vector<Column> all;
  const auto add = [&all](TableId table, std::span<const ColumnInfo> columns) {
    for (const ColumnInfo& one : columns) {
      const bool digested = table_of(table).digested && one.digest == Digest::yes;
      all.push_back({table, one.name, one.units, one.long_name, one.type, digested, one.stored == Stored::if_used});
    }
  };
  add(T::runs, runs_columns);
  for (const MetricInfo& metric : metric_infos) {
    all.push_back({T::runs, std::string(metric.name), std::string(metric.unit), std::string(metric.summary),
                   metric.type == MetricType::count ? integer : real,
                   metric.use != MetricUse::energy && metric.use != MetricUse::power, metric.use != MetricUse::always});
  }
  add(T::jobs, jobs_columns);
  add(T::events, events_columns);
  add(T::event_gpus, event_gpus_columns);
  add(T::rounds, rounds_columns);
  add(T::nodes, nodes_columns);
  add(T::provenance_runs, provenance_runs_columns);
  add(T::delays, delays_columns);
  add(T::failures, failures_columns);
  add(T::power, power_columns);
  add(T::solves, solves_columns);
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
