// SPDX-License-Identifier: MIT
#include "analysis/jobs/job_story.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "core/error.hpp"
#include "core/rounds.hpp"

namespace palstudy {
namespace {

/// GPUs that a job of this partition could get; -1: it runs on several.
GpuRange part_of(const RunOfJobs& run, std::int64_t partition) {
  if (partition < 0) return {0, run.topology.gpus()};
  if (partition >= std::int64_t{run.partitioning.partitions()}) {
    throw data_error("a job is in a partition that the cluster does not have", "/jobs/partition",
                     "restore the archive from a copy");
  }
  const PartitionId part(static_cast<std::uint32_t>(partition));
  return {run.topology.first_gpu(run.partitioning.first_node(part)).value, run.partitioning.gpus(part)};
}

/// The last time at which something is known to have happened.
double last_time_s(const RunRecord& record, const std::vector<JobRow>& jobs) {
  const auto& times = reals_of(record.events, "time_s");
  double last = times.empty() ? 0 : times.back();
  for (const JobRow& job : jobs) {
    last = std::max(last, job.submit_s);
    if (job.started() && !job.over()) last = std::max(last, job.start_s + job.exec_s);
  }
  return last;
}

bool shares_part(const JobRow& a, const JobRow& b) {
  return a.partition == b.partition || a.partition < 0 || b.partition < 0;
}

/// When the last job started that was submitted earlier; infinity if one never did.
struct QueueAhead {
  double until_s = -infinity;
  OtherJobs ahead, overtook;
};

QueueAhead queue_ahead(const std::vector<JobRow>& jobs, std::size_t row, double until_s) {
  const JobRow& job = jobs[row];
  QueueAhead queue;
  const auto count = [](OtherJobs& others, const JobRow& other) {
    ++others.jobs;
    others.gpu_hours += other.gpu_hours();
  };
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    const JobRow& other = jobs[i];
    if (i == row || !shares_part(job, other) || (!other.started() && other.over())) continue;
    const bool before = other.started() && other.start_s < until_s;
    if (i < row) {
      queue.until_s = std::max(queue.until_s, other.started() ? other.start_s : infinity);
      if (before && other.start_s >= job.submit_s) count(queue.ahead, other);
    } else if (before) {
      count(queue.overtook, other);
    }
  }
  return queue;
}

/// The free GPUs of the part, boundary by boundary, over the time in which a job waited.
class WaitWalk {
 public:
  WaitWalk(const std::vector<FreeStep>& steps, const JobRow& job, double first_s, double ahead_until_s)
      : steps_(steps), job_(job), first_s_(first_s), ahead_until_s_(ahead_until_s) {}

  void walk(StoryOfWait& wait) const {
    const double seen_s = std::min(first_s_, wait.until_s);
    add(wait, WaitCause::boundary, seen_s - job_.submit_s);
    wait.free_least = last_step(first_s_).after;
    double from_s = seen_s, area = 0;
    for (auto step = step_at(first_s_); from_s < wait.until_s; ++step) {
      const double to_s =
          std::next(step) == steps_.end() ? wait.until_s : std::min(std::next(step)->time_s, wait.until_s);
      share_out(wait, step->after, from_s, to_s);
      wait.free_least = std::min(wait.free_least, step->after);
      area += static_cast<double>(step->after) * (to_s - from_s);
      from_s = to_s;
    }
    wait.free_mean = wait.until_s > seen_s ? area / (wait.until_s - seen_s) : static_cast<double>(wait.free_least);
    wait.enough_s = enough_s(wait.until_s);
  }

 private:
  using Step = std::vector<FreeStep>::const_iterator;

  /// The last step at or before a time.
  [[nodiscard]] Step step_at(double time_s) const {
    return std::prev(std::ranges::upper_bound(steps_, time_s, {}, &FreeStep::time_s));
  }
  [[nodiscard]] const FreeStep& last_step(double time_s) const { return *step_at(time_s); }
  static void add(StoryOfWait& wait, WaitCause cause, double seconds) {
    wait.by_cause_s[static_cast<std::size_t>(cause)] += std::max(seconds, 0.0);
  }
  void share_out(StoryOfWait& wait, std::int64_t free, double from_s, double to_s) const {
    if (free < job_.gpus) return add(wait, WaitCause::short_of_gpus, to_s - from_s);
    const double split_s = std::clamp(ahead_until_s_, from_s, to_s);
    add(wait, WaitCause::behind_others, split_s - from_s);
    add(wait, WaitCause::held_back, to_s - split_s);
  }
  [[nodiscard]] double enough_s(double until_s) const {
    if (first_s_ > until_s) return nan;
    const FreeStep& first = last_step(first_s_);
    if ((first.time_s == first_s_ ? first.before : first.after) >= job_.gpus) return first_s_;
    for (auto step = std::next(step_at(first_s_)); step != steps_.end() && step->time_s <= until_s; ++step) {
      if (step->before >= job_.gpus) return step->time_s;
    }
    return nan;
  }

