// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "parallel/mpi.hpp"
#include "sim/state/exchange.hpp"

namespace palstudy {

/// How long a rank leaves MPI alone while it simulates; others may wait that long for a run over TCP.
inline constexpr std::chrono::milliseconds tick_period{2};

/// The ranks that simulate one run together: `size` neighbours of MPI_COMM_WORLD, the last team perhaps fewer. Without
/// MPI, or alone, a team is one process.
class Team {
 public:
  /// Collective over all ranks, as is the end. `meanwhile` is called while the team simulates, every few milliseconds.
  Team(Mpi& mpi, int size, std::function<void()> meanwhile);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  [[nodiscard]] int size() const;
  /// The rank that takes runs from the counter and writes what comes of them.
  [[nodiscard]] bool leads() const;
  /// The leader's value, on all of the team. Others wait until the leader calls it.
  [[nodiscard]] std::int64_t agree_on(std::int64_t value);
  [[nodiscard]] Exchange& exchange();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace palstudy
