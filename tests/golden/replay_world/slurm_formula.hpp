// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "policy/fair_share.hpp"
#include "policy/slurm_priority.hpp"
#include "slurm_recording.hpp"

namespace palstudy::replay {

/// Priorities of a recorded run by the program's formula, with accounts and shares as sacctmgr was told, and ticks when
/// they were.
class SlurmFormula {
 public:
  SlurmFormula(const SlurmRecording& recording, const std::filesystem::path& folder);

  /// Of a job that waits.
  [[nodiscard]] std::int64_t at(const SlurmAttempt& job, Millis time) const;

 private:
  void read_accounts(const std::string& commands);
  void find_factors();

  const SlurmRecording& recording_;
  PriorityOptions options_;
  std::map<std::string, std::size_t> user_of_;
  std::vector<AccountUser> users_;
  std::vector<double> account_shares_;
  Millis last_ = 0;                                            // pass
  std::map<std::uint32_t, std::map<Millis, double>> factors_;  // fair share by job, from a time on
};

}  // namespace palstudy::replay
