// SPDX-License-Identifier: MIT
// Recorded runs of a real Slurm (../../runs/slurm/README.md): each backfill pass from the recorded state, whole runs
// with passes when they were recorded, and whole runs with passes of their own. Clock, durations and the state of a
// pass are recorded; every decision is the program's.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <queue>
#include <set>
#include <tuple>

#include "core/error.hpp"
#include "replay.hpp"
#include "slurm_formula.hpp"
#include "slurm_machine.hpp"

namespace palstudy {
namespace {

using replay::Millis;
using replay::SlurmAttempt;
using replay::SlurmDecision;
using replay::SlurmMachine;
using replay::SlurmOutage;
using replay::SlurmRecording;
using replay::SlurmRow;

constexpr Millis second = 1000;
constexpr Millis completing = 6;  // that a job which has ended still holds its GPUs, in the median

double seconds(Millis time) { return static_cast<double>(time) / second; }

/// Jobs of higher tiers first, then by priority, then by id; the task that keeps its array's id comes last.
std::vector<std::size_t> in_order(const SlurmRecording& recording, std::vector<std::size_t> waiting, Millis now) {
  const auto key = [&](std::size_t i) {
    const SlurmAttempt& job = recording.attempts[i];
    const std::uint32_t task = job.id == job.record ? UINT32_MAX : job.id;
    return std::tuple(-recording.queues[job.queue].tier, -recording.priorities.at(job, now), job.record, task);
  };
  std::sort(waiting.begin(), waiting.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  return waiting;
}

/// The machine as it was recorded when a pass began, and who waited.
struct RecordedState {
  RecordedState(const SlurmRecording& recording, Millis now) : machine(recording) {
    for (const SlurmOutage& outage : recording.outages) {
      if (outage.time <= now) machine.change_nodes(outage);
    }
    for (std::size_t i = 0; i < recording.attempts.size(); ++i) {
      const SlurmAttempt& job = recording.attempts[i];
      if (job.start && *job.start < now && job.end + completing > now) {
        machine.take(i, job.held, *job.start);
        if (job.end < now) machine.complete(i);
      }
      if (recording.ready(job) <= now && job.end > now && (!job.start || *job.start >= now)) waiting.push_back(i);
    }
    waiting = in_order(recording, waiting, now);
  }

  SlurmMachine machine;
  std::vector<std::size_t> waiting;
};

/// The rows of one backfill pass, in the order of the file.
struct RecordedPass {
  Millis time = 0;
  std::vector<SlurmRow> rows;
};

std::vector<RecordedPass> backfill_passes(const SlurmRecording& recording) {
  std::vector<RecordedPass> passes;
  for (const SlurmRow& row : recording.rows) {
    if (!row.backfill) continue;
    if (!row.id) {
      passes.push_back({row.time, {}});
    } else if (!passes.empty()) {
      passes.back().rows.push_back(row);
    }
  }
  return passes;
}

/// The id under which a job waits.
std::uint32_t record_of(const SlurmRecording& recording, std::uint32_t id) {
  const SlurmAttempt* const attempt = recording.last_attempt(id);
  return attempt == nullptr ? id : attempt->record;
}

/// How a row differs from what was decided of its job, if anything was. Tasks of an array are all alike.
std::string difference(const SlurmRecording& recording, const SlurmRow& row, const std::optional<SlurmDecision>& ours) {
  const std::string job = fmt::format("at {:.3f} s job {}: ", seconds(row.time - recording.first_submit), *row.id);
  if (!ours) return job + "neither started nor planned";
  if (ours->starts != row.starts) return job + (ours->starts ? "started, recorded as planned" : "planned, not started");
  if (!row.starts && ours->start_s != (row.start + second / 2) / second) {
    return job + fmt::format("planned {} s later", ours->start_s - (row.start + second / 2) / second);
  }
  if (!row.starts && ours->end_s != (row.end + second / 2) / second) {
    return job + fmt::format("promised until {} s later", ours->end_s - (row.end + second / 2) / second);
  }
  return ours->nodes == row.nodes ? "" : job + "on other nodes";
}

/// Takes the first decision of a job, or of a task of its array, out of those of a pass.
std::optional<SlurmDecision> take_decision(const SlurmRecording& recording, std::uint32_t id,
                                           std::vector<SlurmDecision>& decisions) {
  const auto first = std::find_if(decisions.begin(), decisions.end(), [&](const SlurmDecision& one) {
    return recording.attempts[one.attempt].record == record_of(recording, id);
  });
  if (first == decisions.end()) return std::nullopt;
  SlurmDecision taken = std::move(*first);
  decisions.erase(first);
  return taken;
}

struct PassDifferences {
  std::vector<std::string> all, of_links;  ///< of the rows of jobs that wait for others, or for their array
};

/// How each recorded backfill row differs, and a line for each start that was not recorded.
PassDifferences differences_of_passes(const SlurmRecording& recording) {
  PassDifferences differences;
  for (const RecordedPass& pass : backfill_passes(recording)) {
    RecordedState state(recording, pass.time);
    auto decisions = state.machine.pass(true, pass.time, state.waiting);
    for (const SlurmRow& row : pass.rows) {
      differences.all.push_back(difference(recording, row, take_decision(recording, *row.id, decisions)));
      const SlurmAttempt* const attempt = recording.last_attempt(*row.id);
      if (attempt != nullptr && attempt->linked()) differences.of_links.push_back(differences.all.back());
    }
    for (const SlurmDecision& one : decisions) {
      if (!one.starts) continue;
      differences.all.push_back(fmt::format("at {:.3f} s job {}: started, which was not recorded",
                                            seconds(pass.time - recording.first_submit),
                                            recording.attempts[one.attempt].id));
    }
  }
  return differences;
}

/// A whole run: jobs are submitted when recorded and last as long as recorded.
class WholeRun {
 public:
  /// With passes of its own, else when they were recorded.
  WholeRun(const SlurmRecording& recording, bool own_passes) : recording_(recording), machine_(recording) {
    start.resize(recording.attempts.size());
    for (std::size_t i = 0; i < start.size(); ++i) {
      if (recording.attempts[i].start)
        add(recording.ready(recording.attempts[i]), Kind::change, [this, i] { waiting_.insert(i); });
    }
    for (const SlurmOutage& outage : recording.outages) {
      add(outage.time, Kind::change, [this, &outage] { machine_.change_nodes(outage); });
    }
    if (own_passes) {
      add_own_passes();
    } else {
      for (const SlurmRow& row : recording.rows) {
        if (!row.id) add(row.time, row.backfill ? Kind::backfill : Kind::main, [this, &row] { pass(row.backfill); });
      }
    }
    run();
  }

  std::vector<std::optional<Millis>> start;  ///< by attempt

 private:
  enum class Kind : std::uint8_t { change, main, backfill };
  struct Event {
    Millis time;
    Kind kind;
    std::size_t number;
    std::function<void()> act;
    [[nodiscard]] auto key() const { return std::tuple(time, kind, number); }
  };
  struct Later {
    bool operator()(const Event& a, const Event& b) const { return a.key() > b.key(); }
  };

  void add(Millis time, Kind kind, std::function<void()> act) { events_.push({time, kind, count_++, std::move(act)}); }

  /// The main pass once a second, the backfill loop as often as it is asked to, at phases in the middle of a second.
  void add_own_passes() {
    constexpr Millis tick = 1003, main_phase = 300, backfill_phase = 700;
    const auto interval = static_cast<Millis>(1e3 * recording_.setting("slurm.bf_interval", 30)) + 1;
    const Millis last = std::max_element(
                            recording_.rows.begin(), recording_.rows.end(),
                            [](const auto& a, const auto& b) {
                              return a.time < b.time;
                            })->time *
                            2 -
                        recording_.first_submit;
    const Millis from = recording_.first_submit;
    for (Millis t = from + main_phase; t < last; t += tick) add(t, Kind::main, [this] { pass(false); });
    if (recording_.conf.values.contains("policy.backfill")) return;  // sched/builtin
    for (Millis t = from + backfill_phase; t < last; t += interval) add(t, Kind::backfill, [this] { pass(true); });
  }

  void run() {
    while (!events_.empty()) {
      const Event event = events_.top();
      events_.pop();
      now_ = event.time;
      event.act();
    }
  }

  void pass(bool backfill) {
    if (waiting_.empty()) return;
    const auto order = in_order(recording_, {waiting_.begin(), waiting_.end()}, now_);
    for (const SlurmDecision& one : machine_.pass(backfill, now_, order)) {
      if (one.starts) begin(one.attempt);
    }
  }

  void begin(std::size_t i) {
    const SlurmAttempt& job = recording_.attempts[i];
    waiting_.erase(i);
    start[i] = now_;
    const Millis end = now_ + (job.end - *job.start);
    add(end, Kind::change, [this, i] { machine_.complete(i); });
    add(end + completing, Kind::change, [this, i] { machine_.give_back(i); });
  }

  const SlurmRecording& recording_;
  SlurmMachine machine_;
  std::priority_queue<Event, std::vector<Event>, Later> events_;
  std::size_t count_ = 0;
  std::set<std::size_t> waiting_;
  Millis now_ = 0;
};

/// How the start of each attempt that started differs by more than two seconds.
std::vector<std::string> differences_of_starts(const SlurmRecording& recording, bool own_passes) {
  constexpr Millis tolerated = 2 * second;
  const WholeRun run(recording, own_passes);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < recording.attempts.size(); ++i) {
    const SlurmAttempt& job = recording.attempts[i];
    if (!job.start) continue;
    if (!run.start[i]) {
      all.push_back(fmt::format("job {} never starts", job.id));
    } else {
      const Millis late = *run.start[i] - *job.start;
      all.push_back(std::abs(late) <= tolerated ? ""
                                                : fmt::format("job {} starts {:.3f} s later", job.id, seconds(late)));
    }
  }
  return all;
}

/// How the priority of each job that waits differs from the formula, at each sample.
std::vector<std::string> differences_of_priorities(const SlurmRecording& recording,
                                                   const std::filesystem::path& folder) {
  const replay::SlurmFormula formula(recording, folder);
  std::vector<std::string> all;
  recording.priorities.for_each_sample([&](std::uint32_t id, Millis time, std::int64_t priority) {
    const auto job = std::find_if(recording.attempts.begin(), recording.attempts.end(),
                                  [&](const SlurmAttempt& one) { return one.id == id; });
    const std::int64_t ours = formula.at(*job, time);
    all.push_back(ours == priority ? ""
                                   : fmt::format("at {:.2f} s job {}: {}, recorded {}",
                                                 seconds(time - recording.first_submit), id, ours, priority));
  });
  return all;
}

/// Seconds by which two times differ; "" if it is no more than two seconds.
std::string apart(const SlurmAttempt& job, const char* what, Millis ours, Millis recorded) {
  constexpr Millis tolerated = 2 * second;
  if (std::abs(ours - recorded) <= tolerated) return "";
  return fmt::format("job {}: {} {:.3f} s later", job.id, what, seconds(ours - recorded));
}

/// How the end of each job that outlived its limit differs.
std::vector<std::string> differences_of_limits(const SlurmRecording& recording) {
  const LimitChecks checks = SlurmMachine(recording).backfill().limit_checks();
  const auto period = static_cast<Millis>(second * checks.period_s);
  Millis phase = period;  // the clock of the checks is the recording's: jobs end a moment after one
  for (const SlurmAttempt& job : recording.attempts) {
    if (job.killed) phase = std::min(phase, job.end % period);
  }
  const LimitChecks on_clock{checks.period_s, seconds(phase)};
  std::vector<std::string> all;
  for (const SlurmAttempt& job : recording.attempts) {
    if (!job.killed) continue;
    const double killed_s = on_clock.killed_s(seconds(*job.start), job.limit_s);
    all.push_back(apart(job, "killed", std::llround(killed_s * second), job.end));
  }
  return all;
}

/// How the time differs from which on each requeued job may start again.
std::vector<std::string> differences_of_requeues(const SlurmRecording& recording) {
  const double delay_s = SlurmMachine(recording).backfill().requeue_delay_s();
  std::vector<std::string> all;
  for (std::size_t i = 0; i < recording.attempts.size(); ++i) {
    const SlurmAttempt& job = recording.attempts[i];
    const auto again = std::find_if(recording.attempts.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                                    recording.attempts.end(), [&](const auto& other) { return other.id == job.id; });
    if (again == recording.attempts.end()) continue;
    all.push_back(apart(*again, "eligible", job.end + std::llround(delay_s * second), again->eligible));
  }
  return all;
}

/// How the time differs from which on each job may start that comes after another.
std::vector<std::string> differences_of_followers(const SlurmRecording& recording) {
  std::vector<std::string> all;
  for (const SlurmAttempt& job : recording.attempts) {
    if (job.after) all.push_back(apart(job, "eligible", recording.ready(job), job.eligible));
  }
  return all;
}

/// Whether jobs are killed, or wait for others: such runs are judged by these rules alone.
bool by_rules(const SlurmRecording& recording) {
  return std::any_of(recording.attempts.begin(), recording.attempts.end(),
                     [](const SlurmAttempt& attempt) { return attempt.linked(); });
}

/// What must hold of recorded runs.
class Bounds {
 public:
  void add_priorities(replay::Count count) { priorities_ = priorities_ && count.at_least(of_priorities); }
  void add_passes(replay::Count count) {
    passes_.equal += count.equal;
    passes_.rows += count.rows;
    if (!count.at_least(of_a_runs_passes)) ++too_few_passes_;
  }
  void add_rule(replay::Count count) { rules_ = rules_ && count.at_least(of_rules); }
  void add_starts(replay::Count count) {
    ++runs_;
    if (count.at_least(of_most_runs_starts)) ++near_;
    if (!count.at_least(of_each_runs_starts)) ++far_;
  }
  [[nodiscard]] bool any() const { return runs_ > 0; }
  [[nodiscard]] bool hold() const {
    return priorities_ && rules_ && too_few_passes_ == 0 && passes_.at_least(of_all_passes) && far_ == 0 &&
           4 * near_ >= 3 * runs_;
  }

