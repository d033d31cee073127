// SPDX-License-Identifier: MIT
// cluster_job_log of Microsoft's Philly cluster (Jeon et al., ATC'19; schema: README of msr-fiddle/philly-traces). A
// job needs the GPUs of its last attempt and the time of all of them together; what became of it (status) has no column
// in /jobs.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "workload/synthetic/drawn_models.hpp"
#include "workload/trace/job_fields.hpp"
#include "workload/trace/json_records.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

using nlohmann::json;

/// One record and where it begins, for messages.
class Record {
 public:
  Record(std::string_view text, std::string where) : where_(std::move(where)) {
    root_ = json::parse(text, nullptr, false);
    if (root_.is_discarded()) refuse("this record is not JSON", "each has to be an object of texts and lists");
  }

  [[nodiscard]] const json& field(const json& of, const char* key, json::value_t type) const {
    const auto found = of.find(key);
    if (found == of.end() || found->type() != type) {
      refuse(fmt::format("this record has no {} \"{}\"", type == json::value_t::array ? "list" : "text", key),
             "see the schema at https://github.com/msr-fiddle/philly-traces");
    }
    return *found;
  }
  /// A time; nothing where the log has none (null, "None", or left out).
  [[nodiscard]] std::optional<double> time(const json& of, const char* key) const {
    const auto found = of.find(key);
    if (found == of.end() || found->is_null()) return std::nullopt;
    const std::string text = found->is_string() ? found->get<std::string>() : "no time";
    if (text == "None" || text.empty()) return std::nullopt;
    const auto time = calendar_s(text);
    if (!time) refuse(fmt::format("\"{}\" is not a time", key), "times look like 2017-10-07 01:11:39");
    return time;
  }
  [[noreturn]] void refuse(const std::string& what, const std::string& advice) const {
    throw data_error(what, where_, advice);
  }
  [[nodiscard]] const json& root() const { return root_; }
  [[nodiscard]] const std::string& where() const { return where_; }

 private:
  std::string where_;
  json root_;
};

/// What a job needs, from its attempts; no GPUs or no seconds where there is none to count.
struct Need {
  std::size_t attempts = 0;
  std::uint64_t gpus = 0;
  double seconds = 0;
  RecordedTimes ran;  // from the first start to the last end
};

Need need_of(const Record& record) {
  Need need;
  for (const json& attempt : record.field(record.root(), "attempts", json::value_t::array)) {
    if (!attempt.is_object()) record.refuse("an attempt is not a record", "it has start_time, end_time and detail");
    const auto start = record.time(attempt, "start_time"), end = record.time(attempt, "end_time");
    std::uint64_t gpus = 0;
    for (const json& server : record.field(attempt, "detail", json::value_t::array)) {
      if (!server.is_object()) record.refuse("a server of an attempt is not a record", "it has ip and gpus");
      gpus += record.field(server, "gpus", json::value_t::array).size();
    }
    if (!start || !end || *end <= *start || gpus == 0) continue;
    ++need.attempts;
    need.gpus = gpus;
    need.seconds += *end - *start;
    need.ran = {std::fmin(need.ran.start_s, *start), std::fmax(need.ran.end_s, *end)};
  }
  return need;
}

class PhillyJobs {
 public:
  PhillyJobs(const TraceContext& context, TraceJobs& read, const std::string& name)
      : context_(context), read_(read), name_(name), models_(add_models(context.models, read.workload)) {}

  void add(std::string_view text, std::size_t line) {
    const auto id = static_cast<std::int64_t>(records_++);
    const Record record(text, fmt::format("{}:{}", name_, line));
    const auto& vc = record.field(record.root(), "vc", json::value_t::string).get_ref<const std::string&>();
    const auto submitted = record.time(record.root(), "submitted_time");
    const Need need = need_of(record);
    if (!submitted) return left_out_.add("have no submitted_time", line);
    if (record.root().at("attempts").empty()) return left_out_.add("never started", line);
    if (need.attempts == 0) return left_out_.add("have no attempt with a start, a later end and GPUs", line);
    if (need.gpus > static_cast<std::uint64_t>(most_job_gpus) || need.seconds > longest_job_s) {
      record.refuse(fmt::format("a job of {} GPUs and {} s", need.gpus, shortest(need.seconds)), "leave the job out");
    }
    Job job = models_.job_of_trace(context_.seed, id, need.seconds);
    job.submit_s = *submitted;
    job.gpus = static_cast<std::uint32_t>(need.gpus);
    if (need.ran.start_s >= job.submit_s) {  // else a clock was set back
      record_times(read_.workload, job, {need.ran.start_s, need.ran.end_s, need.seconds});
    }
    const auto where = [&] { return record.where(); };
    job.tenant = static_cast<std::uint16_t>(tenants_.number(vc, where));
    job.user = users_.number(user(record), where);
    first_s_ = std::min(first_s_, job.submit_s);
    read_.add(job, {line, 1});
  }

  void close() {
    if (!read_.workload.jobs.empty()) count_from(read_.workload, midnight_s(first_s_));
    left_out_.note(records_, read_.workload.notes);
  }

 private:
  /// "" where the record names none.
  static std::string user(const Record& record) {
    const auto named = record.root().find("user");
    return named != record.root().end() && named->is_string() ? named->get<std::string>() : "";
  }

  const TraceContext& context_;
  TraceJobs& read_;
  const std::string& name_;
  DrawnModels models_;
  NameIndex tenants_{read_.workload.tenants, "virtual clusters", UINT16_MAX - 1};
  NameIndex users_{read_.workload.users, "users", UINT32_MAX};
  SkippedRecords left_out_;
  std::size_t records_ = 0;
  double first_s_ = std::numeric_limits<double>::infinity();
};

void read_philly_json(const TraceText& trace, const TraceContext& context, TraceJobs& read) {
  PhillyJobs jobs(context, read, trace.name);
  for_each_object(trace.text, trace.name, [&](std::string_view text, std::size_t line) { jobs.add(text, line); });
  jobs.close();
}

bool looks_like_philly_json(std::string_view beginning) {
  const auto has = [&](std::string_view text) { return beginning.find(text) != std::string_view::npos; };
  return first_line_of(beginning).starts_with('[') && has("\"vc\"") && has("\"attempts\"");
}

}  // namespace

void register_reader_philly_json(ReaderRegistry& registry) {
  registry.add({"philly-json",
                "cluster_job_log of Philly: vc (the tenant), submitted_time, attempts (GPUs of the last, time of all); "
                "ids are numbers in the file from 0, time 0 is the first job's midnight, models are drawn.",
                {},
                {.read = read_philly_json,
                 .published = "https://github.com/msr-fiddle/philly-traces",
                 .licence = "CC BY 4.0",
                 .draws_models = true,
                 .looks = looks_like_philly_json}});
}

}  // namespace palstudy
