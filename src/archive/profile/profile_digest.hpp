// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "variability/profile/profile.hpp"

namespace palstudy {

/// Hex digest of the content, provenance and what follows from other columns left out: hdf5-schemas/digest.md. That of
/// `in_order` of a profile is that of its file.
[[nodiscard]] std::string profile_digest(const Profile& profile);

}  // namespace palstudy
