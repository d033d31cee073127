// SPDX-License-Identifier: MIT
#include "kernels/host_runner.hpp"

#include <chrono>

namespace palstudy {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

}  // namespace

HostRunner::HostRunner(std::unique_ptr<Problem> problem, const RunnerOptions& options)
    : problem_(std::move(problem)), arrays_(problem_->arrays()), slow_by_(options.slow_by) {
  problem_->fill(arrays_, options.seed);
}

std::vector<double> HostRunner::batches(std::size_t count, std::size_t launches) {
  std::vector<double> seconds;
  for (std::size_t i = 0; i < count; ++i) {
    const auto begin = Clock::now();
    for (std::size_t j = 0; j < launches; ++j) problem_->compute(arrays_);
    const double worked = seconds_since(begin);
    // A planted slowness: within the batch, in proportion to its work.
    while (seconds_since(begin) < worked * slow_by_) continue;
    seconds.push_back(seconds_since(begin));
  }
  return seconds;
}

Verdict HostRunner::check() {
  arrays_.poison_outputs();
  problem_->compute(arrays_);
  return problem_->check(arrays_);
}

}  // namespace palstudy
