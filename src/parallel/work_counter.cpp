// SPDX-License-Identifier: MIT
#include "parallel/work_counter.hpp"

#include <array>

#include "parallel/mpi_check.hpp"

namespace palstudy {
namespace {

// The cells of the window on rank 0.
enum Cell : std::size_t { cell_next, cell_stop, cell_done, cell_failed, cell_weight, cell_count };

}  // namespace

struct WorkCounter::State {
  explicit State(const Mpi& mpi) : shared(mpi.started()) {
    if (!shared) return;
    const bool owner = mpi.rank() == 0;
    const MPI_Aint bytes = owner ? static_cast<MPI_Aint>(cell_count * sizeof(std::int64_t)) : 0;
    std::int64_t* memory = nullptr;
    PALSTUDY_MPI(MPI_Win_allocate(bytes, sizeof(std::int64_t), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window));
    PALSTUDY_MPI(MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN));
    PALSTUDY_MPI(MPI_Win_lock_all(0, window));
    if (owner) {
      for (std::size_t i = 0; i < cell_count; ++i) memory[i] = 0;
      PALSTUDY_MPI(MPI_Win_sync(window));
    }
    PALSTUDY_MPI(MPI_Barrier(MPI_COMM_WORLD));  // no rank adds before the cells are zero
    PALSTUDY_MPI(MPI_Win_sync(window));
  }

  ~State() {
    if (!shared) return;
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);  // collective: the ranks have left their runs
  }

  // Adds to a cell and returns what it held. Also the owner goes through MPI: mixing plain loads and remote atomics on
  // one cell is not allowed.
  std::int64_t add(Cell cell, std::int64_t amount) {
    if (!shared) {
      const std::int64_t before = alone[cell];
      alone[cell] += amount;
      return before;
    }
    std::int64_t before = 0;
    PALSTUDY_MPI(MPI_Fetch_and_op(&amount, &before, MPI_INT64_T, 0, static_cast<MPI_Aint>(cell), MPI_SUM, window));
    PALSTUDY_MPI(MPI_Win_flush(0, window));
    return before;
  }

  bool shared;
  MPI_Win window = MPI_WIN_NULL;
  std::array<std::int64_t, cell_count> alone{};
};

WorkCounter::WorkCounter(Mpi& mpi) : state_(std::make_unique<State>(mpi)) {}
WorkCounter::~WorkCounter() = default;

std::int64_t WorkCounter::next() { return state_->add(cell_next, 1); }
void WorkCounter::stop_all() { state_->add(cell_stop, 1); }
bool WorkCounter::stopping() { return state_->add(cell_stop, 0) > 0; }
void WorkCounter::report(bool failed, std::int64_t weight) {
  state_->add(failed ? cell_failed : cell_done, 1);
  state_->add(cell_weight, weight);
}

WorkProgress WorkCounter::progress() {
  return {state_->add(cell_next, 0), state_->add(cell_done, 0), state_->add(cell_failed, 0),
          state_->add(cell_weight, 0)};
}

void WorkCounter::tick() {
  if (!state_->shared) return;
  int there = 0;  // nothing is ever sent with this tag; asking makes MPI serve the one-sided requests of others
  PALSTUDY_MPI(MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE));
}

}  // namespace palstudy
