// SPDX-License-Identifier: MIT
// Any table of jobs, with columns that the study names.
#include "core/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "workload/trace/site_fields.hpp"
#include "workload/trace/site_records.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

/// What tables write where there is nothing.
bool is_nothing(std::string_view text) {
  constexpr std::array words = {"", "none", "null", "nan", "nat", "n/a", "unknown", "unlimited", "partition_limit"};
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return std::ranges::find(words, lower) != words.end();
}

class JobColumns {
 public:
  JobColumns(const CsvTable& table, const TraceColumns& named) : table_(table), named_(named) {
    for (const auto& [role, name] : named.by_role) {
      if (role != "gpus") columns_.emplace(role, table.column(name));
    }
    const std::string& gpus = named.by_role.at("gpus");
    const auto factors = table.has_column(gpus) ? std::vector{gpus} : split(gpus, '*');
    for (const std::string& factor : factors) gpu_factors_.push_back(table.column(trimmed(factor)));
  }

  [[nodiscard]] bool has(const char* role) const { return columns_.contains(role); }
  /// "" where the table has no such column.
  [[nodiscard]] std::string_view text(std::size_t row, const char* role) const {
    const auto at = columns_.find(role);
    return at == columns_.end() ? std::string_view() : table_.text(row, at->second);
  }
  /// In seconds; none where the field has nothing. Errors (data, at the field): it has anything else.
  [[nodiscard]] std::optional<double> time_s(std::size_t row, const char* role) {
    const std::string_view field = text(row, role);
    if (is_nothing(field)) return std::nullopt;
    if (const auto number = parse_double(field)) return *number * named_.time_s;
    const auto time = site_time(field);
    if (!time) {
      refuse(row, role, "is not a time", "times are numbers, or look like 2026-09-01 12:00:00 with or without a zone");
    }
    without_zone_ = without_zone_ || time->zoneless;
    return time->s;
  }
  /// The same of a span, which may be written as Slurm does.
  [[nodiscard]] std::optional<double> span_s(std::size_t row, const char* role, double unit_s) const {
    const std::string_view field = text(row, role);
    if (is_nothing(field)) return std::nullopt;
    if (const auto number = parse_double(field)) return *number * unit_s;
    const auto span = slurm_span_s(field);
    if (!span) refuse(row, role, "is no span of time", "give a number, or hours as in 26:00:00 or 1-02:00:00");
    return span;
  }
  /// The product of the columns.
  [[nodiscard]] double gpus(std::size_t row) const {
    double product = 1;
    for (const std::size_t column : gpu_factors_) {
      product *= is_nothing(table_.text(row, column)) ? 0 : table_.number(row, column, 0, most_job_gpus);
    }
    return product;
  }
  /// Whether one of them is no whole number, such as 2 workers with half a GPU each.
  [[nodiscard]] bool shares(std::size_t row) const {
    return std::ranges::any_of(gpu_factors_, [&](std::size_t column) {
      if (is_nothing(table_.text(row, column))) return false;
      const double factor = table_.number(row, column, 0, most_job_gpus);
      return std::trunc(factor) != factor;
    });
  }
  [[nodiscard]] std::string place_of_gpus(std::size_t row) const { return table_.where(row, gpu_factors_.front()); }
  [[nodiscard]] bool without_zone() const { return without_zone_; }

 private:
  static std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(' '), last = text.find_last_not_of(' ');
    return first == std::string::npos ? "" : text.substr(first, last + 1 - first);
  }
  [[noreturn]] void refuse(std::size_t row, const char* role, const char* what, const char* advice) const {
    const std::size_t column = columns_.at(role);
    throw data_error(fmt::format("\"{}\" {}", table_.text(row, column), what), table_.where(row, column), advice);
  }

  const CsvTable& table_;
  const TraceColumns& named_;
  std::map<std::string, std::size_t, std::less<>> columns_;  // by role
  std::vector<std::size_t> gpu_factors_;
  bool without_zone_ = false;
};