 private:
  static constexpr double of_a_runs_passes = 0.95, of_all_passes = 0.99, of_most_runs_starts = 0.99,
                          of_each_runs_starts = 0.6, of_priorities = 0.99, of_rules = 0.95;
  bool priorities_ = true, rules_ = true;
  replay::Count passes_;
  std::size_t too_few_passes_ = 0, runs_ = 0, near_ = 0, far_ = 0;
};

void replay_recordings(const std::filesystem::path& folder, replay::Results& results) {
  Bounds bounds;
  for (const auto& input : replay::folders_with(folder, "meta.json")) {
    const SlurmRecording recording(input);
    const auto compare = [&](const std::string& name, const std::vector<std::string>& differences) {
      return results.compare(input / name, differences.size(), [&](std::size_t row) { return differences[row]; });
    };
    const PassDifferences of_passes = differences_of_passes(recording);
    const replay::Count passes = compare("passes.csv.gz", of_passes.all);
    const replay::Count starts = compare("schedule.csv, passes as recorded", differences_of_starts(recording, false));
    (void)compare("schedule.csv, passes of its own", differences_of_starts(recording, true));
    if (!by_rules(recording)) bounds.add_passes(passes), bounds.add_starts(starts);
    const auto rule = [&](const char* name, const std::vector<std::string>& differences) {
      if (!differences.empty()) bounds.add_rule(compare(name, differences));
    };
    rule("schedule.csv, ends of jobs past their limit", differences_of_limits(recording));
    rule("schedule.csv, when requeued jobs may start", differences_of_requeues(recording));
    rule("schedule.csv, when jobs that come after others may start", differences_of_followers(recording));
    rule("passes.csv.gz, arrays and jobs that come after others", of_passes.of_links);
    if (!recording.conf.values.contains("policy.order")) continue;  // priority/basic
    bounds.add_priorities(compare("sprio.psv", differences_of_priorities(recording, input)));
  }
  if (!bounds.any()) return;
  results.judge(
      "95 % of the backfill rows of each run and 99 % of all are equal; 99 % of starts are within 2 s in three "
      "of four runs, 60 % in each; 99 % of priorities are equal; 95 % of kills and requeues are within 2 s",
      bounds.hold());
}

}  // namespace

void register_replay_slurm(ReplayParts& parts) {
  parts.add({"slurm", "starts, plans and nodes of Slurm 22.05, recorded", replay_recordings});
}

}  // namespace palstudy
