// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

namespace palstudy {

/// Checks the output of a command that writes HDF5 files of the schema `schema`, such as "palstudy-archive". With
/// `force` it may take the place of a file of the same schema, or of an empty one, and of nothing else: a name may be
/// mistyped, and what a trace or a profile was is not computed again. Errors (usage): those of require_new_output; a
/// file is there that is another, or cannot be read, or is among `inputs`, forced or not.
void require_new_hdf5(const std::filesystem::path& path, bool force, const char* schema,
                      const std::vector<std::filesystem::path>& inputs = {});

}  // namespace palstudy
