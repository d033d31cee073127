// SPDX-License-Identifier: MIT
// Slurm's accounting as sacct prints it, as text (-P, -p) or as JSON, of 21.08 to 24.11.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/text.hpp"
#include "workload/trace/job_fields.hpp"
#include "workload/trace/sacct_text.hpp"
#include "workload/trace/site_fields.hpp"
#include "workload/trace/site_records.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {
namespace {

const NoteKind latin_1("latin-1", Severity::info), start_by_end("start-by-end", Severity::info);

std::string first_word(std::string_view text) { return std::string(text.substr(0, text.find(' '))); }

const std::string& tenant_of(const SiteRecord& record) {
  return record.account.empty() ? record.partition : record.account;
}

/// The columns of one record, by name.
class SacctRow {
 public:
  SacctRow(const SacctText& table, const SacctText::Record& record, const std::string& file)
      : table_(table), record_(record), file_(file) {}

  [[nodiscard]] bool has(std::string_view column) const { return table_.find(column).has_value(); }
  /// "" where the column is not there.
  [[nodiscard]] std::string_view text(std::string_view column) const {
    const auto at = table_.find(column);
    return at ? record_.fields[*at] : std::string_view();
  }
  /// None where there is none, as Unknown and None say. Errors (data): anything else.
  [[nodiscard]] std::optional<double> time(std::string_view column, bool& without_zone) const {
    const std::string_view of = text(column);
    if (of.empty() || of == "Unknown" || of == "None") return std::nullopt;
    const auto time = site_time(of);
    if (!time) {
      throw data_error(fmt::format("{} \"{}\" is not a time", column, of), where(),
                       "times are seconds since 1970, or look like 2026-09-01T12:00:00");
    }
    without_zone = without_zone || time->zoneless;
    return time->s;
  }
  [[nodiscard]] std::string where() const { return fmt::format("{}:{}", file_, record_.line); }

