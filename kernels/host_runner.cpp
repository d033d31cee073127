// SPDX-License-Identifier: MIT
#include "kernels/host_runner.hpp"

#include <time.h>  // NOLINT: clock_gettime is POSIX

#include <chrono>

namespace palstudy {
namespace {

double now_s(HostClock clock) {
  if (clock == HostClock::wall) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace

HostRunner::HostRunner(std::unique_ptr<Problem> problem, const RunnerOptions& options)
    : problem_(std::move(problem)),
      arrays_(problem_->arrays()),
      slow_by_(options.injected_factor),
      clock_(options.clock) {
  problem_->fill(arrays_, options.seed);
}

std::vector<double> HostRunner::batches(std::size_t count, std::size_t launches) {
  std::vector<double> seconds;
  for (std::size_t i = 0; i < count; ++i) {
    const double begin = now_s(clock_);
    for (std::size_t j = 0; j < launches; ++j) problem_->compute(arrays_);
    const double worked = now_s(clock_) - begin;
    double passed = worked;
    // An injected slowdown: within the batch, in proportion to its work.
    while (passed < worked * slow_by_) passed = now_s(clock_) - begin;
    seconds.push_back(passed);
  }
  return seconds;
}

Verdict HostRunner::check() {
  arrays_.poison_outputs();
  problem_->compute(arrays_);
  return problem_->check(arrays_);
}

}  // namespace palstudy
