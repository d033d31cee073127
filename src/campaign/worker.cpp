// SPDX-License-Identifier: MIT
#include "campaign/worker.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <numeric>
#include <set>

#include "campaign/execute.hpp"
#include "campaign/progress_line.hpp"
#include "campaign/record_writer.hpp"
#include "campaign/run_checkpoints.hpp"
#include "campaign/standing_text.hpp"
#include "core/task_thread.hpp"
#include "inputs/inputs.hpp"
#include "parallel/team.hpp"
#include "parallel/work_counter.hpp"
#include "shard/checkpoint_file.hpp"

namespace palstudy {

namespace {

// More rows than this are recorded before the next run begins: memory then holds those of one run.
constexpr std::size_t rows_beside_a_run = 100'000;

// What a run has left, on the leader of a team.
struct EndedRun {
  std::function<RunRecord()> record;  // empty elsewhere, and where it was stopped
  std::size_t rows = 0;
  bool stopped = false;
};

std::size_t rows_of(const RunResult& result) {
  return result.jobs.size() + result.events.size() + result.events.gpus.size() + result.rounds.size();
}

EndedRun failed_run(const Study& study, const RunPlan& run, const Exchange& exchange, const std::string& reason) {
  if (exchange.rank() != 0) return {};
  return {[record = make_failed_record(label_of(study, run), reason)] { return record; }, 0, false};
}

EndedRun simulate_or_fail(const Study& study, const RunPlan& run, Inputs& inputs, Exchange& exchange,
                          RunCheckpoints& checkpoints) {
  try {
    auto end = std::make_shared<SimulatedRun>(simulate_run(study, run, inputs, exchange, checkpoints));
    if (!end->result) return {{}, 0, end->stopped};
    const std::size_t rows = rows_of(*end->result);
    return {[end = std::move(end)] { return end->record(); }, rows, false};
  } catch (const StandsStill& still) {  // on all ranks
    return failed_run(study, run, exchange, standing_text(still.job(), run));
  } catch (const Error& error) {
    if (error.code() == ErrorCode::fault) throw;
    return failed_run(study, run, exchange, error.what());
  }
}

std::int64_t likely_us_of_all(const RunLoopInputs& loop) {
  return static_cast<std::int64_t>(std::accumulate(loop.likely_us.begin(), loop.likely_us.end(), std::size_t{0}));
}

// One rank's share of the campaign. (More than 15 members: what the runs of a rank share.)
class Worker {
 public:
  Worker(const RunLoopInputs& loop, Inputs& inputs, Mpi& mpi, WorkCounter& counter)
      : loop_(loop),
        inputs_(inputs),
        counter_(counter),
        reports_(mpi.rank() == 0),
        team_(mpi, loop.team, [this] { meanwhile(); }),
        progress_(reports_, static_cast<std::int64_t>(loop.todo.size()), likely_us_of_all(loop), mpi.ranks()),
        writer_(loop.parts, loop.start, mpi.rank(), loop.files) {
    if (!team_.leads()) return;
    for (const auto& file : checkpoint_files(loop.parts)) checkpointed_.insert(file.stem().string());
  }

  void work() {
    while (do_one_together()) {
      if (team_.size() > 1) meanwhile();
    }
    finish_keeping();
    writer_.close();
  }

  // After a failure: the others end too, and what is being kept still is.
  void give_up() {
    counter_.stop_all();
    given_up_ = true;
    (void)caught([&] { finish_keeping(); });
    if (!writer_.busy()) (void)caught([&] { writer_.close(); });
  }

  // Serves MPI, the disk and the progress line; also while waiting for the others.
  void meanwhile() {
    counter_.tick();
    if (given_up_ && !writer_.busy()) return;  // what else goes wrong with the disk would hide the reason
    serve_disk();
    if (progress_.due()) progress_.show(counter_.progress(), at_hand());
    if (!control_.stop && (should_stop() || others_stop())) announce_stop();
  }

  [[nodiscard]] double elapsed_s() const { return progress_.elapsed_s(); }
  [[nodiscard]] const ExchangeCounts& exchanged() { return team_.exchange().counts(); }

