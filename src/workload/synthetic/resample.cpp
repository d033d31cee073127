// SPDX-License-Identifier: MIT
#include "workload/synthetic/resample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "core/error.hpp"
#include "core/numbers.hpp"
#include "core/random.hpp"
#include "core/text.hpp"
#include "workload/trace/job_fields.hpp"

namespace palstudy {
namespace {

constexpr std::size_t week_days = 7;

double block_s(Resampling how) { return how == Resampling::weeks ? static_cast<double>(week_days) * day_s : day_s; }

/// Jobs are sorted by submit time.
double first_s(const Workload& workload) {
  return workload.jobs.empty() ? 0 : midnight_s(workload.jobs.front().submit_s);
}

TraceBlocks count_users(const Workload& workload) {
  std::vector<bool> seen(workload.users.size());
  for (const Job& job : workload.jobs) {
    if (job.user < seen.size() && !workload.users[job.user].empty()) seen[job.user] = true;
  }
  return {Resampling::users, static_cast<std::size_t>(std::ranges::count(seen, true)), 1, 0};
}

std::size_t count_empty(const Workload& workload, const TraceBlocks& of) {
  std::vector<bool> seen(of.blocks);
  const double from_s = first_s(workload);
  for (const Job& job : workload.jobs) {
    const auto block = static_cast<std::size_t>((job.submit_s - from_s) / block_s(of.how));
    if (block < of.blocks) seen[block] = true;
  }
  return static_cast<std::size_t>(std::ranges::count(seen, false));
}

/// The jobs by the block that they belong to: days and whole weeks, or users. Those of no block stay.
struct Blocks {
  std::vector<std::vector<Job>> jobs;
  std::vector<Job> kept;
};

Blocks by_time(const Workload& workload, Resampling how, std::size_t blocks) {
  Blocks result{std::vector<std::vector<Job>>(blocks), {}};
  const double from_s = first_s(workload);
  for (const Job& job : workload.jobs) {
    const auto block = static_cast<std::size_t>((job.submit_s - from_s) / block_s(how));
    (block < blocks ? result.jobs[block] : result.kept).push_back(job);
  }
  return result;
}

/// A job that names no user stays.
Blocks by_user(const Workload& workload) {
  Blocks all{std::vector<std::vector<Job>>(workload.users.size()), {}};
  for (const Job& job : workload.jobs) {
    (workload.users[job.user].empty() ? all.kept : all.jobs[job.user]).push_back(job);
  }
  std::erase_if(all.jobs, [](const auto& jobs) { return jobs.empty(); });
  return all;
}

/// The block that comes at a position: one of those that are a multiple of `groups` away.
std::size_t drawn_block(std::uint64_t seed, std::size_t position, const TraceBlocks& of) {
  const std::size_t group = position % of.groups;
  const std::size_t members = (of.blocks - group + of.groups - 1) / of.groups;
  RandomStream random(seed, Purpose::resampled, position);
  return group + of.groups * random.below(static_cast<std::uint32_t>(members));
}

/// Numbers tenants in the order in which jobs name them first, as a reader of these jobs does: ties between tenants go
/// by their numbers.
void renumber_tenants(Workload& workload) {
  std::vector<std::optional<std::uint16_t>> number(workload.tenants.size());
  std::vector<std::string> names;
  const auto add = [&](std::size_t tenant) {
    if (number[tenant]) return;
    number[tenant] = static_cast<std::uint16_t>(names.size());
    names.push_back(workload.tenants[tenant]);
  };
  for (const Job& job : workload.jobs) add(job.tenant);
  for (std::size_t tenant = 0; tenant < number.size(); ++tenant) add(tenant);
  for (Job& job : workload.jobs) job.tenant = *number[job.tenant];
  workload.tenants = std::move(names);
}

}  // namespace

Resampling resampling_named(const std::string& name) {
  for (const Resampling how : {Resampling::none, Resampling::days, Resampling::weeks, Resampling::users}) {
    if (name == name_of(how)) return how;
  }
  throw fault("no way to resample a trace: " + name, "workload.resample");
}

std::string_view name_of(Resampling how) {
  constexpr std::array<std::string_view, 4> names = {"none", "days", "weeks", "users"};
  return names.at(static_cast<std::size_t>(how));
}

std::string TraceBlocks::text() const {
  const char* what = how == Resampling::days ? "day" : how == Resampling::weeks ? "whole week" : "user";
  return counted(blocks, what) + (empty == 0 ? "" : fmt::format(", {} of them without jobs", grouped(empty)));
}

double TraceBlocks::widening() const {
  const auto all = static_cast<double>(used());
  return all / degrees() * (1 + static_cast<double>(tail_days) / (all * static_cast<double>(week_days)));
}

TraceBlocks trace_blocks(const Workload& workload, Resampling how) {
  if (how == Resampling::none || workload.jobs.empty()) return {};
  if (how == Resampling::users) return count_users(workload);
  const double last_s = workload.jobs.back().submit_s - first_s(workload);
  const auto days = static_cast<std::size_t>(last_s / day_s) + 1;
  TraceBlocks of{how, days, days >= days_that_keep_weekdays ? week_days : 1, 0};
  if (how == Resampling::weeks) of = {how, days / week_days, 1, days % week_days};
  of.empty = count_empty(workload, of);
  return of;
}

void resample(Workload& workload, Resampling how, std::uint64_t seed) {
  if (how == Resampling::none) return;
  const TraceBlocks of = trace_blocks(workload, how);
  const bool users = how == Resampling::users;
  const Blocks blocks = users ? by_user(workload) : by_time(workload, how, of.blocks);
  std::vector<Job> drawn = blocks.kept;
  for (std::size_t position = 0; position < of.blocks; ++position) {
    const std::size_t from = drawn_block(seed, position, of);
    const double shift_s = users ? 0 : (static_cast<double>(position) - static_cast<double>(from)) * block_s(how);
    for (Job job : blocks.jobs[from]) {
      job.submit_s += shift_s;
      drawn.push_back(job);
    }
  }
  std::ranges::stable_sort(drawn, [](const Job& a, const Job& b) { return a.submit_s < b.submit_s; });
  std::int64_t next = 0;
  for (Job& job : drawn) job.id = next++;
  workload.jobs = std::move(drawn);
  renumber_tenants(workload);
  lose_links(workload);
  workload.recorded.clear();  // the site ran other jobs
}

}  // namespace palstudy
