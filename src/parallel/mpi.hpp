// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "core/error.hpp"

namespace palstudy {

/// Whether mpirun, mpiexec or srun started this process as one of an MPI program's ranks, by its environment; available
/// before MPI starts. Reads OMPI_COMM_WORLD_*, PMIX_RANK, PMI_RANK, PMI_SIZE. The variables of a Slurm allocation alone
/// do not count: a batch script has them too.
/// Errors (usage): srun started several tasks without an MPI plugin; each would take itself for a whole campaign.
[[nodiscard]] bool started_by_launcher();

/// "mpirun" (Open MPI's), "srun", "mpiexec" for another, "" for none.
[[nodiscard]] std::string launcher_name();

/// Whether this is the process that prints what all of them would.
[[nodiscard]] bool speaks_for_all();

/// A launcher started several processes that this MPI does not join: each of them would take itself for the whole.
/// None of them speaks for the others, so each says it.
class RanksApart : public Error {
 public:
  using Error::Error;
};

/// MPI for the life of the object, FUNNELED; without a launcher the program is one rank and MPI is never started.
class Mpi {
 public:
  /// Starts MPI only if a launcher (mpirun, srun) started the program. Errors: RanksApart (usage).
  Mpi(int& argc, char**& argv);
  ~Mpi();
  Mpi(const Mpi&) = delete;
  Mpi& operator=(const Mpi&) = delete;
  [[nodiscard]] bool started() const { return started_; }
  [[nodiscard]] int rank() const;
  [[nodiscard]] int ranks() const;
  /// Collective. Ranks that share this rank's memory, itself among them.
  [[nodiscard]] int ranks_on_host();
  /// Collective. This rank's place among them, from 0.
  [[nodiscard]] int rank_on_host();
  void barrier();
  /// A barrier that leaves the processor to others and calls `meanwhile` every few milliseconds until all are there.
  void barrier(const std::function<void()>& meanwhile);
  /// The largest of all ranks' values; all get it.
  [[nodiscard]] std::int64_t max(std::int64_t value);
  /// The text of `root`, on all ranks.
  [[nodiscard]] std::string broadcast(const std::string& text, int root = 0);
  /// Replaces the values of all ranks by those of `root`; every rank has the same number of them.
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void broadcast(std::span<T> values, int root = 0) { broadcast_bytes(std::as_writable_bytes(values), root); }
  /// The values of `root`, on all ranks; the sizes elsewhere do not matter.
  template <class T>
  requires std::is_trivially_copyable_v<T>
  [[nodiscard]] std::vector<T> broadcast(std::vector<T> values, int root = 0) {
    std::size_t size = values.size();
    broadcast(std::span(&size, 1), root);
    values.resize(size);
    broadcast(std::span(values), root);
    return values;
  }
  /// The texts of all ranks, by rank, on rank 0; empty elsewhere.
  [[nodiscard]] std::vector<std::string> gather(const std::string& text);
  /// Ends all ranks at once, for errors that could not be agreed on.
  [[noreturn]] void abort(int exit_code);

 private:
  void broadcast_bytes(std::span<std::byte> bytes, int root);

  bool started_ = false;
};

/// Whether this process has started MPI, so that it must not fork.
[[nodiscard]] bool mpi_is_started();

/// Name and version of the MPI library, such as "Open MPI v4.1.4".
[[nodiscard]] std::string mpi_library();

}  // namespace palstudy
