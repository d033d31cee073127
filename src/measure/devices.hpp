// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "kernels/runner.hpp"
#include "measure/injected_slowdown.hpp"
#include "measure/options.hpp"
#include "variability/profile/profile.hpp"

namespace palstudy {

/// The GPU of a rank: its place on the host modulo the GPUs that it sees. With one GPU for each task (srun
/// --gpus-per-task=1) each rank sees one, as number 0; with all of the node's (--gpu-bind=none) each takes its own.
[[nodiscard]] int choose_device(int local, int visible);

/// Where a rank is, or poses as being: `--hosts-of N` makes hosts of N ranks each, in the order of the ranks.
[[nodiscard]] RankPlace rank_place(int rank, int rank_on_host, const std::string& host, int hosts_of);

/// The device that a rank measures, as found before the measurement.
struct MeasuredDevice {
  Backend backend = Backend::host;
  int device = 0, visible = 0;
  ProfileGpu gpu;
  std::string driver, runtime;
  std::string remarks;  ///< a line each
  bool in_use = false;  ///< by another process
};
/// CUDA if not said otherwise and this process sees a GPU. Errors (usage): no GPU to be seen, a GPU cut into instances
/// (MIG) without `allow_mig`.
[[nodiscard]] MeasuredDevice find_device(const MeasureOptions& options, const RankPlace& place);

/// The cabinet in a host's name; "" for an empty expression or one that it does not match.
/// Errors (usage): no regular expression.
[[nodiscard]] std::string cabinet_of(const std::string& host, const std::string& regex);

/// `uuids` and `places` by rank. Errors (usage): two ranks have one device; says which and what to do.
void require_distinct(const std::vector<std::string>& uuids, const std::vector<RankPlace>& places);

/// The share of a core that the calling thread gets just now, over 0 to 1, by working for `cpu_s` seconds of its own,
/// or for `most_s` seconds that pass. Ranks that call it together learn what other ranks, other programs, a binding to
/// cores and the limits of a container leave each of them, which the number of cores does not show.
[[nodiscard]] double core_share(double cpu_s, double most_s);

}  // namespace palstudy
