// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>

#include "parallel/mpi.hpp"

namespace palstudy {

/// Progress of the ranks, by the counter.
struct WorkProgress {
  std::int64_t taken = 0;  ///< numbers given out, some of them perhaps beyond the last run
  std::int64_t done = 0, failed = 0;
  std::int64_t weight = 0;  ///< sum over the runs that have ended, as reported
};

/// The shared counter from which ranks take runs: MPI one-sided fetch-and-add on a window of rank 0. Between its
/// construction and its end (both collective) no call here waits for another rank's run.
class WorkCounter {
 public:
  explicit WorkCounter(Mpi& mpi);
  ~WorkCounter();
  WorkCounter(const WorkCounter&) = delete;
  WorkCounter& operator=(const WorkCounter&) = delete;
  /// The next number, from 0. No rank gets one twice.
  [[nodiscard]] std::int64_t next();
  /// Tells all ranks to take nothing more.
  void stop_all();
  [[nodiscard]] bool stopping();
  /// Counts a finished run, and how much of the whole it stands for, in any unit.
  void report(bool failed, std::int64_t weight = 1);
  [[nodiscard]] WorkProgress progress();
  /// Lets MPI progress; at every run's end and at least every few milliseconds on rank 0.
  void tick();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace palstudy
