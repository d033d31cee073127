// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>

#include "archive/archive.hpp"
#include "parallel/helpers.hpp"
#include "study/looks.hpp"
#include "study/old_archive.hpp"
#include "study/study.hpp"

namespace palstudy {

/// Writes the archive of a study from its shards, and from the archive that it grows from, if there is one; both may
/// hold runs beyond it, of more seeds. Torn tails of killed processes become notes. Errors (data): a run that neither
/// holds, a full disk. Both stay. `helpers` share the work, as of `write_archive`.
void write_from_shards(const Study& study, Inputs& inputs, Provenance provenance, const std::filesystem::path& parts,
                       const std::optional<OldArchive>& old, const std::filesystem::path& output, Helpers& helpers);

/// The same of a study with a stopping rule, as it ends at the look of `state`.
void write_at_look(const Study& study, const LookState& state, Inputs& inputs, Provenance provenance,
                   const std::filesystem::path& parts, const std::optional<OldArchive>& old,
                   const std::filesystem::path& output, Helpers& helpers);

/// Removes the shards and what stands beside them, once an archive holds every run of the study; the lock and the
/// folder are PartsLock's.
void remove_shards(const std::filesystem::path& parts);

}  // namespace palstudy
