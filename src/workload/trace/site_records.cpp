// SPDX-License-Identifier: MIT
#include "workload/trace/site_records.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "core/error.hpp"
#include "core/text.hpp"
#include "workload/trace/job_fields.hpp"

namespace palstudy {
namespace {

const NoteKind recorded_ends("recorded-ends", Severity::info), time_zero("time-zero", Severity::info),
    row_ids("row-ids", Severity::info), zoneless("zoneless", Severity::care);

/// A run in one of these states may be followed by another one of the same job.
bool may_go_on(std::string_view state) {
  constexpr std::array states = {"REQUEUED", "NODE_FAIL", "PREEMPTED", "BOOT_FAIL"};
  return std::ranges::find(states, state) != states.end();
}

/// Whether two records are one, as where dumps overlap.
bool same_run(const SiteRecord& a, const SiteRecord& b) {
  return a.id == b.id && a.submit_s == b.submit_s && a.start_s == b.start_s && a.end_s == b.end_s;
}

/// The number of a job, if its id is one.
std::optional<std::int64_t> number_of(const std::string& id) {
  const auto number = parse_integer(id);
  return number && *number >= 0 ? std::optional<std::int64_t>(*number) : std::nullopt;
}

/// Gives jobs what records say in names: whose they are, and what they compute.
class SiteNames {
 public:
  SiteNames(const TraceContext& context, const std::string& file, Workload& out)
      : context_(context), file_(file), out_(out) {
    if (!context.columns.name_models()) drawn_ = add_models(context.models, out);
  }

  void fill(const SiteRecord& record, Job& job) {
    const auto where = [&] { return place_of(record); };
    job.tenant = static_cast<std::uint16_t>(tenants_.number(record.tenant, where));
    job.user = users_.number(record.user, where);
    job.name = names_.number(record.name, where);
    job.queue = static_cast<std::uint16_t>(queues_.number(record.partition, where));
    job.account = static_cast<std::uint16_t>(accounts_.number(record.account, where));
    if (drawn_) {
      drawn_->draw(context_.seed, job);
    } else {
      name_model(record, job);
    }
  }
  /// For a job that has another number than the site's.
  void keep_id(const SiteRecord& record, Job& job) {
    if (out_.site_ids.empty()) out_.site_ids.emplace_back();  // of jobs that keep their numbers
    job.site_id = static_cast<std::uint32_t>(out_.site_ids.size());
    out_.site_ids.push_back(record.id);
  }

 private:
  [[nodiscard]] std::string place_of(const SiteRecord& record) const {
    return fmt::format("{}:{}", file_, record.line);
  }
  /// The class is the record's, else that of its model.
  void name_model(const SiteRecord& record, Job& job) {
    const auto where = [&] { return place_of(record); };
    std::string cls = record.cls;
    if (!record.model.empty()) {
      const auto known = context_.models.models.find(record.model);
      if (known != context_.models.models.end()) {
        job.iterations = job.ideal_s() / known->second.iteration_s;
        job.iteration_s = known->second.iteration_s;
        if (cls.empty()) cls = known->second.cls;
      }
    }
    if (cls.empty()) {
      throw data_error(record.model.empty() ? "a job without a class"
                                            : fmt::format("the table of models has no \"{}\"", record.model),
                       where(), "name a class of the cluster, or a model of workload.models");
    }
    job.cls = ClassId(classes_.number(cls, where));
    job.model = static_cast<std::uint16_t>(models_.number(record.model, where));
  }

