// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "archive/run_slices.hpp"
#include "campaign/existing_archive.hpp"
#include "shard/shard_index.hpp"
#include "study/run_numbers.hpp"

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

}  // namespace palstudy
