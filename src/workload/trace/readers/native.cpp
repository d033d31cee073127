// SPDX-License-Identifier: MIT
// Our own format: everything that a job is stands in its row (native_trace.hpp has the columns).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "workload/trace/job_fields.hpp"
#include "workload/trace/native_trace.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

const NoteKind unread_column("unread-column", Severity::info);

constexpr std::int64_t longest_id = INT64_MAX;

/// Where the columns stand in a table.
class NativeColumns {
 public:
  explicit NativeColumns(const CsvTable& table) {
    for (std::size_t i = 0; i < native_columns.size(); ++i) {
      const auto& [name, required] = native_columns[i];
      if (required || table.has_column(name)) places_[i] = table.column(name);
    }
  }

  [[nodiscard]] std::optional<std::size_t> find(NativeColumn column) const {
    return places_.at(static_cast<std::size_t>(column));
  }
  /// Of one that is required.
  [[nodiscard]] std::size_t at(NativeColumn column) const { return find(column).value(); }

 private:
  std::array<std::optional<std::size_t>, native_columns.size()> places_;
};

/// Notes each column that is not read: under a misspelt name its values would be ignored silently.
void note_other_columns(const CsvTable& table, std::vector<Note>& notes) {
  std::vector<std::string> known;
  for (const NativeColumnInfo& column : native_columns) known.emplace_back(column.name);
  for (const std::string& name : table.header()) {
    if (std::ranges::find(known, name) != known.end()) continue;
    const auto like = nearest(name, known);
    notes.push_back(unread_column({{"column", name}, {"like", like ? Value(*like) : Value()}}));
  }
}

/// The number of a row's name in a column that need not be there: then all have the first name, which is "".
std::uint16_t optional_name(const CsvTable& table, std::size_t row, std::optional<std::size_t> column,
                            NameIndex& names) {
  return column ? static_cast<std::uint16_t>(names.number(table, row, *column)) : std::uint16_t{0};
}

/// Whether a row has something in a column that need not be there.
bool filled(const CsvTable& table, std::size_t row, std::optional<std::size_t> column) {
  return column && !table.text(row, *column).empty();
}

/// Ids under 0 are those of jobs that run at time 0 already.
std::int64_t id_of_job(const CsvTable& table, std::size_t row, std::size_t column, double submit_s) {
  const std::int64_t id = table.integer(row, column, -longest_id, INT64_MAX);
  if (id >= 0 || submit_s == 0) return id;
  throw data_error(fmt::format("the job {} is submitted at {} s", id, shortest(submit_s)), table.where(row, column),
                   "ids under 0 are those of jobs that run at time 0: submit it then, or give it another id");
}

/// When the site started and ended jobs, from the columns `start_s` and `end_s`.
class RecordColumns {
 public:
  RecordColumns(const CsvTable& table, const NativeColumns& columns)
      : table_(table), start_(columns.find(NativeColumn::start_s)), end_(columns.find(NativeColumn::end_s)) {}

  /// Not known where both fields are empty.
  [[nodiscard]] RecordedTimes read(std::size_t row, const Job& job) const {
    const bool started = filled(table_, row, start_), ended = filled(table_, row, end_);
    if (!started && !ended) return {};
    if (!started || !ended) {
      throw data_error("a job with a start or an end alone", table_.where(row, started ? *start_ : *end_),
                       "give both start_s and end_s, or neither");
    }
    constexpr double most_s = 3 * longest_job_s;  // it was submitted, waited and ran for the longest times
    const RecordedTimes times{table_.number(row, *start_, -most_s, most_s), table_.number(row, *end_, -most_s, most_s)};
    check(row, job, times);
    return times;
  }

 private:
  /// A job that runs at time 0 may have started before.
  void check(std::size_t row, const Job& job, const RecordedTimes& times) const {
    if (job.id >= 0 && times.start_s < job.submit_s) {
      throw data_error(
          fmt::format("started at {} s and submitted at {} s", shortest(times.start_s), shortest(job.submit_s)),
          table_.where(row, *start_), "a job starts when it is submitted, or later");
    }
    if (times.end_s <= times.start_s) {
      throw data_error(fmt::format("started at {} s and ended at {} s", shortest(times.start_s), shortest(times.end_s)),
                       table_.where(row, *end_), "a job ends after its start");
    }
  }

  const CsvTable& table_;
  std::optional<std::size_t> start_, end_;
};

std::string at_once_text(std::int64_t tasks) { return tasks == 0 ? "all" : std::to_string(tasks); }

/// What jobs wait for, from the columns `after` and `array`.
class LinkColumns {
 public:
  LinkColumns(const CsvTable& table, const NativeColumns& columns)
      : table_(table), after_(columns.find(NativeColumn::after)), array_(columns.find(NativeColumn::array)) {}

  void read(std::size_t row, std::int64_t job) {
    if (after_) rows_.emplace(job, row);
    if (filled(table_, row, after_)) read_after(row, job);
    if (filled(table_, row, array_)) read_array(row, job);
  }
  /// Errors (data, at the field): a job that comes after none of the trace, or after one that is submitted later.
  [[nodiscard]] JobLinks take(const std::vector<Job>& jobs) {
    for (const auto& [job, after] : links_.after) check_order(jobs, job, after);
    std::ranges::sort(links_.after);
    std::ranges::sort(links_.tasks);
    return std::move(links_);
  }

