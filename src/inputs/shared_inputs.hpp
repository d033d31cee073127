// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <vector>

#include "inputs/inputs.hpp"
#include "parallel/mpi.hpp"
#include "study/study.hpp"

namespace palstudy {

/// The files that read_study opens for a study or bundle.
[[nodiscard]] std::vector<std::filesystem::path> study_files(const std::filesystem::path& study);

/// The files that the runs of a study may open: those that it names, and of the program's data the tables and, for
/// clusters that are drawn, the measurements.
[[nodiscard]] std::vector<std::filesystem::path> input_paths(const Study& study);

/// Collective. Rank 0 opens each of the files, which it alone lists, once and all ranks get a copy
/// (core/file_bytes.hpp), so that a file system does not serve one file to every rank. What rank 0 cannot read, or
/// what has 2 GiB and more, each rank opens itself.
void share_files(Mpi& mpi, const std::function<std::vector<std::filesystem::path>()>& files);

/// Loads inputs on the other ranks while rank 0 checks a study: those of every `step`-th run from `first` on. With the
/// number of teams as the step this is about the share of runs that each team will get; inputs that are missing later
/// are loaded then.
class InputPrefetch {
 public:
  /// `study` and `inputs` must outlive it.
  InputPrefetch(const Study& study, Inputs& inputs, std::size_t first, std::size_t step);
  /// Loads for some hundredths of a second, or the inputs of one run. Stops for good once inputs cannot be made (rank 0
  /// reports why), or half of the memory that was free at first is in use.
  void load_some();

 private:
  void load_next();

  const Study& study_;
  Inputs& inputs_;
  std::size_t next_, step_;
  double least_free_mib_;  // of memory
};

}  // namespace palstudy
