// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <tuple>
#include <vector>

#include "policy/slow_placer.hpp"
#include "sim/result.hpp"
#include "sim/simulation.hpp"

namespace palstudy {

/// What happened to a job, as in /events.
struct SlowEvent {
  double time_s = 0;
  EventKind kind = EventKind::launch;
  std::uint32_t job = 0;
  Gpus gpus;
  friend bool operator==(const SlowEvent&, const SlowEvent&) = default;
};

/// The slow, obvious twin of the engine under `pal-sticky`, `fifo`, exact completion and start at rounds: it visits
/// every boundary and asks for every running job what the written rules would choose for it, and whether the move
/// saves time.
class SlowPalSticky {
 public:
  explicit SlowPalSticky(const World& world) : world_(world) {
    for (std::uint32_t g = 0; g < world.topology.gpus(); ++g) free_.push_back(g);
  }

  std::vector<SlowEvent> run() {
    for (Boundary k = 0; finished_ < jobs().size(); ++k) {
      now_s_ = static_cast<double>(k) * world_.engine.round_s;
      complete();
      launched_.clear();
      place_waiting();
      move_running();
      std::sort(launched_.begin(), launched_.end(), [](const auto& a, const auto& b) { return a.job < b.job; });
      events_.insert(events_.end(), launched_.begin(), launched_.end());
    }
    return events_;
  }

 private:
  struct Running {
    std::uint32_t job = 0;
    Gpus gpus;
    double from_s = 0, work = 0, per_iteration_s = 0, finish_s = 0;
  };
  [[nodiscard]] const std::vector<Job>& jobs() const { return world_.workload.jobs; }

  void complete() {
    std::sort(running_.begin(), running_.end(), [](const Running& a, const Running& b) {
      return std::tie(a.finish_s, a.job) < std::tie(b.finish_s, b.job);
    });
    while (!running_.empty() && running_.front().finish_s <= now_s_) {
      events_.push_back({running_.front().finish_s, EventKind::finish, running_.front().job, {}});
      give(running_.front().gpus);
      running_.erase(running_.begin());
      ++finished_;
    }
  }
  /// FIFO: by submission, and the first that does not fit ends it.
  void place_waiting() {
    for (; next_ < jobs().size() && jobs()[next_].submit_s <= now_s_; ++next_) {
      const auto gpus = choose(static_cast<std::uint32_t>(next_));
      if (!gpus) return;
      start({static_cast<std::uint32_t>(next_), *gpus, now_s_});
    }
  }
  void move_running() {
    std::sort(running_.begin(), running_.end(), [](const Running& a, const Running& b) { return a.job < b.job; });
    for (std::size_t i = 0; i < running_.size(); ++i) {
      const Running now = running_[i];
      if (std::any_of(launched_.begin(), launched_.end(), [&](const auto& e) { return e.job == now.job; })) continue;
      const Job& job = jobs()[now.job];
      const double done = now_s_ <= now.from_s ? now.work : now.work + (now_s_ - now.from_s) / now.per_iteration_s;
      const double work_s = (job.iterations - done) * job.iteration_s;
      give(now.gpus);
      const Gpus other = *choose(now.job);
      take(now.gpus);
      const double saved_s = work_s * (believed(now.job).at(level(now.gpus)) * slowdown(job, now.gpus) -
                                       reckoned(now.job, other) * slowdown(job, other));
      const double cost_s = world_.engine.migration_s - std::max(0.0, now.from_s - now_s_);
      if (!(saved_s > cost_s) || !(saved_s > 0)) continue;
      give(now.gpus);
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
      start({now.job, other, now_s_ + world_.engine.migration_s, done});
      std::rotate(running_.begin() + static_cast<std::ptrdiff_t>(i), running_.end() - 1, running_.end());
    }
  }
  void start(Running job) {
    take(job.gpus);
    launched_.push_back({now_s_, EventKind::launch, job.job, job.gpus});
    double slowdown = 0;
    for (const std::uint32_t g : job.gpus)
      slowdown = std::max(slowdown, world_.truth.at(jobs()[job.job].cls, GpuId(g)));
    job.per_iteration_s =
        (slowdown * world_.penalty.of(JobId(job.job)).at(level(job.gpus))) * jobs()[job.job].iteration_s;
    job.finish_s = job.from_s + (jobs()[job.job].iterations - job.work) * job.per_iteration_s;
    running_.push_back(std::move(job));
  }
  [[nodiscard]] double slowdown(const Job& job, const Gpus& gpus) const {
    const ClassBins& bins = world_.believed.of(job.cls);
    double slowest = 0;
    for (const std::uint32_t g : gpus) slowest = std::max(slowest, bins.values[bins.of_gpu[g]]);
    return slowest;
  }
  [[nodiscard]] const LocalityPenalty& believed(std::uint32_t job) const {
    return world_.believed_penalty.of(JobId(job));
  }
  [[nodiscard]] std::optional<Gpus> choose(std::uint32_t job) const {
    const SlowPlacer placer(world_.topology, world_.believed, believed(job));
    return placer.place("pal", jobs()[job].cls, jobs()[job].gpus, free_);
  }
  /// Of an alternative: pal does not tell cabinets.
  [[nodiscard]] double reckoned(std::uint32_t job, const Gpus& gpus) const {
    const LocalityPenalty& penalty = believed(job);
    return level(gpus) == Level::node ? penalty.node : std::max(penalty.cabinet, penalty.cluster);
  }
  [[nodiscard]] Level level(const Gpus& gpus) const {
    const NodeId first = world_.topology.node_of(GpuId(gpus.front()));
    const NodeId last = world_.topology.node_of(GpuId(gpus.back()));
    if (first == last) return Level::node;
    return world_.topology.cabinet_of(first) == world_.topology.cabinet_of(last) ? Level::cabinet : Level::cluster;
  }
  void give(const Gpus& gpus) {
    free_.insert(free_.end(), gpus.begin(), gpus.end());
    std::sort(free_.begin(), free_.end());
  }
  void take(const Gpus& gpus) {
    std::erase_if(free_, [&](std::uint32_t g) { return std::find(gpus.begin(), gpus.end(), g) != gpus.end(); });
  }

  const World& world_;
  double now_s_ = 0;
  Gpus free_;
  std::vector<Running> running_;
  std::size_t next_ = 0, finished_ = 0;
  std::vector<SlowEvent> events_, launched_;
};

}  // namespace palstudy
