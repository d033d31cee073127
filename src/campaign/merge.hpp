// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "archive/provenance.hpp"
#include "archive/write_archive.hpp"
#include "campaign/existing_archive.hpp"
#include "campaign/interim_analysis.hpp"
#include "core/stop_signals.hpp"
#include "inputs/inputs.hpp"
#include "study/study.hpp"

namespace palstudy {

/// What an archive is written from, and where to. All of it must outlive the writing.
struct ArchiveWriting {
  const std::filesystem::path& parts;              ///< the folder of the shards
  const std::optional<ExistingArchive>& existing;  ///< the archive that the study grows from
  const std::filesystem::path& output;
  const StopSignals& signals;
};

/// The command that writes the archive of these shards: one that the campaign may replace needs --force.
[[nodiscard]] std::string merge_command(const std::filesystem::path& parts);

/// Writes the archive of a study from its shards, and from the archive that it grows from, if there is one; both may
/// hold runs beyond it, of more seeds. With a stopping rule `look` is where the study ends. Torn tails of killed
/// processes become notes. Errors: data (a full disk), stopped (a run that neither holds; SIGTERM or SIGINT). Both
/// stay.
void write_from_shards(const Study& whole, const std::optional<LookState>& look, Inputs& inputs, Provenance provenance,
                       const ArchiveWriting& writing);

/// Removes the shards and what stands beside them, once an archive holds every run of the study; the lock and the
/// folder are CampaignLock's. What no campaign made stays, links included, and is warned of.
void remove_shards(const std::filesystem::path& parts);

/// Says of the first run of an archive that failed why it did.
void tell_first_failed(const std::filesystem::path& archive);

}  // namespace palstudy
