// SPDX-License-Identifier: MIT
#include "campaign/campaign_info.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <span>

#include "archive/note_json.hpp"
#include "core/durable_file.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/host.hpp"
#include "inputs/inputs.hpp"
#include "parallel/mpi.hpp"
#include "study/bundle_manifest.hpp"
#include "study/toml_value.hpp"
#include "words/note_text.hpp"

namespace palstudy {
namespace {

using Json = nlohmann::ordered_json;  // the values of notes have an order

/// What an archive has of its study.
void describe(const Study& study, Provenance& to) {
  to.resolved_study = study.resolved;
  to.study_name = study.name;
  to.study_title = study.title;
  to.study_question = study.question;
  to.study_license = study.license;
  to.study_creator = study.creator;
  to.baselines = study.baselines;
  to.compare_metric = study.compare_metric;
  to.renamed_ids = study.bundled.renamed_ids;
}

}  // namespace

void write_text_file(const std::filesystem::path& path, const std::string& text) {
  // Slices write the same file side by side.
  const std::span<const std::byte> bytes = std::as_bytes(std::span(text));
  write_durably(path, fmt::format("{}.{}.new", path.string(), getpid()), std::span(&bytes, 1));
}

Provenance make_provenance(const Study& study, const Inputs& inputs, const std::string& command_line, int ranks) {
  Provenance result;
  result.command_line = command_line;
  result.start_utc = utc_now();
  result.host = host_name();
  result.ranks = ranks;
  result.mpi_version = mpi_library();
  result.input_sha256 = inputs.sha256();
  result.study_folder = std::filesystem::absolute(study.file).parent_path().lexically_normal().string();
  result.profile_origin = inputs.profile_origin();
  result.notes = worded(inputs.notes());
  describe(study, result);
  return result;
}

void save_campaign(const std::filesystem::path& parts, const Study& study, const Provenance& provenance,
                   bool replaces) {
  const Json json = {{"format", "palstudy-campaign-1"},
                     {"folder", std::filesystem::absolute(study.file).parent_path().string()},
                     {"file", study.file.filename().string()},
                     {"command_line", provenance.command_line},
                     {"start_utc", provenance.start_utc},
                     {"host", provenance.host},
                     {"ranks", provenance.ranks},
                     {"input_sha256", provenance.input_sha256},
                     {"profile_origin", provenance.profile_origin},
                     {"notes", provenance.notes},
                     {"replaces", replaces}};
  write_text_file(parts / "study.toml", study.resolved);
  write_text_file(parts / "campaign.json", json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

bool replaces_archive(const std::filesystem::path& parts) {
  std::ifstream file(parts / "campaign.json", std::ios::binary);
  const auto json = Json::parse(file, nullptr, false);
  if (!json.is_object() || !json.contains("replaces")) return false;
  return json.at("replaces").is_boolean() && json.at("replaces").get<bool>();
}

namespace {

/// What `use` takes from `campaign.json`.
template <class Use>
void read_campaign_json(const std::filesystem::path& parts, Use use) {
  const auto file = parts / "campaign.json";
  const auto json = Json::parse(read_text_file(file), nullptr, false);
  if (!json.is_object() || json.value("format", Json()) != "palstudy-campaign-1") {
    throw data_error("is not what palstudy run writes", file.string(), "run the study again with --resume");
  }
  try {
    use(json);
  } catch (const Json::exception& error) {
    throw data_error(error.what(), file.string(), "run the study again with --resume");
  }
}

/// The study that palstudy run has written beside the shards. Its user did not write it, so no error is named in it:
/// without the file a resumed campaign knows its shards by the ids of their runs, and writes it again.
Study read_saved_study(const std::filesystem::path& parts) {
  const auto file = parts / "study.toml";
  try {
    return read_study(file);
  } catch (const Error&) {
    throw data_error("is no study that this palstudy can read", file.string(),
                     "remove it and run the study again with --resume");
  }
}

}  // namespace

SavedInputs load_inputs(const std::filesystem::path& parts) {
  const auto study = parts / "study.toml";
  SavedInputs saved{read_text_file(study), {}};
  (void)parse_toml(saved.resolved_study, study.string());
  read_campaign_json(parts, [&](const Json& json) {
    saved.input_sha256 = json.at("input_sha256").get<std::map<std::string, std::string>>();
  });
  return saved;
}

SavedCampaign load_campaign(const std::filesystem::path& parts) {
  SavedCampaign saved;
  read_campaign_json(parts, [&](const Json& json) {
    saved.study = read_saved_study(parts);
    saved.study.file = std::filesystem::path(json.at("folder")) / json.at("file").get<std::string>();
    if (const auto bundle = bundle_beside(saved.study.file)) adopt_bundle(saved.study, *bundle);
    Provenance& to = saved.provenance;
    to.command_line = json.at("command_line");
    to.start_utc = json.at("start_utc");
    to.host = json.at("host");
    to.ranks = json.at("ranks");
    to.mpi_version = mpi_library();
    to.input_sha256 = json.at("input_sha256").get<std::map<std::string, std::string>>();
    to.profile_origin = json.at("profile_origin");
    for (const Json& one : json.at("notes")) to.notes.push_back(note_of(one, (parts / "campaign.json").string()));
  });
  saved.provenance.study_folder = saved.study.file.parent_path().string();
  describe(saved.study, saved.provenance);
  return saved;
}

}  // namespace palstudy
