// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>

#include "inputs/input_files.hpp"
#include "policy/start_rules.hpp"
#include "study/run_plan.hpp"

namespace palstudy {

/// What jobs wait for beside GPUs, from the columns `after` and `array` of a trace: backfill `slurm` reads them.
class StartInputs {
 public:
  explicit StartInputs(InputFiles& files) : files_(files) {}

  /// Null in runs where no job waits for others. Errors (data): jobs that are drawn again or copied, or go to several
  /// partitions, would wait for none.
  const StartRules* of(const RunPlan& run, const Workload& workload);

 private:
  InputFiles& files_;
  std::map<std::string, std::unique_ptr<StartRules>> rules_;
};

}  // namespace palstudy
