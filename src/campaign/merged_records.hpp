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
/// shards one run at a time is in memory, of the old archive its tables.
class GrownRecords final : public RecordSource {
 public:
  /// Errors (data): the old archive is damaged.
  GrownRecords(const Study& study, ShardIndex index, const std::optional<OldArchive>& old);
  [[nodiscard]] std::size_t size() const override { return places_.size(); }
  /// Errors (data): a run of the old archive without its digest.
  [[nodiscard]] const RunRecord& record(std::size_t i) override;
  [[nodiscard]] std::set<std::int64_t> numbers() const;
  [[nodiscard]] const std::vector<std::string>& problems() const { return shards_.index().problems; }

 private:
  struct Place {
    bool old = false;
    std::size_t at = 0;  ///< in the shards' index, or row of the old archive's /runs
  };
  void add_old(RunNumbers& numbers, std::map<std::int64_t, Place>& by_number);
  [[nodiscard]] RunRecord old_record(std::size_t row) const;

  ShardRecords shards_;
  std::optional<OldArchive> old_;
  std::unique_ptr<ArchiveReader> archive_;
  std::unique_ptr<RunSlices> slices_;
  std::vector<std::pair<std::int64_t, Place>> places_;
  RunRecord record_;
};

}  // namespace palstudy
