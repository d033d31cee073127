// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <string>

#include "inputs/input_files.hpp"
#include "policy/fair_share.hpp"
#include "study/run_plan.hpp"

namespace palstudy {

/// The accounts of a study's runs, from a CSV with the columns account, user and shares: `slurm.accounts`. A row
/// without a user has the shares of the account, which has one where no such row is. A user's first account is that of
/// jobs that name none.
class ShareInputs {
 public:
  explicit ShareInputs(InputFiles& files) : files_(files) {}

  /// Null in runs without accounts. Errors (data, file:line:column): a row given twice; (data): a job of no such user.
  const ShareTree* of(const RunPlan& run, const Workload& workload);

 private:
  InputFiles& files_;
  std::map<std::string, std::unique_ptr<ShareTree>> trees_;
};

}  // namespace palstudy
