// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "measure/devices.hpp"
#include "measure/injected_slowdown.hpp"
#include "measure/options.hpp"
#include "parallel/mpi.hpp"

namespace palstudy {

/// Devices, kernels and protocol of all ranks, agreed on before anything is written.
struct MeasurementSetup {
  MeasuredDevice device;          ///< of this rank
  RankPlace place;                ///< of this rank
  std::vector<RankPlace> places;  ///< of all
  std::vector<std::string> uuids;
  std::vector<unsigned> processes;  ///< of the ranks on this host
  std::vector<ChosenKernel> kernels;
  Protocol protocol;
  InjectedSlowdown injected_slowdown;
  int ranks_on_host = 1;          ///< of this one, in truth
  int max_ranks_on_host = 1;      ///< the most ranks that a host has
  double core_share = 1;          ///< the least share of a core that a rank gets; 1 for GPUs
  std::vector<std::string> what;  ///< is measured and how: SessionFile::what
};

/// Collective. Errors (agreed): usage, data, as measure_campaign.
[[nodiscard]] MeasurementSetup collect_setup(const MeasureOptions& options, Mpi& mpi);

/// Seconds that the measurement takes, at most: on GPUs without other processes, on cores as busy as they are now;
/// those that repeats done again may add; and those of one repeat, between which it can be stopped.
struct TimeNeeded {
  double measuring_s = 0, reruns_s = 0, repeat_s = 0;
};
[[nodiscard]] TimeNeeded time_needed(const MeasurementSetup& setup, const MeasureOptions& options);

/// The line logged at the start: devices, kernels, expected time.
[[nodiscard]] std::string setup_text(const MeasurementSetup& setup, const MeasureOptions& options);

}  // namespace palstudy
