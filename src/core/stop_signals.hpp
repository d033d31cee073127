// SPDX-License-Identifier: MIT
#pragma once

namespace palstudy {

/// While it lives, SIGTERM, SIGINT and SIGUSR1 (as Slurm sends before the time limit) only set a flag; a second SIGINT
/// or SIGTERM ends the process as usual. SIGUSR2 requests checkpoints and nothing else. mpirun hands both USR1 and
/// USR2 on to its ranks. Afterwards USR1 and USR2 are ignored: a notice that the time is nearly up must not kill a
/// program that has done its work.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  [[nodiscard]] bool raised() const;
  /// SIGTERM or SIGINT came, after which the end is near; SIGUSR1 leaves time to finish what is short.
  [[nodiscard]] bool ends_soon() const;
  /// The number of requests for a checkpoint.
  [[nodiscard]] int saves() const;
};

}  // namespace palstudy
