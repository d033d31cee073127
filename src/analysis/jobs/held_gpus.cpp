// SPDX-License-Identifier: MIT
#include "analysis/jobs/held_gpus.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <span>

#include "core/numbers.hpp"

namespace palstudy {
namespace {

/// What happens to a job at one instant: archive/event_replay.hpp says how rows of an instant are read.
struct InstantChange {
  int gone = 0, launches = 0;
  std::size_t row = 0;  ///< of the launch

  /// Whether it holds GPUs after that. A launch of a job that is not gone is its start or a move.
  [[nodiscard]] bool holds_after(bool before) const {
    const int held = (before ? 1 : 0) + launches;
    return gone == 0 ? held > 0 : held > gone;
  }
};

class EventTable {
 public:
  explicit EventTable(const RunRecord& record)
      : time_s(reals_of(record.events, "time_s")),
        job(integers_of(record.events, "job")),
        kind_(texts_of(record.events, "kind")),
        begin_(integers_of(record.events, "gpu_begin")),
        count_(integers_of(record.events, "gpu_count")),
        gpu_(integers_of(record.event_gpus, "gpu")) {}

  [[nodiscard]] std::size_t size() const { return time_s.size(); }
  [[nodiscard]] std::span<const std::int64_t> gpus(std::size_t row) const {
    return std::span(gpu_).subspan(static_cast<std::size_t>(begin_[row]), static_cast<std::size_t>(count_[row]));
  }
  void add(std::size_t row, InstantChange& change) const {
    if (kind_.at(row) == "launch") {
      ++change.launches;
      change.row = row;
    } else {
      ++change.gone;
    }
  }
  /// Behind the last row of the instant of this row.
  [[nodiscard]] std::size_t end_of_instant(std::size_t row) const {
    std::size_t end = row;
    while (end < size() && time_s[end] == time_s[row]) ++end;
    return end;
  }

  const std::vector<double>& time_s;
  const std::vector<std::int64_t>& job;

 private:
  const TextColumn& kind_;
  const std::vector<std::int64_t>&begin_, &count_, &gpu_;
};

/// The free GPUs of a part at every instant at which something happens.
class FreeCount {
 public:
  FreeCount(const EventTable& events, const GpuRange& part) : events_(events), part_(part), free_(part.count) {}

  FreeStep instant(std::size_t begin, std::size_t end) {
    std::map<std::int64_t, InstantChange> changes;
    for (std::size_t row = begin; row < end; ++row) events_.add(row, changes[events_.job[row]]);
    std::map<std::int64_t, std::int64_t> next;
    for (const auto& [job, change] : changes) next[job] = held_after(job, change);
    for (const auto& [job, change] : changes) {
      if (change.gone > 0) hold(job, 0);
    }
    const std::int64_t before = free_;
    for (const auto& [job, gpus] : next) hold(job, gpus);
    return {events_.time_s[begin], before, free_};
  }

 private:
  /// GPUs of the part; -1: it holds none at all. A job may hold GPUs outside of the part.
  [[nodiscard]] std::int64_t held_after(std::int64_t job, const InstantChange& change) const {
    const auto now = held_.find(job);
    if (!change.holds_after(now != held_.end())) return -1;
    if (change.launches == 0) return now->second;
    return std::ranges::count_if(events_.gpus(change.row), [&](std::int64_t gpu) { return part_.contains(gpu); });
  }
  void hold(std::int64_t job, std::int64_t gpus) {
    if (const auto now = held_.find(job); now != held_.end()) free_ += now->second;
    free_ -= std::max<std::int64_t>(gpus, 0);
    if (gpus < 0) {
      held_.erase(job);
    } else {
      held_[job] = gpus;
    }
  }

  const EventTable& events_;
  GpuRange part_;
  std::int64_t free_;
  std::map<std::int64_t, std::int64_t> held_;  // by job
};

}  // namespace

std::vector<FreeStep> free_steps(const RunRecord& record, const GpuRange& part, const Rounds& rounds) {
  const EventTable events(record);
  FreeCount count(events, part);
  std::vector<FreeStep> steps = {{0, part.count, part.count}};
  for (std::size_t begin = 0, end = 0; begin < events.size(); begin = end) {
    end = events.end_of_instant(begin);
    FreeStep step = count.instant(begin, end);
    const double seen_s = rounds.start_s(step.time_s);
    // Between boundaries jobs are over or stopped, and none starts.
    if (seen_s > step.time_s) step = {seen_s, step.after, step.after};
    if (steps.back().time_s == seen_s) {
      steps.back() = step;
    } else {
      steps.push_back(step);
    }
  }
  return steps;
}

std::vector<HeldTime> held_times(const RunRecord& record, std::int64_t job) {
  const EventTable events(record);
  std::vector<HeldTime> all;
  bool holds = false;
  for (std::size_t begin = 0, end = 0; begin < events.size(); begin = end) {
    end = events.end_of_instant(begin);
    InstantChange change;
    for (std::size_t row = begin; row < end; ++row) {
      if (events.job[row] == job) events.add(row, change);
    }
    if (change.gone + change.launches == 0) continue;
    if (holds) all.back().to_s = events.time_s[begin];
    const bool held = holds;
    holds = change.holds_after(held);
    if (!holds) continue;
    const auto gpus = events.gpus(change.row);
    all.push_back({events.time_s[begin], nan, {gpus.begin(), gpus.end()}});
  }
  return all;
}

}  // namespace palstudy
