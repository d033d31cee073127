// SPDX-License-Identifier: MIT
#include "sim/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.hpp"
#include "sim/partition.hpp"
#include "sim/recorder.hpp"

namespace palstudy {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<std::uint8_t> measured_jobs(const World& world) {
  const MeasureOptions& measure = world.measure;
  std::vector<std::uint8_t> measured;
  for (const Job& job : world.workload.jobs) {
    const bool in = measure.by_window
                        ? job.submit_s >= measure.warmup_s && job.submit_s < measure.warmup_s + measure.window_s
                        : job.id >= measure.first && job.id <= measure.last;
    measured.push_back(in ? 1 : 0);
  }
  if (std::find(measured.begin(), measured.end(), 1) == measured.end()) {
    throw data_error("no job of the trace is measured", "measure", "choose a range or a window in which jobs arrive");
  }
  return measured;
}

void check_widths(const World& world) {
  for (const Job& job : world.workload.jobs) {
    if (job.gpus <= world.topology.gpus()) continue;
    throw data_error(fmt::format("job {} wants {} GPUs, the cluster has {}", job.id, job.gpus, world.topology.gpus()),
                     "workload", "enlarge the cluster or drop the job");
  }
}

/// One partition, from instant to instant at which anything can change.
class Run {
 public:
  Run(const World& world, const OrderPolicy& order, PlacementPolicy& placement)
      : world_(world), recorder_(world, measured_jobs(world)), partition_(world, order, placement, recorder_) {}

  RunResult simulate() {
    double now_s = first_instant();
    for (;;) {
      look_at(now_s);
      if (recorder_.measured_left() == 0 || now_s >= world_.measure.end_s) break;
      const double next_s = next_instant(now_s);
      if (!(next_s < infinity)) throw fault("the run stands still with measured jobs unfinished");
      now_s = next_s;
    }
    partition_.close(now_s);
    RunResult result = recorder_.take(now_s);
    const IndexCounts& index = partition_.index_counts();
    result.counts = {instants_, partition_.placements(), index.queries, index.updates, index.moves};
    return result;
  }

 private:
  /// An instant may lie between boundaries only with `start = "event"`.
  [[nodiscard]] double instant_of(double time_s) const {
    if (world_.engine.start == Start::event) return time_s;
    const Boundary at = boundary_at_or_after(time_s, world_.engine.round_s);
    return at == never ? infinity : boundary_s(at, world_.engine.round_s);
  }
  [[nodiscard]] double give_up_s() const {
    const Boundary at = boundary_at_or_after(world_.measure.end_s, world_.engine.round_s);
    return at == never ? infinity : boundary_s(at, world_.engine.round_s);
  }
  [[nodiscard]] double next_arrival_s() const {
    return next_job_ < world_.workload.jobs.size() ? world_.workload.jobs[next_job_].submit_s : infinity;
  }
  [[nodiscard]] double first_instant() const { return std::min(instant_of(next_arrival_s()), give_up_s()); }

  [[nodiscard]] double next_instant(double now_s) {
    const double due_s = std::min(next_arrival_s(), partition_.next_finish_s());
    double next_s = std::min(instant_of(due_s), give_up_s());
    const Boundary change = partition_.next_change(now_s);
    if (change != never) next_s = std::min(next_s, boundary_s(change, world_.engine.round_s));
    return next_s;
  }

  void look_at(double now_s) {
    ++instants_;
    recorder_.instant(now_s);
    partition_.complete(now_s);
    const auto& jobs = world_.workload.jobs;
    for (; next_job_ < jobs.size() && jobs[next_job_].submit_s <= now_s; ++next_job_) {
      partition_.admit(JobId(next_job_), now_s);
    }
    partition_.schedule(now_s);
    recorder_.state(now_s, partition_.queued(), partition_.running(), partition_.free_gpus());
  }

  const World& world_;
  Recorder recorder_;
  Partition partition_;
  std::size_t next_job_ = 0;
  std::uint64_t instants_ = 0;
};

}  // namespace

RunResult simulate(const World& world, const OrderPolicy& order, PlacementPolicy& placement) {
  check_widths(world);
  return Run(world, order, placement).simulate();
}

}  // namespace palstudy
