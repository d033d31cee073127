// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>

#include "parallel/mpi.hpp"

namespace palstudy {

/// The steps around an output that grows in a folder of shards, for a campaign and for a measurement.

/// Makes the folder of `output` and calls `open`, which takes the lock and writes the description. After an error it
/// calls `tidy`, which removes what `open` made, and throws. Errors: those of `open`; (data, naming the output): those
/// of the file system.
void open_output(const std::filesystem::path& output, const std::function<void()>& open,
                 const std::function<void()>& tidy);

/// Collective. Calls `work` on every rank; after an error it calls `tidy` on rank 0 and throws the error again. An
/// error has been agreed on, so that all ranks get here alike.
void work_or_tidy(const Mpi& mpi, const std::function<void()>& work, const std::function<void()>& tidy);

}  // namespace palstudy
