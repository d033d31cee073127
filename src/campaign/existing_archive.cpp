// SPDX-License-Identifier: MIT
#include "campaign/existing_archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "archive/batch_jobs.hpp"
#include "archive/damage_check.hpp"
#include "archive/file_checks.hpp"
#include "archive/reader.hpp"
#include "campaign/campaign_info.hpp"
#include "campaign/check_resume.hpp"
#include "campaign/completed_runs.hpp"
#include "campaign/interim_analysis.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "core/text.hpp"
#include "hdf5/file.hpp"
#include "record/tables.hpp"
#include "shard/run_frame.hpp"
#include "study/run_id.hpp"

namespace palstudy {
namespace {

/// The attribute as the lines of sha256sum.
std::map<std::string, std::string> input_sums(const ArchiveReader& archive) {
  std::map<std::string, std::string> sums;
  for (const std::string& line : split(archive.attribute("input_sha256"))) {
    const auto space = line.find("  ");
    if (space != std::string::npos) sums.emplace(line.substr(space + 2), line.substr(0, space));
  }
  return sums;
}

/// A column that this program would write and the archive lacks; "".
std::string missing_column(const ArchiveReader& archive) {
  for (const Column& column : schema_columns()) {
    if (column.table == TableId::provenance_runs || column.optional) continue;
    const auto there = archive.columns(column.table);
    if (!there.empty() && std::ranges::find(there, column.name) == there.end()) {
      return column_path(column.table, column.name);
    }
  }
  return "";
}

std::string refused(const Study& study, const ArchiveReader& archive, ExistingArchive& existing,
                    const std::map<std::string, std::string>& inputs) {
  if (const auto what = first_difference(archive.resolved_study(), study.resolved); !what.empty()) {
    return "is of another study: " + what;
  }
  const TableData runs = archive.table(TableId::runs);
  if (axis_types(runs) != axis_types(study)) return "is of a study with other axes, or other types of values on them";
  const auto& ids = texts_of(runs, "id");
  const auto& statuses = texts_of(runs, "status");
  RunNumbers numbers(study);
  for (std::size_t row = 0; row < runs.rows(); ++row) {
    const auto known = numbers.find(ids.at(row), static_cast<std::int64_t>(row));
    if (!known) {
      return fmt::format("holds {} runs; the study has {}, and run {} ({}) is not among them", runs.rows(),
                         study.runs.size(), integers_of(runs, "run")[row], ids.at(row));
    }
    (statuses.at(row) == "done" ? existing.done : existing.failed).insert(*known);
  }
  // With a stopping rule the study may end at an earlier look, if the archive holds it.
  if (study.stop) {
    const LookState state = look_at(study, outcomes_of(study, runs));
    if (state.ends) existing.runs_of_study = runs_at(study, state.look);
  }
  if (const auto what = changed_input(input_sums(archive), inputs); !what.empty()) return "is of other inputs: " + what;
  const auto column = missing_column(archive);
  if (column.empty() || existing.is_whole()) return "";
  return fmt::format("was written by another version of the program (schema {}), without the column {}",
                     archive.attribute("schema_version"), column);
}

}  // namespace

std::optional<ExistingArchive> find_existing_archive(const Study& study, const std::filesystem::path& output,
                                                     const std::map<std::string, std::string>& inputs) {
  if (!std::filesystem::is_regular_file(output)) return std::nullopt;
  if (replaces_archive(parts_dir(output))) {
    require_new_hdf5(output, true, archive_schema_name);  // it may be another file than the one that --force was for
    return std::nullopt;
  }
  ExistingArchive existing{output, {}, {}, study.runs.size()};
  std::string why;
  try {
    why = refused(study, ArchiveReader(output), existing, inputs);
  } catch (const NotAnArchive& error) {
    throw usage_error(std::string("exists already and is no archive to go on with: ") + error.what(), output.string(),
                      "give another -o");
  } catch (const Error& error) {
    throw damaged_archive(output, error.parts());
  }
  if (why.empty()) return existing;
  throw usage_error(why, output.string(), "give another -o; --force without --resume replaces this one");
}

Error damaged_archive(const std::filesystem::path& file, const ErrorParts& found) {
  return data_error("the archive is damaged: " + fact_of(found, file), file.string(),
                    "restore it, or move it away, and --resume makes its runs again");
}

bool check_existing_archive(const ExistingArchive& existing) {
  // About a second of reading.
  constexpr std::uint64_t most_values = std::uint64_t{1} << 26;
  const QuickCheck look = check_quickly(existing.file, most_values);
  if (look.damage) throw damaged_archive(existing.file, *look.damage);
  return look.whole;
}

std::vector<BatchJob> with_earlier_batch_jobs(const ExistingArchive& existing, const std::vector<BatchJob>& jobs) {
  const auto key = [](const BatchJob& job) {
    return std::tuple(job.job, job.launcher, job.nodes, job.ranks, job.cores, std::floor(job.start_s));
  };
  std::vector<BatchJob> all = archived_jobs(existing.file);
  const std::size_t before = all.size();
  for (const BatchJob& job : jobs) {
    const auto end = all.begin() + static_cast<std::ptrdiff_t>(before);
    if (std::none_of(all.begin(), end, [&](const BatchJob& one) { return key(one) == key(job); })) all.push_back(job);
  }
  return all;
}

}  // namespace palstudy