 private:
  const SacctText& table_;
  const SacctText::Record& record_;
  const std::string& file_;
};

/// What was allocated; what was asked for where that is not in the table. ReqGRES is of each node.
void read_gpus(const SacctRow& row, SiteRecord& record) {
  const std::string_view allocated = row.has("AllocTRES") ? row.text("AllocTRES") : row.text("AllocGRES");
  const bool known = row.has("AllocTRES") || row.has("AllocGRES");
  const SlurmGpus gpus = slurm_gpus(!allocated.empty()   ? allocated
                                    : row.has("ReqTRES") ? row.text("ReqTRES")
                                                         : row.text("ReqGRES"));
  const bool of_each_node = allocated.empty() && !row.has("ReqTRES");
  const auto nodes = of_each_node ? parse_integer(row.text("NNodes")) : std::nullopt;
  record.allocated = !known || !allocated.empty();
  constexpr long long most_nodes = 1'000'000;
  record.gpus = gpus.whole * std::clamp(nodes.value_or(1), 1LL, most_nodes);
  record.gpu_shares = gpus.shares && gpus.whole == 0;
}

/// For dumps without End. What runs still has no end.
std::optional<double> end_by_elapsed(const SacctRow& row, const SiteRecord& record) {
  const auto elapsed = row.has("ElapsedRaw") ? parse_double(row.text("ElapsedRaw")) : slurm_span_s(row.text("Elapsed"));
  if (!record.start_s || !elapsed || runs_still(record.state)) return std::nullopt;
  return *record.start_s + *elapsed + slurm_span_s(row.text("Suspended")).value_or(0);
}

SiteRecord record_of(const SacctRow& row, std::size_t line, bool& without_zone) {
  SiteRecord record;
  record.line = line;
  record.id = row.text(row.has("JobIDRaw") ? "JobIDRaw" : "JobID");
  record.state = first_word(row.text("State"));
  const auto submit = row.time("Submit", without_zone);
  if (!submit) throw data_error("was never submitted", row.where(), "Submit has to be a time");
  record.submit_s = *submit;
  record.start_s = row.time("Start", without_zone);
  record.end_s = row.has("End") ? row.time("End", without_zone) : end_by_elapsed(row, record);
  if (const auto limit =
          row.has("Timelimit") ? slurm_span_s(row.text("Timelimit")) : slurm_span_s(row.text("TimelimitRaw"))) {
    record.limit_s = *limit;
  }
  read_gpus(row, record);
  record.user = row.text("User"), record.account = row.text("Account"), record.partition = row.text("Partition");
  record.name = row.text("JobName");
  record.tenant = tenant_of(record);
  return record;
}

void require_columns(const SacctText& table, const std::string& file) {
  std::vector<std::string> missing;
  for (const char* name : {"Submit", "Start", "State"}) {
    if (!table.find(name)) missing.emplace_back(name);
  }
  const auto any = [&](std::initializer_list<const char*> names) {
    return std::ranges::any_of(names, [&](const char* name) { return table.find(name).has_value(); });
  };
  if (!any({"JobID", "JobIDRaw"})) missing.emplace_back("JobID");
  if (!any({"End", "Elapsed", "ElapsedRaw"})) missing.emplace_back("End");
  if (!any({"AllocTRES", "ReqTRES", "AllocGRES", "ReqGRES"})) missing.emplace_back("AllocTRES");
  if (missing.empty()) return;
  throw data_error("lacks " + join(missing), file + ":1", "type " + sacct_command());
}

void read_text(TraceText trace, const TraceContext& context, SiteRecords& records, std::vector<Note>& notes) {
  const std::string file = trace.name;
  const SacctText table(std::move(trace.text), file, context.columns.in_order);
  require_columns(table, file);
  bool without_zone = false;
  for (const SacctText::Record& record : table.records()) {
    const SacctRow row(table, record, file);
    if (!table.whole(record)) {
      records.leave_out("are cut off", record.line);
    } else if (row.text(row.has("JobID") ? "JobID" : "JobIDRaw").find('.') != std::string_view::npos) {
      records.leave_out("are steps", record.line);
    } else {
      records.add(record_of(row, record.line, without_zone));
    }
  }
  if (without_zone) records.take_as_utc();
  if (table.latin_1()) notes.push_back(latin_1({}));
}

using nlohmann::json;

/// A number, or {set, infinite, number} as later versions write it; none where it is not set, or not finite.
std::optional<double> number_in(const json& value) {
  if (value.is_number()) return value.get<double>();
  if (!value.is_object() || !value.value("set", false) || value.value("infinite", false)) return std::nullopt;
  return value.value("number", 0.0);
}

/// None for 0 and for what stands for no time.
std::optional<double> time_in(const json& times, const char* name) {
  constexpr double no_time = 4294967294;
  const auto time = times.contains(name) ? number_in(times[name]) : std::nullopt;
  return time && *time > 0 && *time < no_time ? time : std::nullopt;
}

std::string text_in(const json& object, const char* name) {
  return object.contains(name) && object[name].is_string() ? object[name].get<std::string>() : "";
}

/// A text, or a list of a state and flags, which say more.
std::string state_in(const json& job) {
  const json& current = job.at("state").at("current");
  if (current.is_string()) return first_word(current.get<std::string>());
  return current.empty() ? "" : first_word(current.back().get<std::string>());
}

SlurmGpus gpus_in(const json& list) {
  constexpr double most_count = 1e9;
  std::string tres;
  for (const json& entry : list) {
    const double count = entry.contains("count") ? number_in(entry["count"]).value_or(-1) : -1;
    if (text_in(entry, "type") != "gres" || !(count >= 0 && count <= most_count)) continue;
    tres += fmt::format("gres/{}={},", text_in(entry, "name"), static_cast<std::int64_t>(count));
  }
  return slurm_gpus(tres);
}

SiteRecord record_of(const json& job, std::size_t number, bool start_is_eligible) {
  SiteRecord record;
  record.line = number;
  const json& id = job.at("job_id");
  record.id = id.is_number_integer() ? std::to_string(id.get<std::int64_t>()) : id.get<std::string>();
  record.state = state_in(job);
  const json& times = job.at("time");
  record.submit_s = time_in(times, "submission").value_or(0);
  record.start_s = time_in(times, "start");
  record.end_s = time_in(times, "end");
  const double elapsed_s = time_in(times, "elapsed").value_or(0) + time_in(times, "suspended").value_or(0);
  if (start_is_eligible && record.end_s) record.start_s = *record.end_s - elapsed_s;
  const auto limit_min = times.contains("limit") ? number_in(times["limit"]) : std::nullopt;
  record.limit_s = 60 * limit_min.value_or(0);
  const json& tres = job.at("tres");
  record.allocated = !tres.at("allocated").empty();
  const SlurmGpus gpus = gpus_in(record.allocated ? tres["allocated"] : tres.at("requested"));
  record.gpus = gpus.whole;
  record.gpu_shares = gpus.shares && gpus.whole == 0;
  record.user = text_in(job, "user"), record.account = text_in(job, "account");
  record.partition = text_in(job, "partition"), record.name = text_in(job, "name");
  record.tenant = tenant_of(record);
  return record;
}

/// Whether it is of 21.08, which has the time from which a job could start in the place of its start.
bool of_21_08(const json& dump) {
  const json meta = dump.value("meta", json::object());
  const json slurm = meta.contains("Slurm") ? meta["Slurm"] : meta.value("slurm", json::object());
  return text_in(slurm, "release").starts_with("21.08");
}

void read_json(const TraceText& trace, SiteRecords& records, std::vector<Note>& notes) {
  try {
    const json dump = json::parse(trace.text);
    const bool start_is_eligible = of_21_08(dump);
    if (start_is_eligible) notes.push_back(start_by_end({}));
    std::size_t number = 0;
    for (const json& job : dump.at("jobs")) records.add(record_of(job, ++number, start_is_eligible));
  } catch (const json::exception& error) {
    throw data_error(fmt::format("is no sacct --json of Slurm 21.08 to 24.11: {}", error.what()), trace.name,
                     "give what sacct --json prints, or type " + sacct_command());
  }
}

void read_sacct(TraceText trace, const TraceContext& context, TraceJobs& read) {
  SiteRecords records(trace.name, RecordsOf::window);
  const std::size_t first = trace.text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && trace.text[first] == '{') {
    read_json(trace, records, read.workload.notes);
  } else {
    read_text(std::move(trace), context, records, read.workload.notes);
  }
  records.take(context, read);
}

