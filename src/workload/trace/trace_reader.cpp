// SPDX-License-Identifier: MIT
#include "workload/trace/trace_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/csv.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/numbers.hpp"
#include "core/text.hpp"

// What all trace readers have in common: doubled ids, order, a tenant where none is named.

namespace palstudy {

namespace {

const NoteKind unsorted("unsorted", Severity::info), left_records("left-records", Severity::care);

std::string where(const TraceJobs& read, const std::string& name, std::size_t job) {
  return fmt::format("{}:{}:{}", name, read.places[job].line, read.places[job].column);
}

/// Jobs are in the order of the file here.
void refuse_doubled_ids(const TraceJobs& read, const std::string& name) {
  const auto& jobs = read.workload.jobs;
  std::vector<std::size_t> order(jobs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return jobs[a].id < jobs[b].id; });
  const auto doubled =
      std::ranges::adjacent_find(order, [&](std::size_t a, std::size_t b) { return jobs[a].id == jobs[b].id; });
  if (doubled == order.end()) return;
  throw data_error(fmt::format("the job id {} is there twice", jobs[*doubled].id), where(read, name, *(doubled + 1)),
                   fmt::format("it is first at {}; give every job an id of its own", where(read, name, *doubled)));
}

/// Jobs that run at time 0 come first, by their ids, so that they stand anywhere in the file.
void sort_by_submission(Workload& workload) {
  const auto earlier = [](const Job& a, const Job& b) {
    return std::pair(a.submit_s, std::min(a.id, std::int64_t{0})) <
           std::pair(b.submit_s, std::min(b.id, std::int64_t{0}));
  };
  if (std::ranges::is_sorted(workload.jobs, earlier)) return;
  std::ranges::stable_sort(workload.jobs, earlier);
  workload.notes.push_back(unsorted({}));
}

std::vector<ModelUtilization> model_use(const std::vector<std::string>& names, const ModelTable& models) {
  std::vector<ModelUtilization> use;
  for (const auto& name : names) {
    const auto found = models.models.find(name);
    use.push_back(found == models.models.end()
                      ? ModelUtilization{nan, nan}
                      : ModelUtilization{found->second.gpu_util, found->second.mem_bw_util, found->second.skew});
  }
  return use;
}

TraceJobs read_jobs(TraceText trace, const std::string& reader, const TraceContext& context) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (trace.text.starts_with(byte_order_mark)) trace.text.erase(0, byte_order_mark.size());
  TraceJobs read;
  const TraceReader& format = readers().at(reader, "workload.reader").make;
  try {
    format.read(std::move(trace), context, read);
  } catch (const MissingColumn& missing) {
    throw data_error(
        missing.what(), "",
        fmt::format("it was read as a trace of workload.reader = \"{}\"; palstudy list readers names others", reader));
  }
  return read;
}

Workload to_workload(TraceText trace, const std::string& reader, const TraceContext& context) {
  const std::string name = trace.name;
  TraceJobs read = read_jobs(std::move(trace), reader, context);
  if (read.workload.jobs.empty()) {
    const Note* left_out = find(read.workload.notes, left_records.id());
    throw data_error("has no jobs" + (left_out == nullptr ? "" : ": " + left_records_text(*left_out)), name,
                     fmt::format("there is no job in it that ran; is it a trace for the reader {}?", reader));
  }
  refuse_doubled_ids(read, name);
  Workload workload = std::move(read.workload);
  if (workload.tenants.empty()) workload.tenants = {""};
  sort_by_submission(workload);
  workload.model_use = model_use(workload.models, context.models);
  return workload;
}

}  // namespace

std::string reader_of(const std::filesystem::path& path) {
  constexpr std::size_t enough = std::size_t{1} << 16;
  const std::string beginning = read_beginning(path, enough);
  std::vector<std::string> names;
  for (const auto& reader : readers().entries()) {
    if (reader.make.looks && reader.make.looks(beginning)) names.push_back(reader.name);
  }
  if (names.size() == 1) return names.front();
  if (names.size() > 1) {
    throw data_error("may be a trace for " + join(names), path.string(), "write a study and name one: workload.reader");
  }
  throw data_error("begins like no trace that is known", path.string(),
                   "write a study with workload.reader; for a table of jobs that is \"csv\", with workload.columns");
}

Workload read_trace(const std::filesystem::path& path, const std::string& reader, const TraceContext& context) {
  return to_workload({read_text_file(path), path.string()}, reader, context);
}

Workload parse_trace(std::string text, const std::string& name, const std::string& reader,
                     const TraceContext& context) {
  return to_workload({std::move(text), name}, reader, context);
}

std::optional<std::size_t> first_line_of_class(const std::filesystem::path& path, const std::string& reader,
                                               const TraceContext& context, const std::string& cls) {
  const TraceJobs read = read_jobs({read_text_file(path), path.string()}, reader, context);
  const auto& jobs = read.workload.jobs;
  const auto first =
      std::ranges::find_if(jobs, [&](const Job& job) { return read.workload.classes[job.cls.index()] == cls; });
  if (first == jobs.end()) return std::nullopt;
  return read.places[static_cast<std::size_t>(first - jobs.begin())].line;
}

std::string left_records_text(const Note& note) {
  std::vector<std::string> parts;
  for (const Value& one : note["reasons"].list()) {
    parts.push_back(
        fmt::format("{} {} (first: line {})", one["records"].count(), one["reason"].name(), one["first_line"].count()));
  }
  return fmt::format("{} of {} records left out: {}", note["left"].count(), note["of"].count(), join(parts));
}

void SkippedRecords::add(const std::string& reason, std::size_t line) {
  Reason& at = reasons_[reason];
  if (at.count++ == 0) at.first_line = line;
}

void SkippedRecords::note(std::size_t records, std::vector<Note>& notes) const {
  std::size_t all = 0;
  ValueList reasons;
  for (const auto& [reason, at] : reasons_) {
    all += at.count;
    reasons.emplace_back(ValueRecord{{"reason", reason}, {"records", at.count}, {"first_line", at.first_line}});
  }
  if (all > 0) notes.push_back(left_records({{"left", all}, {"of", records}, {"reasons", std::move(reasons)}}));
}

}  // namespace palstudy
