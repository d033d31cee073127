// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "parallel/mpi.hpp"
#include "study/study.hpp"

namespace palstudy {

/// The files that read_study opens for a study or bundle.
[[nodiscard]] std::vector<std::filesystem::path> study_files(const std::filesystem::path& study);

/// The files that the runs of a study may open: those that it names, and of the program's data the tables and, for
/// clusters that are drawn, the measurements.
[[nodiscard]] std::vector<std::filesystem::path> input_paths(const Study& study);

/// Collective. Rank 0 opens each of the files, which it alone lists, once and all ranks get a copy
/// (core/file_copies.hpp), so that a file system does not serve one file to every rank. What rank 0 cannot read, or
/// what has 2 GiB and more, each rank opens itself.
void share_files(Mpi& mpi, const std::function<std::vector<std::filesystem::path>()>& files);

}  // namespace palstudy
