// SPDX-License-Identifier: MIT
#pragma once

namespace palstudy {

/// Seconds of a processor that the calling thread has had so far.
[[nodiscard]] double processor_s();

}  // namespace palstudy
