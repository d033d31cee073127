// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "variability/profile/profile.hpp"

namespace palstudy {

/// The same profile with its tables in the order that profile.hpp says, and indices that follow. What is measured on
/// many ranks, or in many jobs, becomes one sequence of bytes so, whatever order it came in.
[[nodiscard]] Profile in_order(Profile profile);

/// What everybody who reads a profile relies on: indices are places in their tables, keys (UUID of a GPU, id of a
/// session, name and parameters of a kernel, the four numbers of a repeat, application) are there once, sensors have as
/// many samples as times, repeats have batches, and all times of batches are positive. `where` is the file.
/// Errors (data, at where:/table, row): the first thing that is not so.
void check_profile(const Profile& profile, const std::string& where);

}  // namespace palstudy
