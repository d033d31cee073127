// SPDX-License-Identifier: MIT
#include "archive/event_replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/numbers.hpp"
#include "core/text.hpp"

namespace palstudy {
namespace {

constexpr std::int64_t no_job = -1, no_row = -1;
constexpr std::int64_t most_gpus = std::int64_t{1} << 26;  // far more than any cluster has
constexpr double time_rounding = 1e-9;                     // relative, of a sum of times

enum class Kind { finish, stop, launch };  // in the order of rows of one instant

std::optional<Kind> kind_named(const std::string& name) {
  if (name == "finish") return Kind::finish;
  if (name == "stop") return Kind::stop;
  return name == "launch" ? std::optional(Kind::launch) : std::nullopt;
}

/// What is wrong with a row, and where: at this time, with this job of the trace.
struct Fault {
  double time_s;
  std::int64_t job;
  std::string what;
};

/// What a job has been through so far.
struct Course {
  bool holds = false, over = false;
  double first_s = nan, since_s = nan, over_s = nan;  ///< when it was first launched, last launched, and finished
  double held_s = 0;                                  ///< before it was last launched
  std::int64_t moves = 0;
  std::int64_t narrowest = 0, widest = 0;  ///< launch, in GPUs
  std::int64_t row = no_row;               ///< of the launch whose GPUs it holds
};

/// What happens to a job at one instant.
struct Changes {
  std::int64_t finishes = 0, stops = 0, launches = 0;
  std::int64_t row = no_row;  ///< of the launch
};

class Replay {
 public:
  explicit Replay(const RunRecord& record)
      : time_s_(reals_of(record.events, "time_s")),
        kind_(texts_of(record.events, "kind")),
        job_(integers_of(record.events, "job")),
        begin_(integers_of(record.events, "gpu_begin")),
        count_(integers_of(record.events, "gpu_count")),
        gpu_(integers_of(record.event_gpus, "gpu")),
        ids_(job_) {
    std::ranges::sort(ids_);
    ids_.erase(std::ranges::unique(ids_).begin(), ids_.end());
    courses_.resize(ids_.size());
    changes_.resize(ids_.size());
  }

  [[nodiscard]] std::optional<Fault> run() {
    if (auto fault = check_rows()) return fault;
    for (std::size_t begin = 0, end = 0; begin < time_s_.size(); begin = end) {
      while (end < time_s_.size() && time_s_[end] == time_s_[begin]) ++end;
      if (auto fault = instant(begin, end)) return fault;
    }
    return std::nullopt;
  }

  /// What became of a job, by its id; nothing without events.
  [[nodiscard]] const Course* course(std::int64_t id) const {
    const auto at = std::ranges::lower_bound(ids_, id);
    return at != ids_.end() && *at == id ? &courses_[static_cast<std::size_t>(at - ids_.begin())] : nullptr;
  }
  [[nodiscard]] const std::vector<std::int64_t>& ids() const { return ids_; }

 private:
  [[nodiscard]] Fault fault(std::size_t row, std::string what) const {
    return {time_s_[row], job_[row], std::move(what)};
  }
  [[nodiscard]] Kind kind(std::size_t row) const { return kinds_[static_cast<std::size_t>(kind_.codes[row])]; }
  [[nodiscard]] std::size_t place(std::int64_t id) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(ids_, id) - ids_.begin());
  }

  /// Each row alone, and its place after the one before.
  std::optional<Fault> check_rows() {
    for (const std::string& name : kind_.names) kinds_.push_back(kind_named(name).value_or(Kind::launch));
    std::int64_t highest = -1;
    for (std::size_t row = 0; row < time_s_.size(); ++row) {
      if (!kind_named(kind_.at(row))) return fault(row, fmt::format("\"{}\" is no kind of event", kind_.at(row)));
      if (kind(row) == Kind::launch && count_[row] == 0) return fault(row, "it is launched on no GPU");
      const auto key = [&](std::size_t of) { return std::pair(time_s_[of], kind(of)); };  // jobs: as in the trace
      if (std::isnan(time_s_[row]) || (row > 0 && !(key(row - 1) <= key(row)))) {
        return fault(row, "it does not follow the event before it by time and kind");
      }
      if (auto wrong = check_gpus(row, highest)) return wrong;
    }
    holder_.assign(static_cast<std::size_t>(highest + 1), no_job);
    return std::nullopt;
  }

