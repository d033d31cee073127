// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "archive/archive.hpp"
#include "study/looks.hpp"
#include "study/study.hpp"

namespace palstudy {

/// Writes the archive of a study from its shards, which may hold runs beyond it, of more seeds. Torn tails of killed
/// processes become notes. Errors (data): a run that no shard holds, a full disk. The shards stay.
void write_from_shards(const Study& study, Inputs& inputs, Provenance provenance, const std::filesystem::path& parts,
                       const std::filesystem::path& output);

/// The same of a study with a stopping rule, as it ends at the look of `state`.
void write_at_look(const Study& study, const LookState& state, Inputs& inputs, Provenance provenance,
                   const std::filesystem::path& parts, const std::filesystem::path& output);

/// Removes the shards and what stands beside them; the lock and the folder are PartsLock's.
void remove_shards(const std::filesystem::path& parts);

}  // namespace palstudy
