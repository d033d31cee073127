// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

#include "archive/cluster_file.hpp"
#include "archive/provenance.hpp"
#include "record/record.hpp"
#include "variability/sources/measurements.hpp"

namespace palstudy {

/// Writes `path`: `path.part`, fsync, rename. Byte for byte the same for the same records and provenance, whichever
/// processes made them. Each record is read twice; one, a chunk of each column and about a hundred bytes of every run
/// are in memory. hdf5-schemas/archive.md describes the file. Errors (data): a full disk, an unwritable
/// directory, no record; nothing is left behind.
void write_archive(const std::filesystem::path& path, RecordSource& records, const std::vector<ClusterRecord>& clusters,
                   const Provenance& provenance, const std::vector<const Measurements*>& profile = {});

}  // namespace palstudy
