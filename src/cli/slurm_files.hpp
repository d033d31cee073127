// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

#include "words/slurm_files.hpp"

namespace palstudy {

/// Errors (usage): a file of the names of slurm_files is there, whether or not this advice makes it, since an old one
/// beside new ones would pass for advice; or the folder cannot be one.
void require_new_slurm_files(const std::filesystem::path& folder);

/// Writes the files of slurm_files into a folder, which it makes: all of them, scripts executable, or none. What it
/// returns is their paths. Errors: those of require_new_slurm_files and slurm_files; (data): they cannot be written.
std::vector<std::filesystem::path> write_slurm_files(const SlurmAdvice& advice, const std::filesystem::path& folder);

}  // namespace palstudy