  std::optional<Fault> check_gpus(std::size_t row, std::int64_t& highest) const {
    std::int64_t before = -1;
    for (const std::int64_t gpu : gpus(static_cast<std::int64_t>(row))) {
      if (gpu <= before) return fault(row, fmt::format("GPU {} does not follow GPU {}", gpu, before));
      if (gpu >= most_gpus) return fault(row, fmt::format("no cluster has a GPU {}", gpu));
      before = gpu;
    }
    highest = std::max(highest, before);
    return std::nullopt;
  }

  [[nodiscard]] std::span<const std::int64_t> gpus(std::int64_t row) const {
    const auto at = static_cast<std::size_t>(row);
    return std::span(gpu_).subspan(static_cast<std::size_t>(begin_[at]), static_cast<std::size_t>(count_[at]));
  }

  std::optional<Fault> instant(std::size_t begin, std::size_t end) {
    touched_.clear();
    for (std::size_t row = begin; row < end; ++row) {
      const std::size_t job = place(job_[row]);
      Changes& change = changes_[job];
      if (change.finishes + change.stops + change.launches == 0) touched_.push_back(job);
      if (kind(row) == Kind::launch) change.row = static_cast<std::int64_t>(row);
      ++(kind(row) == Kind::finish ? change.finishes : kind(row) == Kind::stop ? change.stops : change.launches);
    }
    auto fault = change_all(time_s_[begin]);
    for (const std::size_t job : touched_) changes_[job] = {};
    return fault;
  }

  std::optional<Fault> change_all(double now_s) {
    for (const std::size_t job : touched_) {
      const std::string wrong = illegal(courses_[job], changes_[job]);
      if (!wrong.empty()) return Fault{now_s, ids_[job], wrong};
      leave(job);
    }
    for (const std::size_t job : touched_) {
      if (auto fault = take(now_s, job)) return fault;
    }
    for (const std::size_t job : touched_) change(now_s, job);
    return std::nullopt;
  }

  /// Whether a job holds GPUs once this has happened to it. A launch of a job that holds some, and neither stops nor
  /// finishes, is a move.
  [[nodiscard]] static std::int64_t holds_after(const Course& course, const Changes& change) {
    const std::int64_t before = course.holds ? 1 : 0, gone = change.finishes + change.stops;
    return gone == 0 ? std::min<std::int64_t>(before + change.launches, 1) : before + change.launches - gone;
  }

  /// Why this cannot happen to the job; "" if it can. What begins may be over at the same instant.
  [[nodiscard]] static std::string illegal(const Course& course, const Changes& change) {
    if (course.over) return fmt::format("it finished at {} s, and something happens to it", shortest(course.over_s));
    if (change.launches > 1) return "it is launched twice at one instant";
    if (change.finishes > 1) return "it finishes twice";
    const std::int64_t after = holds_after(course, change);
    if (after < 0) return change.finishes > 0 ? "it finishes and holds no GPU" : "it stops and holds no GPU";
    if (after > 0 && change.finishes > 0) return "it is launched at the instant at which it finishes";
    return after > 1 ? "it is launched and holds GPUs" : "";
  }

  void leave(std::size_t job) {
    if (!courses_[job].holds) return;
    for (const std::int64_t gpu : gpus(courses_[job].row)) holder_[static_cast<std::size_t>(gpu)] = no_job;
  }

  std::optional<Fault> take(double now_s, std::size_t job) {
    if (changes_[job].row == no_row || holds_after(courses_[job], changes_[job]) == 0) return std::nullopt;
    for (const std::int64_t gpu : gpus(changes_[job].row)) {
      std::int64_t& holder = holder_[static_cast<std::size_t>(gpu)];
      if (holder != no_job) {
        return Fault{now_s, ids_[job],
                     fmt::format("it is launched on GPU {}, which job {} holds", gpu, ids_[std::size_t(holder)])};
      }
      holder = static_cast<std::int64_t>(job);
    }
    return std::nullopt;
  }

