// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "archive/batch_jobs.hpp"
#include "core/error.hpp"
#include "study/study.hpp"

namespace palstudy {

/// An archive that lies where a campaign is to put its own, and holds runs of the same study: of one whose axes have
/// grown since, or that was killed before its shards were gone. It counts as one more shard, and stays until the new
/// archive takes its place.
struct ExistingArchive {
  std::filesystem::path file;
  std::set<std::int64_t> done, failed;  ///< by the numbers that this study gives them
  std::size_t runs_of_study = 0;        ///< that its archive is to hold
  [[nodiscard]] bool has_every_run() const { return done.size() + failed.size() >= runs_of_study; }
  [[nodiscard]] bool is_whole() const { return done.size() >= runs_of_study; }
};

/// Nothing if there is no archive, or the campaign whose shards lie beside it began with --force and will replace it.
/// Errors (usage): it is no archive, or of another study, of other inputs (`inputs`: their SHA-256), of a program with
/// other columns, or holds runs that this study has not: a finished archive does not shrink. Errors (data): it is
/// damaged, as far as its study and its table of runs show.
[[nodiscard]] std::optional<ExistingArchive> find_existing_archive(const Study& study,
                                                                   const std::filesystem::path& output,
                                                                   const std::map<std::string, std::string>& inputs);

/// Looks for damage in the rest of it, in a bounded time; false if not all of it was looked at. Errors (data): damaged.
bool check_existing_archive(const ExistingArchive& existing);
/// The refusal, with what to do in place of the advice of what was found.
[[nodiscard]] Error damaged_archive(const std::filesystem::path& file, const ErrorParts& found);

/// The batch jobs that the archive records, followed by the jobs of `jobs` that it lacks.
[[nodiscard]] std::vector<BatchJob> with_earlier_batch_jobs(const ExistingArchive& existing,
                                                            const std::vector<BatchJob>& jobs);

}  // namespace palstudy
