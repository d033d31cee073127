// SPDX-License-Identifier: MIT
#pragma once

#include "variability/profile/profile.hpp"

namespace palstudy {

/// Whether two rows say the same; what neither knows (NaN) is the same.
[[nodiscard]] bool same(const ProfileGpu& a, const ProfileGpu& b);
[[nodiscard]] bool same(const ProfileKernel& a, const ProfileKernel& b);
[[nodiscard]] bool same(const ProfileUtilization& a, const ProfileUtilization& b);
/// Start, end and remarks left out.
[[nodiscard]] bool same_but_times(const ProfileSession& a, const ProfileSession& b);
/// What they measured, whatever the places of GPU, session and kernel in their profiles.
[[nodiscard]] bool same_but_indices(const ProfileRepeat& a, const ProfileRepeat& b);
[[nodiscard]] bool same_but_indices(const ProfileTransfer& a, const ProfileTransfer& b);

}  // namespace palstudy
