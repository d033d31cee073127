// SPDX-License-Identifier: MIT
#include "workload/trace/native_trace.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string_view>
#include <vector>

#include "core/text.hpp"

namespace palstudy {
namespace {

constexpr std::size_t no_job = std::numeric_limits<std::size_t>::max();

std::string_view name_at(const std::vector<std::string>& names, std::size_t index) {
  return index < names.size() ? std::string_view(names[index]) : std::string_view();
}

bool any_named(const std::vector<std::string>& names) {
  return std::ranges::any_of(names, [](const std::string& name) { return !name.empty(); });
}

struct WrittenColumn {
  NativeColumn column;
  std::function<std::string(const Job&)> text;
};

template <class Member>
WrittenColumn names_column(NativeColumn column, const std::vector<std::string>& names, Member Job::*index) {
  return {column, [&names, index](const Job& job) { return csv_field(name_at(names, job.*index)); }};
}

/// A number that need not be there.
WrittenColumn optional_column(NativeColumn column, bool (*there)(const Job&), double Job::*number) {
  return {column, [there, number](const Job& job) { return there(job) ? shortest(job.*number) : std::string(); }};
}

/// The ids that a job comes after, with spaces between.
std::string after_text(const JobLinks& links, std::int64_t job) {
  std::string text;
  for (const auto& link : std::ranges::equal_range(links.after, job, {}, &JobLinks::After::job)) {
    text += (text.empty() ? "" : " ") + std::to_string(link.after);
  }
  return text;
}

/// "7%2": two tasks of the array 7 at once.
std::string array_text(const JobLinks& links, std::int64_t job) {
  const auto task = std::ranges::lower_bound(links.tasks, job, {}, &JobLinks::Task::job);
  if (task == links.tasks.end() || task->job != job) return {};
  const std::uint32_t at_once = links.at_once.at(task->array);
  return csv_field(task->array + (at_once == 0 ? "" : "%" + std::to_string(at_once)));
}

/// When the site started or ended a job.
WrittenColumn recorded_column(NativeColumn column, const Workload& workload, double RecordedTimes::*time) {
  return {column, [&workload, time](const Job& job) {
            const RecordedTimes times = recorded_times(workload, job);
            return times.known() ? shortest(times.*time) : std::string();
          }};
}

bool has_estimate(const Job& job) { return job.estimate_s > 0; }
bool has_prediction(const Job& job) { return !std::isnan(job.predicted_s); }

std::vector<WrittenColumn> written_columns(const Workload& workload) {
  using enum NativeColumn;
  std::vector<WrittenColumn> columns = {
      {job_id, [](const Job& job) { return std::to_string(job.id); }},
      {submit_s, [](const Job& job) { return shortest(job.submit_s); }},
      {num_gpus, [](const Job& job) { return std::to_string(job.gpus); }},
      {iterations, [](const Job& job) { return shortest(job.iterations); }},
      {iteration_s, [](const Job& job) { return shortest(job.iteration_s); }},
      {cls, [&](const Job& job) { return csv_field(workload.classes.at(job.cls.index())); }}};
  if (any_named(workload.models)) columns.push_back(names_column(model, workload.models, &Job::model));
  if (any_named(workload.tenants)) columns.push_back(names_column(tenant, workload.tenants, &Job::tenant));
  if (!workload.users.empty()) columns.push_back(names_column(user, workload.users, &Job::user));
  if (!workload.names.empty()) columns.push_back(names_column(name, workload.names, &Job::name));
  const auto some = [&](auto has) { return std::ranges::any_of(workload.jobs, has); };
  if (some(has_estimate)) columns.push_back(optional_column(estimate_s, has_estimate, &Job::estimate_s));
  if (some(has_prediction)) columns.push_back(optional_column(predicted_s, has_prediction, &Job::predicted_s));
  if (some([&](const Job& job) { return recorded_times(workload, job).known(); })) {
    columns.push_back(recorded_column(start_s, workload, &RecordedTimes::start_s));
    columns.push_back(recorded_column(end_s, workload, &RecordedTimes::end_s));
  }
  if (!workload.queues.empty()) columns.push_back(names_column(queue, workload.queues, &Job::queue));
  if (!workload.accounts.empty()) columns.push_back(names_column(account, workload.accounts, &Job::account));
  const JobLinks& links = workload.links;
  if (!links.after.empty()) columns.push_back({after, [&](const Job& job) { return after_text(links, job.id); }});
  if (!links.tasks.empty()) columns.push_back({array, [&](const Job& job) { return array_text(links, job.id); }});
  return columns;
}

/// Whether the reader has the order of two jobs from the file: jobs that run at time 0 go by their ids.
bool tied(const Job& a, const Job& b) { return a.submit_s == b.submit_s && a.id >= 0 && b.id >= 0; }

/// A job of each tenant before which no job of a tenant with a higher number has to come; `no_job` of a tenant without
/// one. Jobs of one time stay in their order, so that those before it come with it.
std::vector<std::size_t> job_to_begin_with(const Workload& workload) {
  std::vector<std::size_t> jobs(workload.tenants.size(), no_job);
  std::uint16_t highest = 0;
  for (std::size_t j = 0; j < workload.jobs.size(); ++j) {
    const Job& job = workload.jobs[j];
    highest = j > 0 && tied(workload.jobs[j - 1], job) ? std::max(highest, job.tenant) : job.tenant;
    if (job.tenant == highest && jobs.at(job.tenant) == no_job) jobs[job.tenant] = j;
  }
  return jobs;
}

bool tenants_come_in_order(const Workload& workload) {
  std::vector<bool> seen(workload.tenants.size());
  int last = -1;
  for (const Job& job : workload.jobs) {
    if (seen.at(job.tenant)) continue;
    if (job.tenant < last) return false;
    seen[job.tenant] = true;
    last = job.tenant;
  }
  return true;
}

/// The jobs in the order of the file.
std::vector<std::size_t> order_in_file(const Workload& workload) {
  std::vector<std::size_t> order;
  order.reserve(workload.jobs.size());
  std::vector<bool> taken(workload.jobs.size());
  const auto take = [&](std::size_t j) {
    if (!taken[j]) order.push_back(j);
    taken[j] = true;
  };
  if (!tenants_come_in_order(workload)) {
    for (const std::size_t first : job_to_begin_with(workload)) {
      if (first == no_job) continue;
      std::size_t from = first;
      while (from > 0 && tied(workload.jobs[from - 1], workload.jobs[from])) --from;
      for (std::size_t j = from; j <= first; ++j) take(j);
    }
  }
  for (std::size_t j = 0; j < workload.jobs.size(); ++j) take(j);
  return order;
}

bool same_number(double a, double b) {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b) || (std::isnan(a) && std::isnan(b));
}

/// The tenants with jobs, in the order of their numbers.
std::vector<std::string> tenants_with_jobs(const Workload& workload) {
  std::vector<bool> seen(workload.tenants.size());
  for (const Job& job : workload.jobs) seen.at(job.tenant) = true;
  std::vector<std::string> names;
  for (std::size_t t = 0; t < seen.size(); ++t) {
    if (seen[t]) names.push_back(workload.tenants[t]);
  }
  return names;
}

}  // namespace

