// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "archive/run_slices.hpp"
#include "campaign/existing_archive.hpp"
#include "core/stop_signals.hpp"
#include "record/record.hpp"
#include "shard/shard_index.hpp"
#include "study/run_id.hpp"

namespace palstudy {

/// The runs of a study from its shards, and from the archive that it grows from, if there is one: of one run that of
/// the shards, unless it failed there and was done before. They have the numbers that this study gives them. Of the
/// shards one run at a time is in memory, of the existing archive its tables.
class MergedRecords final : public RecordSource {
 public:
  /// Errors (data): the existing archive is damaged.
  MergedRecords(const Study& study, ShardIndex index, const std::optional<ExistingArchive>& existing);
  [[nodiscard]] std::size_t size() const override { return places_.size(); }
  /// Errors (data): a run of the existing archive without its digest.
  [[nodiscard]] const RunRecord& record(std::size_t i) override;
  [[nodiscard]] std::set<std::int64_t> numbers() const;
  [[nodiscard]] const std::vector<std::string>& problems() const { return shards_.index().problems; }

 private:
  struct Place {
    bool existing = false;
    std::size_t at = 0;  ///< in the shards' index, or row of the existing archive's /runs
  };
  void add_existing(RunNumbers& numbers, std::map<std::int64_t, Place>& by_number);
  [[nodiscard]] RunRecord existing_record(std::size_t row) const;

  ShardRecords shards_;
  std::optional<ExistingArchive> existing_;
  std::unique_ptr<ArchiveReader> archive_;
  std::unique_ptr<RunSlices> slices_;
  std::vector<std::pair<std::int64_t, Place>> places_;
  RunRecord record_;
};

/// The records of another source, which must outlive this, until a signal stops the process: an archive of many jobs
/// takes minutes to write, and SIGKILL follows SIGTERM soon. The signal is checked before each record, so the last one
/// is complete. SIGUSR1 leaves time, so writing the archive goes on.
class InterruptibleSource final : public RecordSource {
 public:
  /// For the message: `output` is the archive that is being written, `command` what will write it.
  InterruptibleSource(RecordSource& records, const StopSignals& signals, std::filesystem::path output,
                      std::string command);
  [[nodiscard]] std::size_t size() const override { return records_.size(); }
  /// Errors: stopped; as of the other source.
  [[nodiscard]] const RunRecord& record(std::size_t i) override;

 private:
  RecordSource& records_;
  const StopSignals& signals_;
  std::filesystem::path output_;
  std::string command_;
};

}  // namespace palstudy
