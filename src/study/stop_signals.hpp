// SPDX-License-Identifier: MIT
#pragma once

namespace palstudy {

/// While it lives, SIGTERM, SIGINT and SIGUSR1 (as Slurm sends before the time limit) only set a flag; a second SIGINT
/// or SIGTERM ends the process as usual.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  [[nodiscard]] bool raised() const;
};

}  // namespace palstudy
