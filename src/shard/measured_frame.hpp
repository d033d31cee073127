// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "shard/frame_format.hpp"
#include "variability/profile/profile.hpp"

namespace palstudy {

/// A measured repeat on its way into a shard. It names its GPU and kernel, so that any frame can be
/// understood without another; the indices in `repeat` mean nothing here.
struct MeasuredRepeat {
  ProfileGpu gpu;
  ProfileKernel kernel;
  ProfileRepeat repeat;
  std::string remarks;  ///< on the device, a line each
};

/// What frames hold, in the order in which they were written.
struct Measured {
  std::vector<MeasuredRepeat> repeats;
  std::vector<ProfileTransfer> transfers;  ///< `session` means nothing here
};

/// The kind of frame that holds a measured repeat, or the transfers of a session.
[[nodiscard]] const FrameKind& measured_frames();
/// One frame (shard/frame_format.hpp); its id is a hash of GPU, kernel, parameters and repeat.
[[nodiscard]] std::vector<std::byte> encode_measured(const MeasuredRepeat& repeat);
/// All transfers in one frame: they are measured together.
[[nodiscard]] std::vector<std::byte> encode_measured(const std::vector<ProfileTransfer>& transfers);

/// All intact frames of all shards; of one repeat of one GPU and kernel the first is kept, of the transfers the last
/// frame. `problems` gains a sentence for each shard that does not hold to its end. Errors (data): a shard that cannot
/// be read.
[[nodiscard]] Measured read_measured(const std::filesystem::path& parts, std::vector<std::string>& problems);

}  // namespace palstudy