 private:
  void read_after(std::size_t row, std::int64_t job) {
    for (const std::string& text : split(std::string(table_.text(row, *after_)), ' ')) {
      if (text.empty()) continue;
      const auto id = parse_integer(text);
      if (!id) {
        throw data_error(fmt::format("\"{}\" is no id of a job", text), table_.where(row, *after_),
                         "give ids with spaces between them, as in 3 17");
      }
      links_.after.push_back({job, *id});
    }
  }
  void read_array(std::size_t row, std::int64_t job) {
    const std::string text(table_.text(row, *array_));
    const auto percent = text.rfind('%');
    const bool limited = percent != std::string::npos;
    const std::string name = text.substr(0, percent);
    const auto at_once = limited ? parse_integer(text.substr(percent + 1)) : std::optional(0LL);
    if (name.empty() || name.find('%') != std::string::npos || !at_once || *at_once < (limited ? 1 : 0) ||
        *at_once > UINT32_MAX) {
      throw data_error(fmt::format("the array \"{}\"", text), table_.where(row, *array_),
                       "give its name and, if few tasks may run at once, their number, as in 7%2");
    }
    const auto [known, added] = links_.at_once.emplace(name, static_cast<std::uint32_t>(*at_once));
    if (known->second != *at_once) {
      throw data_error(fmt::format("the array {} runs {} tasks at once, and {}", name, at_once_text(known->second),
                                   at_once_text(*at_once)),
                       table_.where(row, *array_), "give all of its tasks the same number");
    }
    links_.tasks.push_back({job, name});
  }
  void check_order(const std::vector<Job>& jobs, std::int64_t job, std::int64_t after) const {
    const std::size_t row = rows_.at(job);
    const auto other = rows_.find(after);
    if (other != rows_.end() &&
        std::pair(jobs[other->second].submit_s, other->second) < std::pair(jobs[row].submit_s, row))
      return;
    throw data_error(other == rows_.end() ? fmt::format("there is no job {}", after)
                                          : fmt::format("job {} does not come before job {}", after, job),
                     table_.where(row, *after_),
                     "a job can come after jobs that are submitted before it, or at the same time in an earlier row");
  }

  const CsvTable& table_;
  std::optional<std::size_t> after_, array_;
  std::map<std::int64_t, std::size_t> rows_;  // by job; where the table has `after`
  JobLinks links_;
};

void read_native(TraceText trace, const TraceContext&, TraceJobs& read) {
  using enum NativeColumn;
  const CsvTable table = CsvTable::parse(std::move(trace.text), std::move(trace.name));
  Workload& out = read.workload;
  const NativeColumns columns(table);
  const std::size_t id = columns.at(job_id), submit = columns.at(submit_s), gpus = columns.at(num_gpus),
                    work = columns.at(iterations), iteration = columns.at(iteration_s), job_class = columns.at(cls);
  const auto job_model = columns.find(model), job_tenant = columns.find(tenant), job_user = columns.find(user),
             job_name = columns.find(name), predicted = columns.find(predicted_s), estimate = columns.find(estimate_s),
             job_queue = columns.find(queue), job_account = columns.find(account);
  note_other_columns(table, out.notes);
  if (!job_model) out.models = {""};
  NameIndex classes(out.classes, "classes", UINT32_MAX), models(out.models, "models", UINT16_MAX),
      tenants(out.tenants, "tenants", UINT16_MAX), users(out.users, "users", UINT32_MAX),
      names(out.names, "names of jobs", UINT32_MAX), queues(out.queues, "queues", UINT16_MAX),
      accounts(out.accounts, "accounts", UINT16_MAX);
  const RecordColumns records(table, columns);
  LinkColumns links(table, columns);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!filled(table, row, job_class))
      throw data_error("a job without a class", table.where(row, job_class), "name one of the cluster's");
    Job job;
    job.submit_s = submit_time(table, row, submit);
    job.id = id_of_job(table, row, id, job.submit_s);
    job.gpus = job_gpus(table, row, gpus);
    job.iterations = positive(table, row, work, "work");
    job.iteration_s = positive(table, row, iteration, "an iteration time");
    job.cls = ClassId(classes.number(table, row, job_class));
    job.model = optional_name(table, row, job_model, models);
    job.tenant = optional_name(table, row, job_tenant, tenants);
    if (job_user) job.user = users.number(table, row, *job_user);
    if (job_name) job.name = names.number(table, row, *job_name);
    job.queue = optional_name(table, row, job_queue, queues);
    job.account = optional_name(table, row, job_account, accounts);
    if (filled(table, row, predicted)) job.predicted_s = table.number(row, *predicted);
    check_seconds(job.ideal_s(), table, row, work);
    if (filled(table, row, estimate)) {
      job.estimate_s = positive(table, row, *estimate, "an estimate");
      check_seconds(job.estimate_s, table, row, *estimate);
    }
    record_times(out, job, records.read(row, job));
    links.read(row, job.id);
    read.add(job, place_of(table, row, id));
  }
  out.links = links.take(out.jobs);
}

bool looks_like_native(std::string_view beginning) {
  std::vector<std::string> required;
  for (const NativeColumnInfo& column : native_columns) {
    if (column.required) required.emplace_back(column.name);
  }
  return names_columns(beginning, required);
}

}  // namespace

void register_reader_native(ReaderRegistry& registry) {
  registry.add(
      {native_reader,
       "The program's own format: job_id (under 0: runs at time 0), submit_s, num_gpus, iterations, "
       "iteration_s, class and, if wanted, model, tenant, user, name (of the job), estimate_s, predicted_s, start_s "
       "and end_s (as the site recorded them), queue, account, after and array.",
       {},
       {.read = read_native,
        .published = "carried: jobs/traces/sia-philly/continued",
        .licence = "MIT",
        .looks = looks_like_native}});
}

}  // namespace palstudy