  void change(double now_s, std::size_t job) {
    Course& course = courses_[job];
    const Changes& change = changes_[job];
    const bool after = holds_after(course, change) > 0, gone = change.finishes + change.stops > 0;
    if (course.holds && gone) course.held_s += now_s - course.since_s;
    if (course.holds && change.launches > 0 && !gone) ++course.moves;
    if (change.launches > 0) {
      if (std::isnan(course.first_s)) course.first_s = now_s;
      if (!course.holds || gone) course.since_s = now_s;
      const std::int64_t width = count_[static_cast<std::size_t>(change.row)];
      course.narrowest = course.row == no_row ? width : std::min(course.narrowest, width);
      course.widest = std::max(course.widest, width);
      course.row = change.row;
      course.holds = true;
    }
    course.holds = after;
    course.over = change.finishes > 0;
    if (course.over) course.over_s = now_s;
  }

  const std::vector<double>& time_s_;
  const TextColumn& kind_;
  const std::vector<std::int64_t>&job_, &begin_, &count_, &gpu_;
  std::vector<Kind> kinds_;           // by code of kind_
  std::vector<std::int64_t> ids_;     // of the jobs with events, ascending
  std::vector<Course> courses_;       // by place in ids_
  std::vector<Changes> changes_;      // of the instant at hand
  std::vector<std::size_t> touched_;  // the jobs that have some
  std::vector<std::int64_t> holder_;  // of each GPU: a place in ids_
};

bool same_time(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// What the row of a job says of it.
struct JobRow {
  double start_s, finish_s, exec_s;
  std::int64_t gpus, migrations;
};

/// What differs; "" if nothing does. A job without events may be over if it never started: it was turned away.
std::string difference(const JobRow& row, const Course* course) {
  const Course none;
  const Course& was = course == nullptr ? none : *course;
  if (!same_time(row.start_s, was.first_s)) {
    return fmt::format("/jobs/start_s says {}, it is first launched at {}", shortest(row.start_s),
                       shortest(was.first_s));
  }
  if (course != nullptr && !same_time(row.finish_s, was.over_s)) {
    return fmt::format("/jobs/finish_s says {}, the events give {}", shortest(row.finish_s), shortest(was.over_s));
  }
  if (was.widest > 0 && (was.narrowest != row.gpus || was.widest != row.gpus)) {
    return fmt::format("/jobs/gpus says {}, it is launched on {} to {}", row.gpus, was.narrowest, was.widest);
  }
  if (row.migrations < was.moves) {
    return fmt::format("/jobs/migrations says {}, it moves {} times", row.migrations, was.moves);
  }
  if (was.over && std::abs(row.exec_s - was.held_s) > time_rounding * std::max(1.0, was.over_s)) {
    return fmt::format("/jobs/exec_s says {}, it holds GPUs for {} s", shortest(row.exec_s), shortest(was.held_s));
  }
  return "";
}

std::optional<Fault> compare_jobs(const TableData& jobs, const Replay& replay) {
  const auto &start_s = reals_of(jobs, "start_s"), &finish_s = reals_of(jobs, "finish_s");
  const auto& exec_s = reals_of(jobs, "exec_s");
  const auto &id = integers_of(jobs, "job"), &gpus = integers_of(jobs, "gpus");
  const auto& migrations = integers_of(jobs, "migrations");
  std::size_t found = 0;
  for (std::size_t row = 0; row < jobs.rows(); ++row) {
    const Course* course = replay.course(id[row]);
    found += course == nullptr ? 0 : 1;
    const std::string what = difference({start_s[row], finish_s[row], exec_s[row], gpus[row], migrations[row]}, course);
    if (what.empty()) continue;
    return Fault{course == nullptr ? start_s[row] : course->first_s, id[row], what};
  }
  if (found >= replay.ids().size()) return std::nullopt;
  std::vector<std::int64_t> rows = id;
  std::ranges::sort(rows);
  for (const std::int64_t job : replay.ids()) {
    if (std::ranges::binary_search(rows, job)) continue;
    return Fault{replay.course(job)->first_s, job, "it has events and no row in /jobs"};
  }
  return std::nullopt;
}

}  // namespace

void check_events(const RunRecord& record, Found& found) {
  if (record.events.rows() == 0) return;
  Replay replay(record);
  auto fault = replay.run();
  if (!fault && record.jobs.rows() > 0) fault = compare_jobs(record.jobs, replay);
  if (!fault) return;
  found.push_back(
      {fmt::format("run {} at {} s, job {}: {}", record.run, shortest(fault->time_s), fault->job, fault->what),
       "/events", "restore the file from a copy or run the study again"});
}

}  // namespace palstudy
