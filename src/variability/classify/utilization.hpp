// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/note.hpp"
#include "core/numbers.hpp"
#include "variability/profile/profile.hpp"
#include "variability/profile/profile_coverage.hpp"

namespace palstudy {

/// The two axes of PAL's classifier (Jain et al., SC'24, section III): how far a kernel uses the memory's bandwidth and
/// the busiest of the pipes that compute, as shares of what the same GPU gave the ceiling kernels in the same session,
/// both over elapsed time (the paper divides the second by active cycles). Medians over sessions, then over GPUs. NaN:
/// cannot be told.
struct KernelUse {
  std::string label;         ///< the kernel's name; with its parameters where the profile has several sizes of it
  std::size_t kernel = 0;    ///< place in Profile::kernels
  std::size_t gpus = 0;      ///< that have times
  double time_s = nan;       ///< of a launch
  double u_dram = nan;       ///< were every re-use to hit a cache
  double u_dram_most = nan;  ///< were every gather to miss; over 1 some must hit
  double u_fu = nan;
  double spread = nan;                  ///< robust SD of log time between the GPUs
  std::optional<TooLittle> too_little;  ///< so little was measured of it that it stands for no class
  /// What its unknown shares lack: "bytes", "triad", "triad-in-session", "operations", "fma-peak", and of a profiler's
  /// file "u_dram" and "u_fu".
  std::vector<std::string> missing;
  bool imported = false;        ///< the shares are what a profiler counted
  bool no_application = false;  ///< a ceiling, or what moves data between GPUs
  std::vector<Note> notes;      ///< "ceilings"
};

/// The use that each kernel of a profile makes of its GPUs, by label. A share that a profiler counted
/// (Profile::utilization, an application of the kernel's name) goes before one that follows from operations and bytes.
/// The ceiling of bandwidth is `triad`, that of a pipe the `fma-peak` of that pipe; a pipe that has none takes the best
/// rate of any kernel of that pipe, and that is noted. Repeats with a wrong result are left out.
[[nodiscard]] std::vector<KernelUse> kernel_uses(const Profile& profile);

}  // namespace palstudy
