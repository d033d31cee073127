// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/protocol.hpp"
#include "shard/measured_frame.hpp"
#include "variability/profile/profile.hpp"

namespace palstudy {

/// A profile of what one session measured, the repeats that are off the others of their GPU and kernel flagged as
/// `unstable`, and those in which another process had a share of the GPU as `contended`. Of a GPU that was described
/// twice the first description stands.
[[nodiscard]] Profile build_profile(const Measured& measured, const ProfileSession& session, const Protocol& protocol);

}  // namespace palstudy
