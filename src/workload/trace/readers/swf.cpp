// SPDX-License-Identifier: MIT
// The Standard Workload Format of the Parallel Workloads Archive (Feitelson, Tsafrir and Krakov, JPDC 74(10), 2014): 18
// numbers a line, -1 where one is not known, comments behind ";". A processor is taken for a GPU. Field numbers here
// are the format's, from 1.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/error.hpp"
#include "core/text.hpp"
#include "workload/synthetic/drawn_models.hpp"
#include "workload/trace/job_fields.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

const NoteKind other_layout("swf-layout", Severity::info);

/// One line with its numbers and where they stand.
struct SwfRecord {
  static constexpr std::size_t fields = 18;
  enum Field : std::size_t {
    number = 1,
    submit = 2,
    wait = 3,
    run = 4,
    allocated = 5,
    requested = 8,
    requested_s = 9,
    status = 11,
    user = 12,
    group = 13
  };

  const std::string& name;
  std::size_t line;
  std::array<double, fields + 1> value{};
  std::array<std::size_t, fields + 1> place{};
  bool more = false;  // fields than the format has

  [[noreturn]] void refuse(std::size_t field, const std::string& what, const std::string& advice) const {
    throw data_error(what, where(field), advice);
  }
  [[nodiscard]] std::string where(std::size_t field) const { return fmt::format("{}:{}:{}", name, line, place[field]); }
  /// A whole number from `least` to `most`.
  [[nodiscard]] std::int64_t integer(std::size_t field, std::int64_t least, std::int64_t most) const {
    const double v = value[field];
    if (std::trunc(v) != v || v < static_cast<double>(least) || v > static_cast<double>(most)) {
      refuse(field, fmt::format("field {} is {}", field, shortest(v)),
             fmt::format("give a whole number from {} to {}", least, most));
    }
    return static_cast<std::int64_t>(v);
  }
};

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// A line of names, which the format does not have.
bool is_header(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos || text[first] == ';') return false;
  return !parse_double(text.substr(first, text.find_first_of(" \t\r", first) - first));
}

/// Nothing of a blank line or a comment. Fields behind the last are not read.
std::optional<SwfRecord> parse_line(std::string_view text, const std::string& name, std::size_t line) {
  SwfRecord record{name, line};
  std::size_t count = 0, at = 0;
  for (;;) {
    while (at < text.size() && is_space(text[at])) ++at;
    if (at == text.size() || (count == 0 && text[at] == ';')) break;
    const std::size_t begin = at;
    while (at < text.size() && !is_space(text[at])) ++at;
    if (++count > SwfRecord::fields) break;
    const auto value = parse_double(text.substr(begin, at - begin));
    record.place[count] = begin + 1;
    if (!value || !std::isfinite(*value)) {
      record.refuse(count, fmt::format("field {} is not a finite number", count), "comments begin with \";\"");
    }
    record.value[count] = *value;
  }
  if (count == 0) return std::nullopt;
  if (count < SwfRecord::fields) {
    throw data_error(fmt::format("{} fields", count), fmt::format("{}:{}", name, line),
                     "a line of the Standard Workload Format has 18");
  }
  record.more = count > SwfRecord::fields;
  return record;
}

/// Why a record makes no job; "" if it does. Status 2 to 4 are parts of a job whose whole has a line of its own.
std::string unusable(const SwfRecord& record) {
  const auto state = record.integer(SwfRecord::status, -1, 5);
  if (state >= 2 && state <= 4) return "are parts of jobs";
  if (record.value[SwfRecord::run] == -1) return "have no run time";
  if (record.value[SwfRecord::run] == 0) return "ran for no time";
  return record.value[SwfRecord::requested] <= 0 && record.value[SwfRecord::allocated] <= 0 ? "have no processors" : "";
}

class SwfJobs {
 public:
  SwfJobs(const TraceContext& context, TraceJobs& read)
      : context_(context), read_(read), models_(add_models(context.models, read.workload)) {}

  void add(const SwfRecord& record) {
    ++records_;
    if (const auto reason = unusable(record); !reason.empty()) return left_out_.add(reason, record.line);
    const double seconds = record.value[SwfRecord::run], submitted = record.value[SwfRecord::submit];
    if (!(seconds > 0 && seconds <= longest_job_s)) {
      record.refuse(SwfRecord::run, fmt::format("a run time of {} s", shortest(seconds)),
                    "give a number over 0 and under 1e12 s");
    }
    if (!(submitted >= 0 && submitted <= longest_job_s)) {
      record.refuse(SwfRecord::submit, fmt::format("submitted at {} s", shortest(submitted)),
                    "times count from 0 to 1e12 s");
    }
    Job job = models_.job_of_trace(context_.seed, record.integer(SwfRecord::number, 0, std::int64_t{1} << 53), seconds);
    job.submit_s = submitted + 0.0;
    job.gpus = static_cast<std::uint32_t>(record.integer(
        record.value[SwfRecord::requested] > 0 ? SwfRecord::requested : SwfRecord::allocated, 1, most_job_gpus));
    job.estimate_s = estimate_s(record);
    record_times(read_.workload, job, recorded(record, job));
    job.tenant = static_cast<std::uint16_t>(number(record, SwfRecord::group, tenants_));
    job.user = number(record, SwfRecord::user, users_);
    read_.add(job, {record.line, record.place[SwfRecord::number]});
  }

