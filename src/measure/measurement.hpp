// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/runner.hpp"
#include "measure/options.hpp"
#include "parallel/mpi.hpp"

namespace palstudy {

/// Collective: `palstudy measure`. Every rank measures one GPU (or core), repeat by repeat, and appends each finished
/// repeat to a shard of its own in `FILE.h5.parts`; rank 0 writes the profile from the shards at the end. Started again
/// with the same options it goes on: what a GPU, known by its UUID, has finished is not measured again. Returns the
/// exit code: 0, or 1 if a kernel failed on some GPU. A kernel that cannot run on a GPU, or fails there, is left out on
/// that GPU, which the log and the session's remarks say. All ranks throw the same AgreedError. Errors: usage (no GPU,
/// two ranks with one GPU, an existing output, another unfinished measurement), data (a full disk, a file of injected
/// slowdowns), what kept every kernel from running where none could be measured, stopped (a signal or the time limit;
/// repeating the command goes on).
int measure_campaign(const MeasureOptions& options, Mpi& mpi, const MakeRunner& make = make_runner);

}  // namespace palstudy
