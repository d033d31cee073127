// SPDX-License-Identifier: MIT
#include "campaign/merged_records.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/error.hpp"
#include "record/digest.hpp"
#include "record/record.hpp"
#include "record/tables.hpp"

namespace palstudy {

MergedRecords::MergedRecords(const Study& study, ShardIndex index, const std::optional<ExistingArchive>& existing)
    : shards_(std::move(index)), existing_(existing) {
  RunNumbers numbers(study);
  std::map<std::int64_t, Place> by_number;
  const auto& runs = shards_.index().runs;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const auto known = numbers.find(runs[i].id, runs[i].run);
    if (known) by_number.emplace_hint(by_number.end(), *known, Place{false, i});
  }
  if (existing_) add_existing(numbers, by_number);
  places_.assign(by_number.begin(), by_number.end());
}

void MergedRecords::add_existing(RunNumbers& numbers, std::map<std::int64_t, Place>& by_number) {
  try {
    archive_ = std::make_unique<ArchiveReader>(existing_->file);
    slices_ = std::make_unique<RunSlices>(*archive_);
  } catch (const Error& error) {
    throw damaged_archive(existing_->file, error.parts());
  }
  const auto& ids = texts_of(slices_->table(TableId::runs), "id");
  for (std::size_t row = 0; row < slices_->size(); ++row) {
    const auto known = numbers.find(ids.at(row), static_cast<std::int64_t>(row));
    if (!known) continue;
    const auto [place, fresh] = by_number.try_emplace(*known, Place{true, row});
    if (fresh || place->second.existing) continue;
    const bool failed_since = shards_.index().runs[place->second.at].status == RunStatus::failed;
    if (failed_since && existing_->done.contains(*known)) place->second = {true, row};
  }
}

const RunRecord& MergedRecords::record(std::size_t i) {
  const auto& [number, place] = places_.at(i);
  if (!place.existing) {
    const RunRecord& record = shards_.record(place.at);
    if (record.run == number) return record;
    record_ = record;
  } else {
    record_ = existing_record(place.at);
  }
  renumber(record_, number);
  return record_;
}

RunRecord MergedRecords::existing_record(std::size_t row) const {
  RunRecord record;
  std::string digest;
  try {
    record = slices_->record(row);
    digest = run_digest(record);
  } catch (const Error& error) {
    throw damaged_archive(existing_->file, error.parts());
  }
  if (digest == record.digest) return record;
  throw damaged_archive(existing_->file,
                        {fmt::format("run {} does not have the digest that is stored with it", record.run), "", ""});
}

std::set<std::int64_t> MergedRecords::numbers() const {
  std::set<std::int64_t> held;
  for (const auto& [number, place] : places_) held.insert(number);
  return held;
}

InterruptibleSource::InterruptibleSource(RecordSource& records, const StopSignals& signals,
                                         std::filesystem::path output, std::string command)
    : records_(records), signals_(signals), output_(std::move(output)), command_(std::move(command)) {}

const RunRecord& InterruptibleSource::record(std::size_t i) {
  if (signals_.ends_soon()) {
    throw Error(ErrorCode::stopped, "stopped while it was being written; every run is kept", output_.string(),
                command_ + " writes it, and so does palstudy run --resume");
  }
  return records_.record(i);
}

}  // namespace palstudy