 private:
  [[nodiscard]] std::optional<RunProgress> at_hand() const {
    const std::int64_t left = control_.measured_left;
    if (left < 0) return std::nullopt;
    return RunProgress{control_.time_s, left};
  }

  // What goes wrong while a team works on a run would leave the others waiting for this rank: the run is left at the
  // next boundary, and the error is thrown where the team agrees on it.
  void serve_disk() {
    const std::exception_ptr failure = caught([&] {
      if (const auto kept = writer_.poll()) note(*kept);
      writer_.tick();
    });
    if (!failure) return;
    if (team_.size() == 1) std::rethrow_exception(failure);
    if (!disk_failure_) disk_failure_ = failure;
    control_.stop = true;
  }
  void tell_disk_failure() const {
    if (disk_failure_) std::rethrow_exception(disk_failure_);
  }

  // What one rank of a team throws must not leave the others waiting for it: all agree on it before they go on.
  bool do_one_together() {
    std::int64_t next = -1;
    std::exception_ptr failure = caught([&] {
      tell_disk_failure();
      next = team_.leads() ? take() : 0;
    });
    next = team_.agree_on(failure ? -1 : next);
    if (failure) std::rethrow_exception(failure);
    if (next < 0) return false;
    bool stopped = false;
    failure = caught([&] {
      EndedRun run = simulate_one(loop_.study.runs[loop_.todo[static_cast<std::size_t>(next)]]);
      stopped = run.stopped;
      if (run.record) keep(std::move(run), loop_.likely_us[static_cast<std::size_t>(next)]);
      tell_disk_failure();
    });
    std::array<double, 1> ended = {failure || stopped ? 1.0 : 0.0};
    team_.exchange().max(ended);
    if (failure) rethrow_own(failure);
    return ended[0] == 0;
  }

  template <class Work>
  static std::exception_ptr caught(Work work) {
    try {
      work();
    } catch (...) {
      return std::current_exception();
    }
    return nullptr;
  }
  // The rank that has the reason throws it.
  static void rethrow_own(const std::exception_ptr& failure) {
    try {
      std::rethrow_exception(failure);
    } catch (const OtherRankFailed&) {
    }
  }

  // The next run, or -1.
  std::int64_t take() {
    if (stopping()) return -1;
    const std::int64_t next = counter_.next();
    return next < static_cast<std::int64_t>(loop_.todo.size()) ? next : -1;
  }

  // Beside the next run, where there is one thread for that and another for this.
  void keep(EndedRun run, std::size_t likely_us) {
    finish_keeping();
    likely_us_ = static_cast<std::int64_t>(likely_us);
    writer_.begin(std::move(run.record));
    if (team_.size() > 1 || run.rows > rows_beside_a_run) finish_keeping();
  }
  void finish_keeping() {
    while (writer_.busy()) {
      writer_.wait(tick_period);
      meanwhile();
    }
    tell_disk_failure();
  }
  void note(const WrittenRun& kept) {
    if (checkpointed_.contains(kept.id)) {
      writer_.sync();  // a checkpoint goes once its run cannot be lost any more
      remove_checkpoint(loop_.parts, kept.id);
    }
    counter_.report(kept.failed, likely_us_);
  }

  EndedRun simulate_one(const RunPlan& run) {
    RunCheckpoints checkpoints(run, loop_.files, loop_.parts, loop_.study.checkpoint_s, team_.leads(),
                               checkpointed_.contains(run.id), control_, loop_.signals);
    EndedRun ended = simulate_with(checkpoints, run);
    control_.measured_left = -1;
    if (checkpoints.may_exist()) checkpointed_.insert(run.id);
    return ended;
  }
  // A rank that simulates alone does so in a thread of its own, so that this one, which alone may call MPI, stays free
  // for it. A team reports at every boundary and serves MPI there.
  EndedRun simulate_with(RunCheckpoints& checkpoints, const RunPlan& run) {
    const auto work = [&] { return simulate_or_fail(loop_.study, run, inputs_, team_.exchange(), checkpoints); };
    if (team_.size() > 1) return work();
    auto ended = simulation_.begin(work);
    try {
      meanwhile();  // the run before may wait for the disk: it does so beside this one
      while (ended.wait_for(tick_period) != std::future_status::ready) meanwhile();
    } catch (...) {
      control_.stop = true;  // or its end, which may be hours away, would be waited for
      ended.wait();          // it works on what is about to go
      throw;
    }
    return ended.get();
  }