  const TraceContext& context_;
  const std::string& file_;
  Workload& out_;
  std::optional<DrawnModels> drawn_;
  NameIndex tenants_{out_.tenants, "tenants", UINT16_MAX}, users_{out_.users, "users", UINT32_MAX},
      names_{out_.names, "names of jobs", UINT32_MAX}, queues_{out_.queues, "queues", UINT16_MAX},
      accounts_{out_.accounts, "accounts", UINT16_MAX}, classes_{out_.classes, "classes", UINT16_MAX},
      models_{out_.models, "models", UINT16_MAX};
};

}  // namespace

bool runs_still(std::string_view state) {
  constexpr std::array states = {"RUNNING", "SUSPENDED", "COMPLETING", "STOPPED", "STAGE_OUT", "SIGNALING"};
  return std::ranges::find(states, state) != states.end();
}

/// Why a record makes no job; "" if it does. What ran is told by its times and what it got, not by its state.
std::string SiteRecords::unusable(const SiteRecord& record) {
  if (record.state == "REVOKED") return "ran in another cluster";
  if (!record.end_s) {
    if (record.start_s || runs_still(record.state)) return "still run";
    return record.state.empty() ? "never started" : "still wait";
  }
  if (!record.start_s || (*record.start_s == *record.end_s && !record.allocated)) return "never started";
  if (record.gpu_shares) return "had shares of a GPU";
  if (record.gpus == 0) return "want no GPU";
  if (*record.end_s < *record.start_s) return "end before they start";
  if (*record.end_s == *record.start_s) return "ran for no time";
  return *record.start_s < record.submit_s ? "start before they are submitted" : "";
}

void SiteRecords::leave_out(const std::string& reason, std::size_t line) {
  ++count_;
  left_out_.add(reason, line);
}

/// Errors (data): a time that no trace can have.
void SiteRecords::check_times(const SiteRecord& record) const {
  for (const double time : {record.submit_s, record.start_s.value_or(0), record.end_s.value_or(0), record.limit_s}) {
    if (time >= 0 && time <= longest_job_s) continue;
    throw data_error(
        fmt::format("a time of {} s", shortest(time)), fmt::format("{}:{}", file_, record.line),
        fmt::format("times are from 0 to {} s; a table may need workload.time_unit = \"ms\"", shortest(longest_job_s)));
  }
}

void SiteRecords::add(SiteRecord record) {
  check_times(record);
  ++count_;
  if (record.start_s && record.end_s && *record.end_s > *record.start_s) {
    first_end_s_ = std::min(*record.end_s, first_end_s_.value_or(*record.end_s));
  }
  if (const auto reason = unusable(record); !reason.empty()) {
    left_out_.add(reason, record.line);
    return;
  }
  if (record.gpus > most_job_gpus) {
    throw data_error(fmt::format("a job of {} GPUs", record.gpus), fmt::format("{}:{}", file_, record.line),
                     fmt::format("a job can have {} at most", most_job_gpus));
  }
  records_.push_back(std::move(record));
}

/// By submission. A run goes on where the one before of the same id was given back, and was submitted again then, at
/// the end of that run or a second later; the same id at another time is another job.
std::vector<SiteRecords::SiteJob> SiteRecords::joined() {
  std::ranges::stable_sort(records_, {}, [](const SiteRecord& one) { return std::tie(one.id, one.submit_s); });
  std::vector<SiteJob> jobs;
  const SiteRecord* last = nullptr;
  for (const SiteRecord& record : records_) {
    if (last != nullptr && same_run(*last, record)) {
      left_out_.add("are there twice", record.line);
      continue;
    }
    last = &record;
    const double ran_s = *record.end_s - *record.start_s;
    SiteJob* const before = jobs.empty() ? nullptr : &jobs.back();
    const bool goes_on = before != nullptr && before->first.id == record.id && may_go_on(before->state) &&
                         record.submit_s >= before->end_s && record.submit_s <= before->end_s + 1;
    if (goes_on) {
      ++before->runs;
      before->end_s = *record.end_s;
      before->ran_s += ran_s;
      before->state = record.state;
    } else {
      jobs.push_back({record, *record.end_s, ran_s, record.state});
    }
  }
  std::ranges::stable_sort(jobs, {}, [](const SiteJob& job) { return std::tie(job.first.submit_s, job.first.line); });
  return jobs;
}

void SiteRecords::note_ends(const std::vector<SiteJob>& jobs, std::vector<Note>& notes) const {
  std::map<std::string, std::size_t> states;
  std::size_t runs = 0;
  for (const SiteJob& job : jobs) ++states[job.state], runs += job.runs;
  const std::size_t past_limit = states["TIMEOUT"];
  std::erase_if(states, [](const auto& one) { return one.second == 0 || one.first.empty(); });  // "": not known
  ValueList ends;
  for (const auto& [state, count] : states) ends.emplace_back(ValueRecord{{"state", state}, {"jobs", count}});
  notes.push_back(recorded_ends({{"jobs", jobs.size()},
                                 {"requeued_runs", runs - jobs.size()},
                                 {"past_limit", past_limit},
                                 {"ends", std::move(ends)}}));
}

/// What a job did at time 0; in this order jobs are numbered.
enum class SiteRecords::AtZero : std::uint8_t { ran, waited, later };

SiteRecords::AtZero SiteRecords::at_zero(const SiteJob& job) const {
  if (*job.first.start_s < zero_s()) return AtZero::ran;
  return job.first.submit_s < zero_s() ? AtZero::waited : AtZero::later;
}

/// The number of a job that came later, if all of them have one of their own.
bool SiteRecords::numbered(const std::vector<SiteJob>& jobs) {
  std::set<std::int64_t> numbers;
  return std::ranges::all_of(jobs, [&](const SiteJob& job) {
    const auto number = number_of(job.first.id);
    return number && numbers.insert(*number).second;
  });
}

/// All but what it computes and whose it is.
Job SiteRecords::made_of(const SiteJob& job, std::int64_t id) const {
  const double over_s = std::max(0.0, zero_s() - *job.first.start_s);
  Job made;
  made.id = id;
  made.iterations = of_ == RecordsOf::window ? std::max(1.0, job.ran_s - over_s) : job.ran_s;
  made.iteration_s = 1;
  made.submit_s = std::max(0.0, job.first.submit_s - zero_s());
  made.gpus = static_cast<std::uint32_t>(job.first.gpus);
  if (job.first.limit_s > 0) made.estimate_s = std::max(1.0, job.first.limit_s - over_s);
  return made;
}

void SiteRecords::take(const TraceContext& context, TraceJobs& read) {
  Workload& out = read.workload;
  std::vector<SiteJob> jobs = joined();
  left_out_.note(count_, out.notes);
  if (zoneless_) out.notes.push_back(zoneless({}));
  if (jobs.empty()) return;
  std::ranges::stable_sort(jobs, {}, [&](const SiteJob& job) { return at_zero(job); });
  const auto early = [&](AtZero what) {
    return std::ranges::count(jobs, what, [&](const SiteJob& job) { return at_zero(job); });
  };
  const auto ran = early(AtZero::ran), waited = early(AtZero::waited);
  const bool own_ids = numbered(jobs);
  SiteNames names(context, file_, out);
  std::int64_t row = -ran - waited;
  for (const SiteJob& job : jobs) {
    const bool own_id = own_ids && at_zero(job) == AtZero::later;
    Job made = made_of(job, own_id ? *number_of(job.first.id) : row);
    ++row;
    names.fill(job.first, made);
    if (job.first.start_known)
      record_times(out, made, {*job.first.start_s - zero_s(), job.end_s - zero_s(), job.ran_s});
    if (made.id < 0 || !own_ids) names.keep_id(job.first, made);
    read.add(made, {job.first.line, 1});
  }
  note_ends(jobs, out.notes);
  if (of_ == RecordsOf::window) {
    out.zero_s = zero_s();
    out.notes.push_back(time_zero({{"at_s", zero_s()}, {"ran", ran}, {"waited", waited}}));
  }
  if (!own_ids) out.notes.push_back(row_ids({{"jobs", jobs.size()}}));
  for (auto* const list : {&out.users, &out.names, &out.queues, &out.accounts}) {
    if (list->size() == 1 && list->front().empty()) list->clear();  // the file names none
  }
}

}  // namespace palstudy
