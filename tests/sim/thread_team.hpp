// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <condition_variable>
#include <functional>
#include <limits>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sim/state/exchange.hpp"

namespace palstudy {

/// A barrier at which threads sleep. Those of std::barrier yield, and on a busy machine each yield costs them a turn of
/// every other process: minutes where sleepers take a second.
class SleepingBarrier {
 public:
  explicit SleepingBarrier(int threads) : threads_(threads) {}
  void arrive_and_wait() {
    std::unique_lock lock(mutex_);
    const std::size_t phase = phase_;
    if (++arrived_ == threads_) {
      arrived_ = 0;
      ++phase_;
      all_arrived_.notify_all();
    }
    all_arrived_.wait(lock, [&] { return phase_ != phase; });
  }

 private:
  int threads_, arrived_ = 0;
  std::size_t phase_ = 0;
  std::mutex mutex_;
  std::condition_variable all_arrived_;
};

/// What the ranks of a team of threads share: a team without MPI, so that what hangs on the number of ranks alone can
/// be tested in one process, thousands of times.
struct ThreadTeam {
  explicit ThreadTeam(int size) : ranks(size), meet(size), bytes(static_cast<std::size_t>(size)) {}
  int ranks;
  SleepingBarrier meet;
  std::mutex mutex;
  std::vector<std::int64_t> table;
  std::vector<double> values;
  std::vector<std::string> bytes;
};

class ThreadExchange final : public Exchange {
 public:
  ThreadExchange(ThreadTeam& team, int rank) : team_(team), rank_(rank) {}
  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int ranks() const override { return team_.ranks; }

  void gather(std::span<std::int64_t> table, std::size_t width, const std::vector<int>& owner) override {
    {
      const std::lock_guard lock(team_.mutex);
      team_.table.resize(table.size());
      for (std::size_t i = 0; i < table.size(); ++i) {
        if (owner[i / width] == rank_) team_.table[i] = table[i];
      }
    }
    team_.meet.arrive_and_wait();
    std::copy(team_.table.begin(), team_.table.end(), table.begin());
    team_.meet.arrive_and_wait();
    ++counts_.gathers;
  }
  [[nodiscard]] double earliest(double time_s) override {
    std::vector<double> negated = {-time_s};
    max(negated);
    return -negated[0];
  }
  void max(std::span<double> values) override {
    {
      const std::lock_guard lock(team_.mutex);
      team_.values.resize(values.size(), -std::numeric_limits<double>::infinity());
      for (std::size_t i = 0; i < values.size(); ++i) team_.values[i] = std::max(team_.values[i], values[i]);
    }
    team_.meet.arrive_and_wait();
    std::copy(team_.values.begin(), team_.values.end(), values.begin());
    team_.meet.arrive_and_wait();
    if (rank_ == 0) team_.values.clear();
    team_.meet.arrive_and_wait();
  }
  [[nodiscard]] std::vector<std::string> collect(std::string bytes) override {
    team_.bytes[static_cast<std::size_t>(rank_)] = std::move(bytes);
    team_.meet.arrive_and_wait();
    return rank_ == 0 ? team_.bytes : std::vector<std::string>();
  }
  void tick() override {}

 private:
  ThreadTeam& team_;
  int rank_;
};

/// Calls `work` once a rank, each in a thread of its own.
inline void on_team(int ranks, const std::function<void(Exchange&)>& work) {
  ThreadTeam team(ranks);
  std::vector<std::jthread> threads;
  for (int r = 0; r < ranks; ++r) {
    threads.emplace_back([&, r] {
      ThreadExchange exchange(team, r);
      work(exchange);
    });
  }
}

}  // namespace palstudy