/// The first row with a part of a GPU is refused, and the others are counted.
void refuse_shares(const CsvTable& table, const JobColumns& columns) {
  std::vector<std::string> lines;
  std::optional<std::size_t> first;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (!columns.shares(row)) continue;
    if (!first) first = row;
    lines.push_back(std::to_string(table.line(row)));
  }
  if (!first) return;
  constexpr std::size_t most_named = 5;
  const std::size_t count = lines.size();
  const std::size_t others = lines.size() > most_named ? lines.size() - most_named : 0;
  lines.resize(lines.size() - others);
  throw data_error(fmt::format("{} shares of a GPU (line {}{})", count == 1 ? "a job has" : "jobs have", join(lines),
                               others == 0 ? "" : fmt::format(" and {} more", others)),
                   columns.place_of_gpus(*first), "jobs here hold whole GPUs: leave these rows out, or round them up");
}

/// Where a duration is named it is taken, and the end is not looked at.
SiteRecord record_of(const CsvTable& table, std::size_t row, JobColumns& columns, const TraceColumns& named) {
  SiteRecord record;
  record.line = table.line(row);
  record.id = columns.has("job") ? std::string(columns.text(row, "job")) : std::to_string(row);
  const auto submit = columns.time_s(row, "submit");
  if (!submit) {
    throw data_error("a job that was never submitted", fmt::format("{}:{}", table.name(), record.line),
                     "every job needs a time of submission");
  }
  record.submit_s = *submit;
  record.start_known = columns.has("start");
  record.start_s = record.start_known ? columns.time_s(row, "start") : submit;
  if (columns.has("duration")) {
    const auto ran_s = columns.span_s(row, "duration", named.time_s);
    if (!ran_s) record.start_s.reset();
    if (record.start_s) record.end_s = *record.start_s + *ran_s;
  } else {
    record.end_s = columns.time_s(row, "end");
  }
  record.limit_s = columns.span_s(row, "estimate", named.estimate_s).value_or(0);
  record.gpus = static_cast<std::int64_t>(columns.gpus(row));
  record.user = columns.text(row, "user"), record.account = columns.text(row, "account");
  record.partition = columns.text(row, "queue"), record.name = columns.text(row, "name");
  record.tenant = columns.text(row, columns.has("tenant") ? "tenant" : "account");
  record.cls = columns.text(row, "class"), record.model = columns.text(row, "model");
  return record;
}

void require_roles(const TraceColumns& named, const std::string& trace) {
  std::vector<std::string> missing;
  for (const char* role : {"submit", "gpus"}) {
    if (!named.by_role.contains(role)) missing.emplace_back(role);
  }
  const bool by_end = named.by_role.contains("start") && named.by_role.contains("end");
  if (!by_end && !named.by_role.contains("duration")) missing.emplace_back("start and end, or duration");
  if (missing.empty()) return;
  throw data_error("workload.columns does not name " + join(missing), trace,
                   "as in workload.columns = { submit = \"submit_time\", start = \"start_time\", end = \"end_time\", "
                   "gpus = \"gpu_num\" }");
}

void read_csv(TraceText trace, const TraceContext& context, TraceJobs& read) {
  require_roles(context.columns, trace.name);
  const CsvTable table = CsvTable::parse(std::move(trace.text), std::move(trace.name));
  JobColumns columns(table, context.columns);
  refuse_shares(table, columns);
  SiteRecords records(table.name(), RecordsOf::all_time);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    records.add(record_of(table, row, columns, context.columns));
  }
  if (columns.without_zone()) records.take_as_utc();
  records.take(context, read);
}

}  // namespace

void register_reader_csv(ReaderRegistry& registry) {
  registry.add(
      {"csv",
       "Any table of jobs: workload.columns says which columns are submit, start, end or duration, gpus and, if "
       "wanted, others. Jobs without GPUs, and those that never started, are left out.",
       {},
       {.read = read_csv,
        .published = "your own, or docs/howto/traces.md",
        .licence = "your own",
        .of_site = true,
        .draws_models = true,
        .columns = NamedColumns::by_role}});
}

}  // namespace palstudy
