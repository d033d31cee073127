// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/note.hpp"
#include "variability/profile/profile.hpp"
#include "variability/sources/measurements.hpp"

namespace palstudy {

/// The bit of ProfileRepeat::flags that says that the result was wrong: such a repeat is used for nothing.
inline constexpr std::uint32_t wrong_result = 32;

/// With fewer GPUs, or fewer sessions, what was measured says little of a machine: neither how far its GPUs differ, nor
/// whether one that was slow is slow again.
inline constexpr std::size_t least_profile_gpus = 8, least_profile_sessions = 2;

/// How often the GPUs of a node were measured.
struct NodeCoverage {
  std::string host;
  std::size_t gpus = 0;
  std::vector<std::size_t> gpus_in_session;  ///< by session: how many of them have a repeat in it
};
/// A GPU with fewer sessions than the GPU that has most; imports have no sessions.
struct GpuShortfall {
  std::string uuid, host;
  int local = -1;
  std::size_t sessions = 0;
};
struct ProfileCoverage {
  std::vector<NodeCoverage> nodes;       ///< by host
  std::size_t most_sessions = 0;         ///< of a GPU
  std::vector<GpuShortfall> shortfalls;  ///< by place in the profile
};
/// Which nodes were measured in which sessions.
[[nodiscard]] ProfileCoverage coverage(const Profile& profile);

/// On how much a kernel was measured.
struct TooLittle {
  std::size_t gpus = 0, sessions = 0;
  friend bool operator==(const TooLittle&, const TooLittle&) = default;
};
/// What there is of a kernel (by the name that measurements_of gives it) if it is too little to draw clusters by
/// `block` from: fewer than 8 GPUs or 2 sessions. None where it is enough, and for what was imported: that names no
/// sessions, so there is nothing to count, and its reliability says whether its runs repeat.
[[nodiscard]] std::optional<TooLittle> too_little(const Profile& profile, const Measurements& measured);

/// Notes about the origin of a profile, which is called `name`: times of CPU cores ("cpu-times"), GPUs slowed on
/// purpose
/// ("made-up"), a single GPU ("one-gpu"), repeats left out because their result was wrong ("wrong-results").
[[nodiscard]] std::vector<Note> profile_notes(const Profile& profile, const std::string& name);

}  // namespace palstudy