  void close() const { left_out_.note(records_, read_.workload.notes); }

 private:
  /// None where the log does not say how long it waited, or where numbers are too large to add to.
  static RecordedTimes recorded(const SwfRecord& record, const Job& job) {
    const double waited = record.value[SwfRecord::wait], started_s = job.submit_s + waited;
    if (waited > longest_job_s) {
      record.refuse(SwfRecord::wait, fmt::format("a wait of {} s", shortest(waited)),
                    "give a number under 1e12 s, or -1 where it is not known");
    }
    const RecordedTimes times{started_s, started_s + job.ideal_s()};
    return waited >= 0 && times.end_s > started_s ? times : RecordedTimes{};
  }
  /// 0 where the user asked for no time.
  static double estimate_s(const SwfRecord& record) {
    const double asked = record.value[SwfRecord::requested_s];
    if (asked > longest_job_s) {
      record.refuse(SwfRecord::requested_s, fmt::format("a requested time of {} s", shortest(asked)),
                    "give a number under 1e12 s, or -1 where it is not known");
    }
    return std::max(asked, 0.0);
  }

  /// The number of an id as a name, which is "" where the record has none.
  static std::uint32_t number(const SwfRecord& record, SwfRecord::Field field, NameIndex& names) {
    const std::int64_t id = record.integer(field, -1, std::int64_t{1} << 53);
    return names.number(id < 0 ? "" : std::to_string(id), [&] { return record.where(field); });
  }

  const TraceContext& context_;
  TraceJobs& read_;
  DrawnModels models_;
  NameIndex tenants_{read_.workload.tenants, "groups", UINT16_MAX - 1};
  NameIndex users_{read_.workload.users, "users", UINT32_MAX};
  SkippedRecords left_out_;
  std::size_t records_ = 0;
};

/// The number of "; UnixStartTime: 870000000", which is time 0 since 1970.
std::optional<double> start_in(std::string_view comment) {
  constexpr std::string_view key = "UnixStartTime:";
  const std::size_t at = comment.find_first_not_of("; \t");
  if (at == std::string_view::npos || !comment.substr(at).starts_with(key)) return std::nullopt;
  comment.remove_prefix(at + key.size());
  comment.remove_prefix(std::min(comment.size(), comment.find_first_not_of(" \t")));
  return parse_double(comment.substr(0, comment.find_first_of(" \t\r")));
}

/// Some logs have times since 1970 all the same.
void set_zero(double start_s, Workload& workload) {
  if (std::ranges::all_of(workload.jobs, [&](const Job& job) { return job.submit_s < start_s; })) {
    workload.zero_s = start_s;
  }
}

void read_swf(const TraceText& trace, const TraceContext& context, TraceJobs& read) {
  SwfJobs jobs(context, read);
  const std::string_view text = trace.text;
  std::size_t line = 1, longer = 0;
  std::optional<double> start_s;
  bool header = false, any = false;
  for (std::size_t begin = 0; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view fields = text.substr(begin, end - begin);
    begin = end + 1;
    if (!any && !header && is_header(fields)) {
      header = true;
      continue;
    }
    const auto record = parse_line(fields, trace.name, line);
    if (!record) {
      if (!start_s) start_s = start_in(fields);
      continue;
    }
    any = true;
    longer += record->more ? 1 : 0;
    jobs.add(*record);
  }
  jobs.close();
  if (start_s && *start_s > 0 && std::isfinite(*start_s)) set_zero(*start_s, read.workload);
  if (header || longer > 0) read.workload.notes.push_back(other_layout({{"header", header}, {"longer", longer}}));
}

/// The numbers that a line begins with, up to as many as the format has.
std::size_t numbers_in(std::string_view line) {
  std::size_t count = 0;
  for (std::size_t at = 0; count < SwfRecord::fields; ++count) {
    while (at < line.size() && is_space(line[at])) ++at;
    const std::size_t begin = at;
    while (at < line.size() && !is_space(line[at])) ++at;
    if (!parse_double(line.substr(begin, at - begin))) break;
  }
  return count;
}

/// By the first line that is no comment, or the one behind it: it may have names. Comments alone will do.
bool looks_like_swf(std::string_view beginning) {
  std::string_view line = first_line_of(beginning);
  const bool comment = line.starts_with(';');
  const auto next = [&] {
    beginning.remove_prefix(static_cast<std::size_t>(line.data() + line.size() - beginning.data()));
    line = first_line_of(beginning);
  };
  while (line.starts_with(';')) next();
  if (line.empty()) return comment;
  if (is_header(line)) next();
  return numbers_in(line) == SwfRecord::fields;
}

}  // namespace

void register_reader_swf(ReaderRegistry& registry) {
  registry.add(
      {"swf",
       "The Standard Workload Format: job number, submit time, wait time, run time, requested (else allocated) "
       "processors, which stand for GPUs, requested time as its user's estimate, and the group as tenant; models are "
       "drawn.",
       {},
       {.read = read_swf,
        .published = "https://www.cs.huji.ac.il/labs/parallel/workload/logs.html",
        .licence = "each log's own; cite the archive",
        .draws_models = true,
        .looks = looks_like_swf}});
}

}  // namespace palstudy
