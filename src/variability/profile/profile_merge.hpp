// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/note.hpp"
#include "variability/profile/profile.hpp"

namespace palstudy {

/// A profile and what to call it in messages.
struct NamedProfile {
  std::string file;
  Profile profile;
};

struct MergedProfile {
  Profile profile;          ///< in_order
  std::vector<Note> notes;  ///< "changed-gpu": e.g. of one that moved to another node, by UUID
};

/// Profiles of many jobs and days as one: GPUs by UUID, sessions by id, kernels by name and parameters. What is there
/// twice is kept once. Of a session the earliest start, the latest end and the longest remarks stand (a measurement
/// that was continued ends later); of a GPU that changed, what its last session says, by id; "imported" wins over
/// "bundled-kernels". The result does not depend on the order of the profiles, nor on which of them were merged before.
/// Errors (data, naming both files): the same session, kernel, or repeat of a GPU with other content.
[[nodiscard]] MergedProfile merge_profiles(const std::vector<NamedProfile>& profiles);

}  // namespace palstudy
