// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "parallel/mpi.hpp"

namespace palstudy {

/// Runs a command on all ranks and gives its exit code. What all ranks know of (an AgreedError) rank 0 tells, and all
/// leave with its code; what one rank alone knows of ends all of them at once, for the others must not wait for it.
/// Without a launcher errors pass.
[[nodiscard]] int on_every_rank(Mpi& mpi, const std::function<int()>& command);

}  // namespace palstudy