std::string native_trace(const Workload& workload) {
  const std::vector<WrittenColumn> columns = written_columns(workload);
  std::string text;
  const auto end = [&](std::size_t c) { return c + 1 < columns.size() ? ',' : '\n'; };
  for (std::size_t c = 0; c < columns.size(); ++c) {
    text += info_of(columns[c].column).name;
    text += end(c);
  }
  for (const std::size_t j : order_in_file(workload)) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      text += columns[c].text(workload.jobs[j]);
      text += end(c);
    }
  }
  return text;
}

bool same_jobs(const Workload& a, const Workload& b) {
  const auto same = [&](const Job& x, const Job& y) {
    const auto named = [&](std::vector<std::string> Workload::*names, auto index) {
      return name_at(a.*names, index(x)) == name_at(b.*names, index(y));
    };
    const RecordedTimes ran_x = recorded_times(a, x), ran_y = recorded_times(b, y);
    return x.id == y.id && x.gpus == y.gpus && same_number(x.submit_s, y.submit_s) &&
           same_number(x.iterations, y.iterations) && same_number(x.iteration_s, y.iteration_s) &&
           same_number(x.estimate_s, y.estimate_s) && same_number(x.predicted_s, y.predicted_s) &&
           same_number(ran_x.start_s, ran_y.start_s) && same_number(ran_x.end_s, ran_y.end_s) &&
           named(&Workload::classes, [](const Job& job) { return job.cls.index(); }) &&
           named(&Workload::models, [](const Job& job) { return job.model; }) &&
           named(&Workload::tenants, [](const Job& job) { return job.tenant; }) &&
           named(&Workload::users, [](const Job& job) { return job.user; }) &&
           named(&Workload::names, [](const Job& job) { return job.name; }) &&
           named(&Workload::queues, [](const Job& job) { return job.queue; }) &&
           named(&Workload::accounts, [](const Job& job) { return job.account; });
  };
  return a.users.empty() == b.users.empty() && a.names.empty() == b.names.empty() &&
         a.queues.empty() == b.queues.empty() && a.accounts.empty() == b.accounts.empty() && a.links == b.links &&
         std::ranges::equal(a.jobs, b.jobs, same);
}

bool same_order_of_tenants(const Workload& a, const Workload& b) {
  return tenants_with_jobs(a) == tenants_with_jobs(b);
}

}  // namespace palstudy