/// By a header line with Slurm's own names; whether it is a good one the reader says. Or by the list of --json.
bool looks_like_sacct(std::string_view beginning) {
  const std::string_view line = first_line_of(beginning);
  if (line.starts_with('{')) return beginning.find("\"jobs\"") != std::string_view::npos;
  std::vector<std::string> words(1);
  for (const char c : line) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_') {
      words.back() += c;
    } else {
      words.emplace_back();
    }
  }
  const auto any = [&](std::initializer_list<const char*> names) {
    return std::ranges::any_of(names, [&](const char* name) { return std::ranges::find(words, name) != words.end(); });
  };
  return any({"JobID", "JobIDRaw"}) && any({"State", "Submit", "Start", "End", "JobName", "Partition"});
}

}  // namespace

void register_reader_sacct(ReaderRegistry& registry) {
  registry.add({"sacct",
                "What sacct of Slurm prints, with -P or --json: JobID, Submit, Start, End, State, AllocTRES and, if "
                "wanted, User, Account (the tenant), Partition (the queue), Timelimit, JobName; models are drawn.",
                {},
                {.read = read_sacct,
                 .published = "your own: sacct -aDXP, as docs/howto/traces.md has it",
                 .licence = "your own",
                 .of_site = true,
                 .draws_models = true,
                 .columns = NamedColumns::in_order,
                 .looks = looks_like_sacct}});
}

}  // namespace palstudy
