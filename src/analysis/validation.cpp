// SPDX-License-Identifier: MIT
#include "analysis/validation.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "core/numbers.hpp"
#include "stats/descriptive.hpp"

namespace palstudy {
namespace {

using Rule = ValidationRule;

double recorded_wait(const ReplayedJob& job) { return job.recorded_start_s - job.submit_s; }
double simulated_wait(const ReplayedJob& job) { return job.simulated_start_s - job.submit_s; }

/// Sums over the jobs of a group.
struct Sums {
  std::size_t jobs = 0;
  double recorded_s = 0, simulated_s = 0;
  void add(const ReplayedJob& job) { ++jobs, recorded_s += recorded_wait(job), simulated_s += simulated_wait(job); }
};

/// "1", "2", "3-4", "5-8", ...: the number of a class of widths.
int width_class(std::uint32_t gpus) { return std::bit_width(std::max(gpus, 1U) - 1); }
std::string width_name(int width) {
  const std::uint32_t most = 1U << width, least = most / 2 + 1;
  return width == 0 || least == most ? std::to_string(most) : std::to_string(least) + "-" + std::to_string(most);
}

constexpr int hours_of_quarter = 6;
std::string quarter_name(int quarter) {
  return std::to_string(quarter * hours_of_quarter) + "-" + std::to_string((quarter + 1) * hours_of_quarter);
}

/// Of a split, the class of a job and the name of a class; none where the log does not say.
struct GroupSplit {
  SplitBy by;
  std::function<int(const ReplayedJob&)> place;
  std::function<std::string(int)> name;
};

std::vector<GroupSplit> splits_of(const ReplayedLog& log) {
  std::vector<GroupSplit> splits = {
      {SplitBy::width, [](const ReplayedJob& job) { return width_class(job.gpus); }, width_name}};
  const auto by_name = [&](SplitBy by, const std::vector<std::string>& names, std::uint16_t ReplayedJob::*index) {
    if (names.size() < 2) return;
    splits.push_back({by, [index](const ReplayedJob& job) { return int{job.*index}; },
                      [&names](int place) { return names[static_cast<std::size_t>(place)]; }});
  };
  by_name(SplitBy::queue, log.queues, &ReplayedJob::queue);
  by_name(SplitBy::tenant, log.tenants, &ReplayedJob::tenant);
  if (log.zero_s > 0) {
    const auto quarter = [&](const ReplayedJob& job) {
      return static_cast<int>(std::fmod(log.zero_s + job.submit_s, day_s) / (hours_of_quarter * hour_s));
    };
    splits.push_back({SplitBy::time_of_day, quarter, quarter_name});
  }
  return splits;
}

bool near(double simulated, double recorded, double share, double least_s) {
  return std::abs(simulated - recorded) <= std::max(share * recorded, least_s);
}

/// Groups of one split, in the order of their places; none where one group has all jobs, which says nothing more.
void add_groups(const std::vector<ReplayedJob>& jobs, const GroupSplit& split, double wait_of_all_s,
                std::vector<ValidatedGroup>& groups) {
  std::map<int, Sums> sums;
  for (const ReplayedJob& job : jobs) sums[split.place(job)].add(job);
  if (sums.size() < 2) return;
  for (const auto& [place, of] : sums) {
    const auto count = static_cast<double>(of.jobs);
    ValidatedGroup group{split.by, split.name(place), of.jobs, of.recorded_s / count, of.simulated_s / count};
    group.decides = of.jobs >= Rule::group_jobs;
    group.holds = near(group.simulated_wait_s, group.recorded_wait_s, Rule::group_share,
                       std::max(Rule::group_of_all * wait_of_all_s, Rule::all_s));
    groups.push_back(std::move(group));
  }
}

/// What to look for first where a group waits longer, or less long, than the model says.
std::vector<UsualCause> causes_of(const ValidatedGroup& group) {
  using enum UsualCause;
  const bool longer = group.recorded_wait_s > group.simulated_wait_s;
  switch (group.by) {
    case SplitBy::queue:
      return longer ? std::vector{partitions, dependencies} : std::vector{priorities, more_gpus};
    case SplitBy::tenant:
      return longer ? std::vector{priorities, dependencies} : std::vector{priorities, reservations};
    case SplitBy::width:
      return longer ? std::vector{partitions, reservations} : std::vector{reservations, more_gpus};
    case SplitBy::time_of_day:
      break;
  }
  return longer ? std::vector{outages, reservations} : std::vector{outages, more_gpus};
}

void find_largest(Validation& found) {
  std::vector<const ValidatedGroup*> groups;
  for (const ValidatedGroup& group : found.splits) {
    if (group.decides && !group.holds) groups.push_back(&group);
  }
  std::ranges::stable_sort(groups, std::greater(),
                           [](const ValidatedGroup* group) { return std::abs(group->difference_s()); });
  if (groups.size() > Rule::differences) groups.resize(Rule::differences);
  for (const ValidatedGroup* group : groups) found.largest.push_back({*group, causes_of(*group)});
}

/// Adds `weight` times the time from `from_s` to `to_s` to the stretches, as a mean over each.
void spread_over(std::vector<UseOfStretch>& use, double from_s, double to_s, double weight,
                 double UseOfStretch::*column) {
  if (use.empty() || !(to_s > from_s)) return;
  const double width_s = use.front().to_s - use.front().from_s;
  const auto last = static_cast<double>(use.size() - 1);
  const auto first = static_cast<std::size_t>(std::clamp(std::floor(from_s / width_s), 0.0, last));
  for (std::size_t i = first; i < use.size() && use[i].from_s < to_s; ++i) {
    const double inside_s = std::min(to_s, use[i].to_s) - std::max(from_s, use[i].from_s);
    if (inside_s > 0) use[i].*column += weight * inside_s / width_s;
  }
}

/// Up to the last submission: what follows is only the end of the log.
std::vector<UseOfStretch> use_over(const ReplayedLog& log) {
  double end_s = 0;
  for (const ReplayedJob& job : log.jobs) end_s = std::max(end_s, job.submit_s);
  if (!(end_s > 0)) return {};
  std::vector<UseOfStretch> use(Rule::stretches);
  const double width_s = end_s / static_cast<double>(use.size());
  for (std::size_t i = 0; i < use.size(); ++i) {
    use[i].from_s = static_cast<double>(i) * width_s, use[i].to_s = static_cast<double>(i + 1) * width_s;
  }
  for (const ReplayedJob& job : log.jobs) {
    const double recorded_s = std::max(job.recorded_start_s, 0.0);
    const double simulated_s = std::isnan(job.simulated_start_s) ? end_s : job.simulated_start_s;
    spread_over(use, job.submit_s, recorded_s, 1, &UseOfStretch::recorded_queue);
    spread_over(use, job.submit_s, simulated_s, 1, &UseOfStretch::simulated_queue);
    spread_over(use, recorded_s, recorded_s + job.ran_s, job.gpus, &UseOfStretch::recorded_gpus);
    spread_over(use, simulated_s, simulated_s + job.ran_s, job.gpus, &UseOfStretch::simulated_gpus);
  }
  return use;
}

void sum_use(const ReplayedLog& log, Validation& found) {
  for (const UseOfStretch& one : found.use) {
    found.recorded_use += one.recorded_gpus, found.simulated_use += one.simulated_gpus;
  }
  const double all = static_cast<double>(found.use.size()) * log.gpus;
  if (all > 0) found.recorded_use /= all, found.simulated_use /= all;
}

SiteVerdict verdict_of(const Validation& found) {
  if (found.jobs < Rule::least_jobs) return SiteVerdict::too_few_jobs;
  const bool all = near(found.simulated_wait_s, found.recorded_wait_s, Rule::all_share, Rule::all_s);
  const double needed = Rule::groups * static_cast<double>(found.groups);
  const bool holds = all && found.unstarted == 0 && static_cast<double>(found.groups_that_hold) >= needed;
  return holds ? SiteVerdict::accepted : SiteVerdict::rejected;
}

}  // namespace

const char* name_of(SiteVerdict verdict) {
  return std::array{"accepted", "rejected", "too-few-jobs"}[static_cast<std::size_t>(verdict)];
}

const char* name_of(SplitBy split) {
  return std::array{"width", "queue", "tenant", "time-of-day"}[static_cast<std::size_t>(split)];
}

const char* name_of(UsualCause cause) {
  return std::array{
      "partitions", "priorities", "reservations", "outages", "dependencies", "more-gpus"}[static_cast<std::size_t>(
      cause)];
}

Validation validation_of(const ReplayedLog& log) {
  Validation found;
  std::vector<ReplayedJob> jobs;
  for (const ReplayedJob& job : log.jobs) {
    if (job.initial) {
      ++found.initial;
    } else if (std::isnan(job.simulated_start_s)) {
      ++found.unstarted;
    } else {
      jobs.push_back(job);
    }
  }
  found.jobs = jobs.size();
  found.use = use_over(log);
  sum_use(log, found);
  if (jobs.empty()) return found;
  Sums all;
  std::vector<double> errors;
  for (const ReplayedJob& job : jobs) {
    all.add(job);
    errors.push_back(std::abs(job.simulated_start_s - job.recorded_start_s));
  }
  found.recorded_wait_s = all.recorded_s / static_cast<double>(all.jobs);
  found.simulated_wait_s = all.simulated_s / static_cast<double>(all.jobs);
  found.start_error_s = median(std::move(errors));
  for (const GroupSplit& split : splits_of(log)) add_groups(jobs, split, found.recorded_wait_s, found.splits);
  for (const ValidatedGroup& group : found.splits) {
    found.groups += group.decides ? 1 : 0;
    found.groups_that_hold += group.decides && group.holds ? 1 : 0;
  }
  find_largest(found);
  found.verdict = verdict_of(found);
  return found;
}

}  // namespace palstudy
