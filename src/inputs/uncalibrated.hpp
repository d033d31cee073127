// SPDX-License-Identifier: MIT
#pragma once

namespace palstudy {

/// Notes of a study that begin so name the job models whose shares of communication are assumptions (`calibrated =
/// false`). The archive keeps them, and `compare` repeats them beside its gains.
inline constexpr const char* uncalibrated_note = "uncalibrated: ";

}  // namespace palstudy
