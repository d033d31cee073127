// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <vector>

#include "archive/cluster_record.hpp"
#include "archive/provenance.hpp"
#include "record/record_source.hpp"
#include "variability/sources/cluster_sources.hpp"

namespace palstudy {

class Helpers;

/// Writes `path`: `path.part`, fsync, rename. Byte for byte the same for the same records and provenance, however they
/// came to lie where they do. Each is asked for twice, and in memory is one, a chunk of each column, and about a
/// hundred bytes of every run. hdf5-schemas/archive.md says what is where. Errors (data): a full disk, an unwritable
/// directory, no record; nothing is left behind. `helpers` (who do `do_filter_work`) share the packing of chunks, which
/// is most of the work, and change nothing of the file.
void write_archive(const std::filesystem::path& path, RecordSource& records, const std::vector<ClusterRecord>& clusters,
                   const Provenance& provenance, const std::vector<const Measurements*>& profile = {},
                   Helpers* helpers = nullptr);
/// The same of records in memory, in any order.
void write_archive(const std::filesystem::path& path, const std::vector<RunRecord>& records,
                   const std::vector<ClusterRecord>& clusters, const Provenance& provenance,
                   const std::vector<const Measurements*>& profile = {});

}  // namespace palstudy
