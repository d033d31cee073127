// SPDX-License-Identifier: MIT
#include "study/merge.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <set>

#include "archive/parts_lock.hpp"
#include "archive/shard.hpp"
#include "archive/shard_index.hpp"
#include "core/error.hpp"
#include "study/campaign.hpp"
#include "study/campaign_info.hpp"
#include "study/clusters.hpp"
#include "study/host_job_file.hpp"
#include "study/ledger.hpp"

namespace palstudy {
namespace {

void check_complete(const Study& study, const std::vector<ShardRun>& runs, const std::filesystem::path& parts) {
  std::set<std::int64_t> held;
  for (const ShardRun& run : runs) held.insert(run.run);
  for (const RunPlan& run : study.runs) {
    if (held.contains(run.number)) continue;
    throw data_error(
        fmt::format("no shard holds run {}; {} of {} runs are there", run.number, held.size(), study.runs.size()),
        parts.string(), "palstudy run --resume, with all slices, makes the others");
  }
}

}  // namespace

void write_from_shards(const Study& study, Inputs& inputs, Provenance provenance, const std::filesystem::path& parts,
                       const std::filesystem::path& output) {
  ShardRecords records(index_shards(parts));
  check_complete(study, records.index().runs, parts);
  for (const auto& problem : records.index().problems) spdlog::warn("{}", problem);
  provenance.end_utc = utc_now();
  provenance.jobs = read_host_jobs(parts);
  const auto clusters = archived_clusters(study, inputs);  // draws them, if need be; then the measurements are there
  write_archive(output, records, clusters, provenance, inputs.measurements());
}

void remove_shards(const std::filesystem::path& parts) {
  std::error_code ignored;  // left-over shards beside an archive are a legal state
  for (const auto& entry : std::filesystem::directory_iterator(parts, ignored)) {
    const auto name = entry.path().filename().string();
    if (name != "lock") std::filesystem::remove_all(entry.path(), ignored);
  }
}

void merge_campaign(const std::filesystem::path& output, bool force, const std::string& command_line) {
  const auto parts = parts_dir(output);
  if (!has_shards(parts)) throw data_error("there are no shards to merge", parts.string(), "palstudy run makes them");
  if (std::filesystem::exists(output) && !force)
    throw usage_error("exists already", output.string(), "--force replaces it");
  auto lock = PartsLock::begin(parts);
  SavedCampaign saved = load_campaign(parts);
  (void)read_ledger(saved.study, parts);  // refuses shards of another study
  Inputs inputs(saved.study);
  if (inputs.check(); inputs.sha256() != saved.provenance.input_sha256) {
    throw data_error("inputs of the study have changed since the shards were written", saved.study.file.string(),
                     "restore them, or run the study again");
  }
  saved.provenance.command_line += saved.provenance.command_line.empty() ? "" : "\n";
  saved.provenance.command_line += command_line;
  write_from_shards(saved.study, inputs, saved.provenance, parts, output);
  remove_shards(parts);
  lock.remove_file();
  spdlog::info("{} holds all {} runs of the study", output.string(), saved.study.runs.size());
}

}  // namespace palstudy
