// SPDX-License-Identifier: MIT
#pragma once

#include <functional>

#include "parallel/mpi.hpp"

namespace palstudy {

/// Runs a command on all ranks and gives its exit code. Rank 0 prints an error that all ranks agreed on (AgreedError),
/// and all return its code; an error of one rank alone aborts all ranks, since the others would wait for it. Without a
/// launcher errors pass through.
[[nodiscard]] int on_every_rank(Mpi& mpi, const std::function<int()>& command);

}  // namespace palstudy
