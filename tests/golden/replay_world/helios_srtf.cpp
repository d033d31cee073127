// SPDX-License-Identifier: MIT
#include <algorithm>

#include "core/numbers.hpp"
#include "helios_nodes.hpp"
#include "helios_world.hpp"
#include "policy/order_policy.hpp"

namespace palstudy::replay {
namespace {

/// A job of the SRTF world.
struct Shrinking {
  std::size_t row;
  std::uint32_t gpus;
  double remaining_s;
  double since_s;  ///< since when it waits
  bool started = false;
};

class SrtfWorld {
 public:
  SrtfWorld(const HeliosInputs& inputs, const HeliosInputs::Vc& vc)
      : jobs_(vc.workload.jobs), nodes_(vc.nodes, inputs.gpus_per_node), held_(jobs_.size()), rows_(jobs_.size()) {}

  std::vector<HeliosRow> run() {
    for (double now_s = 0; now_s < infinity;) {
      const bool changed = second(now_s);
      const double next_s = changed ? now_s + 1 : quiet_until_s(now_s);
      for (Shrinking& job : running_) job.remaining_s -= next_s - now_s - 1;  // the seconds passed over
      now_s = next_s;
    }
    return rows_;
  }

 private:
  bool second(double now_s) {
    const bool ended = shrink(now_s), arrived = admit(now_s);
    const std::vector<std::size_t> order = ordered(now_s);
    const auto [started, preempted] = choose(order);
    stop(now_s, preempted);
    const bool some_started = start(now_s, started);
    return ended || arrived || some_started || !preempted.empty();
  }

  /// Jobs with nothing left end; the others have run one second more.
  bool shrink(double now_s) {
    const std::size_t before = running_.size();
    std::vector<Shrinking> going_on;
    for (Shrinking& job : running_) {
      if (job.remaining_s > 0) {
        --job.remaining_s;
        going_on.push_back(job);
        continue;
      }
      rows_[job.row].end_s = now_s;
      nodes_.end(held_[job.row]);
    }
    running_ = std::move(going_on);
    return running_.size() != before;
  }

  bool admit(double now_s) {
    const std::size_t before = next_;
    for (; next_ < jobs_.size() && jobs_[next_].submit_s <= now_s; ++next_) {
      queue_.push_back({next_, jobs_[next_].gpus, jobs_[next_].iterations, now_s});
    }
    return next_ != before;
  }

  /// The order of the program, given the jobs as the artifact has them: those that wait first, each list in the order
  /// in which jobs joined it. Positions, first of the queue, then of the running jobs.
  std::vector<std::size_t> ordered(double now_s) const {
    std::vector<Job> all;
    for (const auto* list : {&queue_, &running_}) {
      for (const Shrinking& job : *list) {
        all.push_back(jobs_[job.row]);
        all.back().iterations = job.remaining_s;
      }
    }
    JobTable table(all.size());
    OwnJobs own(table, PartitionId(0));
    std::vector<JobId> ids;
    for (std::size_t i = 0; i < all.size(); ++i) {
      ids.emplace_back(i);
      own.change(ids.back(), JobChange::arrived);
      if (i >= queue_.size()) own.change(ids.back(), JobChange::started);
      own.course(ids.back()).held_since_s = now_s;
    }
    order_->order({now_s, 1, nodes_.topology.gpus(), all, own, nodes_.penalty, nodes_.expected}, ids);
    std::vector<std::size_t> positions;
    for (const JobId id : ids) positions.push_back(id.index());
    return positions;
  }

  /// Goes through the jobs as long as GPUs last: those of the queue that start, and the running ones that are stopped.
  std::pair<std::vector<std::size_t>, std::vector<std::size_t>> choose(const std::vector<std::size_t>& order) const {
    std::vector<std::size_t> started, preempted;
    std::uint32_t quota = nodes_.topology.gpus();
    for (const std::size_t at : order) {
      const bool waits = at < queue_.size();
      const std::uint32_t gpus = (waits ? queue_[at] : running_[at - queue_.size()]).gpus;
      if (gpus <= quota) {
        quota -= gpus;
        if (waits) started.push_back(queue_[at].row);
      } else if (!waits) {
        preempted.push_back(running_[at - queue_.size()].row);
      }
    }
    return {started, preempted};
  }

  void stop(double now_s, const std::vector<std::size_t>& rows) {
    for (const std::size_t row : rows) {
      const auto job = std::find_if(running_.begin(), running_.end(), [&](const auto& one) { return one.row == row; });
      constexpr double one_gpu_s = 7, one_node_s = 30, several_nodes_s = 60;
      job->remaining_s += job->gpus == 1 ? one_gpu_s : job->gpus <= 8 ? one_node_s : several_nodes_s;
      job->since_s = now_s;
      nodes_.end(held_[row]);
      ++rows_[row].preemptions;
      queue_.push_back(*job);
      running_.erase(job);
    }
  }

  /// A job that does not fit although there are GPUs enough waits; others go on.
  bool start(double now_s, const std::vector<std::size_t>& rows) {
    bool any = false;
    for (const std::size_t row : rows) {
      if (!nodes_.start(JobId(row), jobs_[row].gpus, now_s, held_[row])) continue;
      any = true;
      const auto job = std::find_if(queue_.begin(), queue_.end(), [&](const auto& one) { return one.row == row; });
      if (!job->started) rows_[row].start_s = now_s;
      rows_[row].queue_s += now_s - job->since_s;
      rows_[row].nodes = nodes_of(held_[row]);
      job->started = true;
      running_.push_back(*job);
      queue_.erase(job);
    }
    return any;
  }

  /// After a second that changed nothing the next ones change nothing either, until a job arrives or ends.
  double quiet_until_s(double now_s) const {
    double until_s = next_ < jobs_.size() ? jobs_[next_].submit_s : infinity;
    for (const Shrinking& job : running_) until_s = std::min(until_s, now_s + job.remaining_s + 1);
    return until_s;
  }

  const std::vector<Job>& jobs_;
  Nodes nodes_;
  std::unique_ptr<OrderPolicy> order_ = orders().at("srtf").make({});
  std::vector<GpuSet> held_;
  std::vector<HeliosRow> rows_;
  std::vector<Shrinking> queue_, running_;
  std::size_t next_ = 0;
};

}  // namespace

std::vector<HeliosRow> run_srtf(const HeliosInputs& inputs, const HeliosInputs::Vc& vc) {
  return SrtfWorld(inputs, vc).run();
}

}  // namespace palstudy::replay
