// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/note.hpp"
#include "variability/profile/profile.hpp"
#include "variability/sources/measurements.hpp"

namespace palstudy {

/// The screen of `palstudy profile show`: how far GPUs differ and whether a slow one stays slow, a row a kernel; then
/// the slowest GPUs of the kernel that differs most, and of the one of those that stay slow. `name`: as it was given.
[[nodiscard]] std::string profile_text(const std::vector<Measurements>& profile, const std::vector<Note>& notes,
                                       const std::string& name, std::size_t columns);

/// The screen of `palstudy profile import`: what was read, and a row a kernel.
[[nodiscard]] std::string import_text(const Profile& profile, const std::string& file, std::size_t columns);

/// The screen of `palstudy profile reliability`: a row a kernel, with the figures that say whether a slow GPU stays
/// slow.
[[nodiscard]] std::string reliability_text(const std::vector<Measurements>& profile, const std::string& name,
                                           std::size_t columns);

/// The screen of `palstudy measure`: a row a kernel, with what its repeats are flagged for.
[[nodiscard]] std::string repeats_text(const Profile& profile, const std::string& file, std::size_t columns);

}  // namespace palstudy
