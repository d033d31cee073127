// SPDX-License-Identifier: MIT
#pragma once

#include "parallel/mpi.hpp"
#include "sim/state/exchange.hpp"

namespace palstudy {

/// Collective: prints, on rank 0 and to standard output, what every rank told its team, a line a rank, measured. A
/// boundary is one gather of all partitions' summaries.
void explain_comm(Mpi& mpi, const ExchangeCounts& counts);

}  // namespace palstudy
