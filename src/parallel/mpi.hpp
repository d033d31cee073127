// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace palstudy {

/// MPI for the life of the object, FUNNELED; without a launcher the program is one rank and MPI is never started.
class Mpi {
 public:
  /// Starts MPI only if a launcher (mpirun, srun) started the program.
  Mpi(int& argc, char**& argv);
  ~Mpi();
  Mpi(const Mpi&) = delete;
  Mpi& operator=(const Mpi&) = delete;
  [[nodiscard]] int rank() const;
  [[nodiscard]] int ranks() const;
  void barrier();
  /// The largest of all ranks' values; all get it.
  [[nodiscard]] std::int64_t max(std::int64_t value);
  /// What rank 0 has; all get it.
  [[nodiscard]] std::string broadcast(const std::string& text);
  /// Of all ranks, by rank, on rank 0; empty elsewhere.
  [[nodiscard]] std::vector<std::string> gather(const std::string& text);

 private:
  bool started_ = false;
};

/// The shared counter from which ranks take runs: MPI one-sided fetch-and-add on a window of rank 0.
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
  /// Lets MPI progress; at every run's end and at least every few milliseconds on rank 0.
  void tick();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace palstudy
