// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace palstudy {

/// What a kernel chooses its form by.
struct DeviceLimits {
  int capability = 0;  ///< ten times the compute capability: 75, 86
  std::size_t shared_bytes =
      0;  ///< of shared memory that a block can be given (cudaDevAttrMaxSharedMemoryPerBlockOptin)
};

}  // namespace palstudy
