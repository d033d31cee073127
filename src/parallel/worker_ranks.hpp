// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "parallel/mpi.hpp"

namespace palstudy {

using Bytes = std::vector<std::byte>;
/// What a worker does with a piece of work; its answer has at least one byte.
using Task = std::function<Bytes(std::span<const std::byte> work)>;

/// Workers that take pieces of work from rank 0, one at a time each. They change the time that the work takes and
/// nothing else.
class WorkerRanks {
 public:
  WorkerRanks() = default;
  WorkerRanks(const WorkerRanks&) = delete;
  WorkerRanks& operator=(const WorkerRanks&) = delete;
  virtual ~WorkerRanks() = default;
  [[nodiscard]] virtual int count() const = 0;
  /// Gives work to the idle worker of this number, from 0. The work is not empty.
  virtual void give(int worker, const Bytes& work) = 0;
  /// Whether its answer has arrived, so that `take` does not wait.
  [[nodiscard]] virtual bool ready(int worker) = 0;
  /// Its answer. Errors (fault): it could not do the work.
  [[nodiscard]] virtual Bytes take(int worker) = 0;
};

/// Collective. `work` on rank 0, to which the other ranks are workers until it returns or throws, then `agree`.
void on_rank_0_with_workers(Mpi& mpi, const std::function<void(WorkerRanks&)>& work, const Task& help);

}  // namespace palstudy
