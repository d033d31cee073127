// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "hdf5/hdf5.hpp"

namespace palstudy {

/// Writes the root attributes that say how a file came to be, whatever kind of file.
void write_origin(hdf5::File& file, const Provenance& from);
/// Their names. Whoever checks a file asks for each: HDF5 1.10 crashes when it lists the attributes of a heap that is
/// damaged.
[[nodiscard]] const std::vector<std::string>& origin_attributes();

/// The same and the study: its name, title and comparison, and its resolved text as /study/resolved.
void write_provenance(hdf5::File& file, const Provenance& from);

/// Provenance::renamed_ids as two datasets; nothing if there are none.
void write_renamed_ids(hdf5::File& file, const std::map<std::string, std::string>& ids);
inline constexpr const char* renamed_from_path = "/study/resolved_id";
inline constexpr const char* renamed_to_path = "/study/archived_id";

}  // namespace palstudy
