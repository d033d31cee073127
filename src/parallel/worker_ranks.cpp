// SPDX-License-Identifier: MIT
#include "parallel/worker_ranks.hpp"

#include <chrono>
#include <thread>

#include "parallel/agree.hpp"
#include "parallel/mpi_check.hpp"

namespace palstudy {
namespace {

constexpr int work_tag = 7001, answer_tag = 7002;
/// Short beside a piece of work, long beside looking whether there is one.
constexpr std::chrono::microseconds look_interval{100};

void send_bytes(const Bytes& bytes, int rank, int tag) {
  PALSTUDY_MPI(MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, rank, tag, MPI_COMM_WORLD));
}

bool is_there(int rank, int tag) {
  int there = 0;
  PALSTUDY_MPI(MPI_Iprobe(rank, tag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE));
  return there != 0;
}

/// Waits without taking the processor from working ranks.
Bytes receive_bytes(int rank, int tag) {
  while (!is_there(rank, tag)) std::this_thread::sleep_for(look_interval);
  MPI_Status status;
  int size = 0;
  PALSTUDY_MPI(MPI_Probe(rank, tag, MPI_COMM_WORLD, &status));
  PALSTUDY_MPI(MPI_Get_count(&status, MPI_BYTE, &size));
  Bytes bytes(static_cast<std::size_t>(size));
  PALSTUDY_MPI(MPI_Recv(bytes.data(), size, MPI_BYTE, rank, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
  return bytes;
}

/// The ranks but 0. Empty work releases a worker; an empty answer reports a failure.
class OtherRanks final : public WorkerRanks {
 public:
  explicit OtherRanks(const Mpi& mpi) : busy_(static_cast<std::size_t>(mpi.ranks() - 1), false) {}
  ~OtherRanks() override {
    try {
      for (int worker = 0; worker < count(); ++worker) {
        if (busy_[static_cast<std::size_t>(worker)]) (void)receive_bytes(worker + 1, answer_tag);
        send_bytes({}, worker + 1, work_tag);
      }
    } catch (...) {  // MPI itself has failed, which the next agreement finds
    }
  }
  [[nodiscard]] int count() const override { return static_cast<int>(busy_.size()); }
  void give(int worker, const Bytes& work) override {
    busy_.at(static_cast<std::size_t>(worker)) = true;
    send_bytes(work, worker + 1, work_tag);
  }
  [[nodiscard]] bool ready(int worker) override { return is_there(worker + 1, answer_tag); }
  [[nodiscard]] Bytes take(int worker) override {
    Bytes answer = receive_bytes(worker + 1, answer_tag);
    busy_.at(static_cast<std::size_t>(worker)) = false;
    if (answer.empty()) throw fault("rank " + std::to_string(worker + 1) + " could not do its part of the work");
    return answer;
  }

 private:
  std::vector<bool> busy_;
};

void serve(const Task& help) {
  for (Bytes work = receive_bytes(0, work_tag); !work.empty(); work = receive_bytes(0, work_tag)) {
    Bytes answer;
    const auto failed = failure_of([&] { answer = help(work); });
    send_bytes(failed ? Bytes() : answer, 0, answer_tag);  // rank 0 waits for it, whatever happened
  }
}

}  // namespace

void on_rank_0_with_workers(Mpi& mpi, const std::function<void(WorkerRanks&)>& work, const Task& help) {
  std::optional<Failure> failure;
  if (mpi.rank() == 0) {
    OtherRanks workers(mpi);
    failure = failure_of([&] { work(workers); });
  } else {
    failure = failure_of([&] { serve(help); });
  }
  agree(mpi, failure);
}

}  // namespace palstudy
