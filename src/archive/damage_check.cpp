// SPDX-License-Identifier: MIT
#include "archive/damage_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "archive/archive.hpp"
#include "archive/file_checks.hpp"
#include "core/error.hpp"
#include "hdf5/hdf5.hpp"
#include "record/digest.hpp"
#include "record/tables.hpp"

namespace palstudy {
namespace {

std::string digest_of_runs(const ArchiveReader& archive) {
  const ColumnValues ids = archive.column(TableId::runs, "digest"), statuses = archive.column(TableId::runs, "status");
  const ColumnValues runs = archive.column(TableId::runs, "run");
  std::vector<RunStatus> codes;
  std::vector<std::string> digests;
  const auto &status = std::get<TextColumn>(statuses), &id = std::get<TextColumn>(ids);
  for (std::size_t row = 0; row < status.codes.size(); ++row) {
    codes.push_back(status.at(row) == status_name(RunStatus::done) ? RunStatus::done : RunStatus::failed);
  }
  for (std::size_t row = 0; row < id.codes.size(); ++row) digests.push_back(id.at(row));
  return archive_digest(std::get<std::vector<std::int64_t>>(runs), codes, digests);
}

}  // namespace

void require_intact(const std::filesystem::path& archive) {
  refuse_damaged(verify_archive(archive), archive, "archive");
}

QuickCheck check_quickly(const std::filesystem::path& archive, std::uint64_t most_values) {
  QuickCheck check;
  try {
    const ArchiveReader reader(archive);
    if (digest_of_runs(reader) != reader.digest()) {
      check.damage = "its digest is not that of its runs";
      return check;
    }
    std::vector<std::pair<std::uint64_t, std::string>> by_size;
    const hdf5::File& file = reader.file();
    for (const auto& path : file.datasets()) {
      by_size.emplace_back(has_no_values(file, path) ? 0 : rows_of(file, path), path);
    }
    std::sort(by_size.begin(), by_size.end());
    for (const auto& [values, path] : by_size) {
      check.whole = values <= most_values;
      if (!check.whole) break;
      most_values -= values;
      read_through(file, path);
    }
  } catch (const NotAnArchive&) {
    throw;
  } catch (const Error& error) {
    check.damage = error.what();
  }
  return check;
}

}  // namespace palstudy