  [[nodiscard]] bool should_stop() const {
    if (loop_.signals.raised()) return true;
    const auto limit_s = loop_.time_limit_s;
    return limit_s && elapsed_s() >= *limit_s - stops_ahead_s(*limit_s, control_.saving_s);
  }
  // Asked now and then, since the answer may have to come from another host.
  bool others_stop() {
    if (!team_.leads() || elapsed_s() < asked_s_ + 1) return false;
    asked_s_ = elapsed_s();
    return counter_.stopping();
  }
  void announce_stop() {
    if (!announced_) counter_.stop_all();
    if (!announced_ && reports_)
      spdlog::info("stopping; what is at hand is left at its next boundary, with a checkpoint");
    announced_ = true;
    control_.stop = true;
  }
  bool stopping() {
    if (should_stop()) announce_stop();
    return counter_.stopping();
  }

  const RunLoopInputs& loop_;
  Inputs& inputs_;
  WorkCounter& counter_;
  bool reports_;
  Team team_;
  ProgressLine progress_;
  RecordWriter writer_;
  TaskThread simulation_;
  RunControl control_;
  std::exception_ptr disk_failure_;     // on the leader of a team of several
  std::set<std::string> checkpointed_;  // ids of runs that may have a checkpoint; on the leader of a team
  std::int64_t likely_us_ = 0;          // of the run that is being kept
  double asked_s_ = 0;                  // when, whether others stop
  bool announced_ = false;
  bool given_up_ = false;
};

}  // namespace

double stops_ahead_s(double limit_s, double saving_s) {
  return std::min(std::max(2 * saving_s, std::min(1.0, 0.02 * limit_s)), 0.5 * limit_s);
}

LoopResult& LoopResult::operator+=(const LoopResult& next) {
  done += next.done;
  failed += next.failed;
  stopped = stopped || next.stopped;
  elapsed_s += next.elapsed_s;
  exchanged.gathers += next.exchanged.gathers;
  exchanged.reductions += next.exchanged.reductions;
  exchanged.bytes_sent += next.exchanged.bytes_sent;
  exchanged.bytes_received += next.exchanged.bytes_received;
  exchanged.seconds += next.exchanged.seconds;
  return *this;
}

LoopResult run_all(const RunLoopInputs& loop, Inputs& inputs, Mpi& mpi) {
  LoopResult end;
  std::optional<Failure> failure;
  {
    WorkCounter counter(mpi);
    Worker worker(loop, inputs, mpi, counter);
    failure = failure_of([&] { worker.work(); });
    if (failure) worker.give_up();
    mpi.barrier([&] { worker.meanwhile(); });
    const WorkProgress progress = counter.progress();
    end = {progress.done, progress.failed, false, worker.elapsed_s(), worker.exchanged()};
    mpi.barrier();  // the counter goes away
  }
  agree(mpi, failure);
  end.stopped = end.done + end.failed < static_cast<std::int64_t>(loop.todo.size());
  return end;
}

void explain_comm(Mpi& mpi, const ExchangeCounts& counts) {
  const auto boundaries = static_cast<double>(std::max<std::uint64_t>(counts.gathers, 1));
  const auto calls = static_cast<double>(std::max<std::uint64_t>(counts.gathers + counts.reductions, 1));
  const std::string line = fmt::format(
      "{:>4}  {:>10}  {:>10}  {:>15.1f}  {:>19.1f}  {:>10.1f}  {:>8.3f}\n", mpi.rank(), counts.gathers,
      counts.reductions, static_cast<double>(counts.bytes_sent) / boundaries,
      static_cast<double>(counts.bytes_received) / boundaries, 1e6 * counts.seconds / calls, counts.seconds);
  const auto lines = mpi.gather(line);
  if (mpi.rank() != 0) return;
  fmt::print("rank     gathers  reductions  bytes sent each  bytes received each  us a call   seconds\n");
  for (const auto& text : lines) fmt::print("{}", text);
  fmt::print(
      "\"each\" is a boundary: one gather of the summaries of all partitions. Time includes waiting for others.\n");
}

}  // namespace palstudy
