// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/runner.hpp"

namespace palstudy {

/// Runs the CPU twin of a problem on the core of the caller.
class HostRunner : public Runner {
 public:
  HostRunner(std::unique_ptr<Problem> problem, const RunnerOptions& options);

  std::vector<double> batches(std::size_t count, std::size_t launches) override;
  [[nodiscard]] Verdict check() override;

 private:
  std::unique_ptr<Problem> problem_;
  Arrays arrays_;
  double slow_by_;
  HostClock clock_;
};

}  // namespace palstudy
