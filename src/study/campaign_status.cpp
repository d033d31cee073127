// SPDX-License-Identifier: MIT
#include "archive/checkpoint_file.hpp"
#include "archive/shard.hpp"
#include "core/error.hpp"
#include "study/campaign.hpp"
#include "study/campaign_info.hpp"
#include "study/ledger.hpp"

namespace palstudy {

CampaignStatus campaign_status(const std::filesystem::path& output) {
  const auto parts = parts_dir(output);
  if (std::filesystem::is_directory(parts)) {
    const SavedCampaign saved = load_campaign(parts);
    const Ledger ledger = read_ledger(saved.study, parts);
    CampaignStatus status{false,
                          static_cast<std::int64_t>(saved.study.runs.size()),
                          static_cast<std::int64_t>(ledger.done.size()),
                          static_cast<std::int64_t>(ledger.failed.size()),
                          {}};
    for (const auto& [run, file] : own_checkpoints(saved.study, std::nullopt, parts)) {
      const auto head = peek_checkpoint(file);
      if (!head || ledger.done.contains(run->number)) continue;
      status.begun.push_back({run->number, run->id, head->time_s, head->size});
    }
    return status;
  }
  const TableData runs = ArchiveReader(output).table(TableId::runs);
  CampaignStatus status{true, static_cast<std::int64_t>(runs.rows()), 0, 0, {}};
  for (std::size_t c = 0; c < runs.columns.size(); ++c) {
    if (runs.columns[c].name != "status") continue;
    const auto& column = std::get<TextColumn>(runs.values[c]);
    for (const auto code : column.codes) {
      ++(column.names[static_cast<std::size_t>(code)] == "done" ? status.done : status.failed);
    }
  }
  return status;
}

}  // namespace palstudy