  const std::vector<FreeStep>& steps_;
  const JobRow& job_;
  double first_s_, ahead_until_s_;
};

StoryOfWait story_of_wait(const RunOfJobs& run, const std::vector<JobRow>& jobs, std::size_t row) {
  const JobRow& job = jobs[row];
  const Rounds rounds(run.round_s);
  const GpuRange part = part_of(run, job.partition);
  StoryOfWait wait;
  wait.until_s = job.started() ? job.start_s : job.over() ? job.finish_s : last_time_s(run.record, jobs);
  wait.part_gpus = part.count;
  const QueueAhead queue = queue_ahead(jobs, row, wait.until_s);
  wait.ahead = queue.ahead, wait.overtook = queue.overtook;
  const std::vector<FreeStep> steps = free_steps(run.record, part, rounds);
  WaitWalk(steps, job, std::max(rounds.start_s(job.submit_s), 0.0), queue.until_s).walk(wait);
  return wait;
}

ClassId class_named(const Slowdowns& truth, const std::string& name) {
  const auto& names = truth.class_names();
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return ClassId(static_cast<std::size_t>(found - names.begin()));
  throw data_error("the cluster has no class \"" + name + "\"", "/jobs/class", "restore the archive from a copy");
}

StoryOfStay story_of_stay(const RunOfJobs& run, ClassId cls, HeldTime held) {
  StoryOfStay stay{.held = std::move(held)};
  std::vector<SlowestGpu> gpus;
  GpuSet set;
  std::set<std::uint32_t> nodes;
  for (const std::int64_t number : stay.held.gpus) {
    if (number < 0 || number >= std::int64_t{run.topology.gpus()}) {
      throw data_error("a job is on a GPU that the cluster does not have", "/events/gpu", "restore the archive");
    }
    const GpuId gpu(static_cast<std::uint32_t>(number));
    const NodeId node = run.topology.node_of(gpu);
    nodes.insert(node.value);
    set.push_back({node, GpuMask{1} << (gpu.value - run.topology.first_gpu(node).value)});
    gpus.push_back({number, run.truth.at(cls, gpu)});
  }
  canonicalize(set);
  std::ranges::stable_sort(gpus, std::ranges::greater{}, &SlowestGpu::slowdown);
  stay.nodes.assign(nodes.begin(), nodes.end());
  stay.span = run.topology.level(set);
  stay.slowest = gpus.front();
  if (gpus.size() > 1) stay.second = gpus[1].slowdown;
  return stay;
}

/// A job that runs on has held its last GPUs for what is left of the time in which it held any.
void close_last(std::vector<HeldTime>& held, double exec_s) {
  if (held.empty() || !std::isnan(held.back().to_s)) return;
  for (std::size_t i = 0; i + 1 < held.size(); ++i) exec_s -= held[i].to_s - held[i].from_s;
  held.back().to_s = held.back().from_s + std::max(exec_s, 0.0);
}

/// Whether the mean slowdown that the engine recorded is that of the slowest GPUs.
bool paced_by_slowest(const JobStory& story) {
  constexpr double rounding = 1e-6;
  double held_s = 0, sum = 0;
  for (const StoryOfStay& stay : story.stays) {
    const double time_s = stay.held.to_s - stay.held.from_s;
    held_s += time_s;
    sum += time_s * stay.slowest.slowdown;
  }
  return held_s > 0 && std::abs(sum / held_s - story.job.slowdown) <= rounding * story.job.slowdown;
}

std::optional<CostOfSlowest> cost_of_slowest(const JobStory& story, double migration_s) {
  if (!paced_by_slowest(story)) return std::nullopt;
  CostOfSlowest cost{.slowest = story.stays.front().slowest};
  double as_second_s = 0;
  for (const StoryOfStay& stay : story.stays) {
    const double delay_s = &stay == &story.stays.front() ? 0 : migration_s;
    const double work_s = std::max(stay.held.to_s - stay.held.from_s - delay_s, 0.0), s = stay.slowest.slowdown;
    if (s > cost.slowest.slowdown) cost.slowest = stay.slowest;
    if (s > 1) cost.as_median_s += work_s * (1 - 1 / s);
    as_second_s += work_s * (1 - stay.second.value_or(s) / s);
  }
  if (story.job.gpus > 1) cost.as_second_s = as_second_s;
  return cost;
}

}  // namespace

const char* name_of(WaitCause cause) {
  constexpr const char* names[] = {"boundary", "short-of-gpus", "behind-others", "held-back"};
  return names[static_cast<std::size_t>(cause)];
}

WaitCause StoryOfWait::main() const {
  return static_cast<WaitCause>(std::ranges::max_element(by_cause_s) - std::ranges::begin(by_cause_s));
}

JobStory job_story(const RunOfJobs& run, const std::vector<JobRow>& jobs, std::size_t row) {
  JobStory story{.job = jobs.at(row), .nodes_leave = run.nodes_leave};
  story.wait = story_of_wait(run, jobs, row);
  std::vector<HeldTime> held = held_times(run.record, story.job.job);
  close_last(held, story.job.exec_s);
  const ClassId cls = class_named(run.truth, story.job.cls);
  for (HeldTime& time : held) story.stays.push_back(story_of_stay(run, cls, std::move(time)));
  for (std::size_t i = 0; i < story.stays.size(); ++i) {
    story.span = std::max(story.span, story.stays[i].span);
    if (i > 0) story.stopped_s += story.stays[i].held.from_s - story.stays[i - 1].held.to_s;
  }
  story.cost = cost_of_slowest(story, run.migration_s);
  return story;
}

}  // namespace palstudy
