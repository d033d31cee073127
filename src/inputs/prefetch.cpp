// SPDX-License-Identifier: MIT
#include "inputs/prefetch.hpp"

#include <chrono>
#include <exception>

#include "core/host.hpp"
#include "inputs/inputs.hpp"

namespace palstudy {

InputPrefetch::InputPrefetch(const Study& study, Inputs& inputs, std::size_t first, std::size_t step)
    : study_(study),
      inputs_(inputs),
      next_(first),
      step_(step),
      least_free_mib_(available_memory_mib().value_or(0) / 2) {}

void InputPrefetch::load_some() {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::milliseconds(20);
  do load_next();
  while (next_ < study_.runs.size() && Clock::now() < until);
}

void InputPrefetch::load_next() {
  if (next_ >= study_.runs.size()) return;
  const RunPlan& run = study_.runs[next_];
  next_ += step_;
  try {
    (void)inputs_.load(run);
    if (available_memory_mib().value_or(least_free_mib_) < least_free_mib_) next_ = study_.runs.size();
  } catch (const std::exception&) {
    next_ = study_.runs.size();
  }
}

}  // namespace palstudy
