// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "archive/provenance.hpp"
#include "core/host.hpp"
#include "inputs/inputs.hpp"
#include "study/study.hpp"

namespace palstudy {

/// What the archive says of this campaign: study, inputs, notes, host, time of start.
[[nodiscard]] Provenance make_provenance(const Study& study, const Inputs& inputs, const std::string& command_line,
                                         int ranks);
/// Writes a small file of the folder of parts, durably, under a name of this process first. Errors (data): it cannot be
/// written.
void write_text_file(const std::filesystem::path& path, const std::string& text);

/// Writes beside the shards what a later merge needs, each file under a temporary name and renamed: `study.toml` (the
/// resolved study) and `campaign.json` (its folder and the provenance). `replaces`: an archive that is there is to be
/// replaced, not gone on with.
void save_campaign(const std::filesystem::path& parts, const Study& study, const Provenance& provenance, bool replaces);
/// The `replaces` of save_campaign; false if nothing was saved.
[[nodiscard]] bool replaces_archive(const std::filesystem::path& parts);
struct SavedInputs {
  std::string resolved_study;
  std::map<std::string, std::string> input_sha256;
};
/// Study and inputs as the campaign had them, without the work of making its runs. Errors (data, usage): missing, or
/// not ours.
[[nodiscard]] SavedInputs load_inputs(const std::filesystem::path& parts);
struct SavedCampaign {
  Study study;
  Provenance provenance;
};
/// Errors (data): missing, or not ours.
[[nodiscard]] SavedCampaign load_campaign(const std::filesystem::path& parts);

}  // namespace palstudy
