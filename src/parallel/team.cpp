// SPDX-License-Identifier: MIT
#include "parallel/team.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "parallel/mpi_check.hpp"

namespace palstudy {
namespace {

using Clock = std::chrono::steady_clock;

/// MPI counts in int.
constexpr std::size_t chunk_bytes = std::size_t{1} << 30;

class MpiExchange final : public Exchange {
 public:
  MpiExchange(MPI_Comm comm, std::function<void()> meanwhile) : comm_(comm), meanwhile_(std::move(meanwhile)) {
    PALSTUDY_MPI(MPI_Comm_rank(comm, &rank_));
    PALSTUDY_MPI(MPI_Comm_size(comm, &ranks_));
  }

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int ranks() const override { return ranks_; }

  void gather(std::span<std::int64_t> table, std::size_t width, const std::vector<int>& owner) override {
    const Waiting waiting(counts_);
    lay_out(width, owner);
    std::vector<std::int64_t>& send = send_;
    send.clear();
    for (std::size_t p = 0; p < owner.size(); ++p) {
      if (owner[p] != rank_) continue;
      const auto row = table.subspan(p * width, width);
      send.insert(send.end(), row.begin(), row.end());
    }
    received_.resize(table.size());
    PALSTUDY_MPI(MPI_Allgatherv(send.data(), static_cast<int>(send.size()), MPI_INT64_T, received_.data(),
                                cells_.data(), begins_.data(), MPI_INT64_T, comm_));
    std::vector<int>& next = next_;
    next = begins_;
    for (std::size_t p = 0; p < owner.size(); ++p) {
      int& begin = next[static_cast<std::size_t>(owner[p])];
      std::copy_n(received_.begin() + begin, width, table.begin() + static_cast<std::ptrdiff_t>(p * width));
      begin += static_cast<int>(width);
    }
    ++counts_.gathers;
    counts_.bytes_sent += send.size() * sizeof(std::int64_t);
    counts_.bytes_received += (table.size() - send.size()) * sizeof(std::int64_t);
  }

  [[nodiscard]] double earliest(double time_s) override {
    const Waiting waiting(counts_);
    double least = time_s;
    PALSTUDY_MPI(MPI_Allreduce(&time_s, &least, 1, MPI_DOUBLE, MPI_MIN, comm_));
    count_reduction(1);
    return least;
  }

  void max(std::span<double> values) override {
    const Waiting waiting(counts_);
    PALSTUDY_MPI(
        MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX, comm_));
    count_reduction(values.size());
  }

  [[nodiscard]] std::vector<std::string> collect(std::string bytes) override {
    if (rank_ != 0) {
      std::uint64_t size = bytes.size();
      PALSTUDY_MPI(MPI_Send(&size, 1, MPI_UINT64_T, 0, 0, comm_));
      for (std::size_t at = 0; at < bytes.size(); at += chunk_bytes) {
        const auto count = static_cast<int>(std::min(chunk_bytes, bytes.size() - at));
        PALSTUDY_MPI(MPI_Send(bytes.data() + at, count, MPI_CHAR, 0, 0, comm_));
      }
      return {};
    }
    std::vector<std::string> all(static_cast<std::size_t>(ranks_));
    all[0] = std::move(bytes);
    for (int from = 1; from < ranks_; ++from) all[static_cast<std::size_t>(from)] = receive(from);
    return all;
  }

  void tick() override {
    const auto now = Clock::now();
    if (now - last_tick_ < tick_period) return;
    last_tick_ = now;
    meanwhile_();
  }

 private:
  /// Counts the time spent in a call.
  class Waiting {
   public:
    explicit Waiting(ExchangeCounts& counts) : counts_(counts), begin_(Clock::now()) {}
    ~Waiting() { counts_.seconds += std::chrono::duration<double>(Clock::now() - begin_).count(); }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

   private:
    ExchangeCounts& counts_;
    Clock::time_point begin_;
  };

  void count_reduction(std::size_t values) {
    ++counts_.reductions;
    counts_.bytes_sent += values * sizeof(double);
    counts_.bytes_received += values * sizeof(double);
  }

  void lay_out(std::size_t width, const std::vector<int>& owner) {
    cells_.assign(static_cast<std::size_t>(ranks_), 0);
    for (const int rank : owner) cells_[static_cast<std::size_t>(rank)] += static_cast<int>(width);
    begins_.resize(cells_.size());
    std::exclusive_scan(cells_.begin(), cells_.end(), begins_.begin(), 0);
  }

  std::string receive(int from) {
    std::uint64_t size = 0;
    PALSTUDY_MPI(MPI_Recv(&size, 1, MPI_UINT64_T, from, 0, comm_, MPI_STATUS_IGNORE));
    std::string bytes(size, '\0');
    for (std::size_t at = 0; at < size; at += chunk_bytes) {
      const auto count = static_cast<int>(std::min(chunk_bytes, static_cast<std::size_t>(size) - at));
      PALSTUDY_MPI(MPI_Recv(bytes.data() + at, count, MPI_CHAR, from, 0, comm_, MPI_STATUS_IGNORE));
    }
    return bytes;
  }

  MPI_Comm comm_;
  std::function<void()> meanwhile_;
  int rank_ = 0, ranks_ = 1;
  Clock::time_point last_tick_ = Clock::now();
  std::vector<std::int64_t> send_, received_;
  std::vector<int> cells_, begins_, next_;  // by rank
};

}  // namespace

struct Team::State {
  MPI_Comm comm = MPI_COMM_NULL;
  std::unique_ptr<Exchange> exchange;
};

Team::Team(Mpi& mpi, int size, std::function<void()> meanwhile) : state_(std::make_unique<State>()) {
  if (!mpi.started() || size == 1) {
    state_->exchange = std::make_unique<LocalExchange>();
    return;
  }
  PALSTUDY_MPI(MPI_Comm_split(MPI_COMM_WORLD, mpi.rank() / size, mpi.rank(), &state_->comm));
  PALSTUDY_MPI(MPI_Comm_set_errhandler(state_->comm, MPI_ERRORS_RETURN));
  state_->exchange = std::make_unique<MpiExchange>(state_->comm, std::move(meanwhile));
}

Team::~Team() {
  state_->exchange.reset();
  if (state_->comm != MPI_COMM_NULL) MPI_Comm_free(&state_->comm);
}

int Team::size() const { return state_->exchange->ranks(); }
bool Team::leads() const { return state_->exchange->rank() == 0; }
Exchange& Team::exchange() { return *state_->exchange; }

std::int64_t Team::agree_on(std::int64_t value) {
  if (state_->comm != MPI_COMM_NULL) PALSTUDY_MPI(MPI_Bcast(&value, 1, MPI_INT64_T, 0, state_->comm));
  return value;
}

}  // namespace palstudy
