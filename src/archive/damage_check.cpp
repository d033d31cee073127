// SPDX-License-Identifier: MIT
#include "archive/damage_check.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "archive/file_checks.hpp"
#include "archive/reader.hpp"
#include "archive/verify.hpp"
#include "core/error.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"
#include "parallel/mpi.hpp"
#include "record/digest.hpp"
#include "record/tables.hpp"

namespace palstudy {
namespace {

using Json = nlohmann::ordered_json;

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
      check.damage = {"its digest is not that of its runs", "", ""};
      return check;
    }
    std::vector<std::pair<std::uint64_t, std::string>> by_size;
    const hdf5::File& file = reader.file();
    for (const auto& path : file.datasets()) {
      by_size.emplace_back(has_no_values(file, path) ? 0 : rows_of(file, path), path);
    }
    std::ranges::sort(by_size);
    for (const auto& [values, path] : by_size) {
      check.whole = values <= most_values;
      if (!check.whole) break;
      most_values -= values;
      read_through(file, path);
    }
  } catch (const NotAnArchive&) {
    throw;
  } catch (const Error& error) {
    check.damage = error.parts();
  }
  return check;
}

namespace {

/// What the child writes, as CBOR, whose end tells whether it is whole: why the file is another program's, or each
/// finding.
std::string report_of(const std::function<Found()>& check) {
  Json report = {{"other", false}, {"found", Json::array()}};
  const auto add = [&](const ErrorParts& one) { report["found"].push_back({one.what, one.where, one.advice}); };
  try {
    std::ranges::for_each(check(), add);
  } catch (const NotAnArchive& error) {
    report["other"] = true;
    add(error.parts());
  } catch (const std::exception& error) {  // such as a length that no memory can hold
    add({error.what(), "", ""});
  }
  std::string bytes;
  Json::to_cbor(report, bytes);
  return bytes;
}

/// Damage may also make the library go round without end: far more processor time than any whole file of so many bytes
/// takes.
rlim_t most_cpu_s(const std::filesystem::path& file) {
  std::error_code unknown;
  const auto bytes = std::filesystem::file_size(file, unknown);
  return 5 + (unknown ? 0 : 10 * (bytes >> 20U));
}

/// Runs without output, since HDF5, the C library and sanitizers print about a crash, and without a core file.
[[noreturn]] void be_child(int descriptor, rlim_t cpu_s, const std::function<Found()>& check) {
  const rlimit cpu{cpu_s, cpu_s + 1};
  (void)::setrlimit(RLIMIT_CPU, &cpu);
  const rlimit no_core{0, 0};
  (void)::setrlimit(RLIMIT_CORE, &no_core);
  if (const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0) (void)::dup2(nowhere, STDERR_FILENO);
  const std::string report = report_of(check);
  for (std::string_view left = report; !left.empty();) {
    const ssize_t some = ::write(descriptor, left.data(), left.size());
    if (some < 0 && errno != EINTR) break;
    if (some > 0) left.remove_prefix(static_cast<std::size_t>(some));
  }
  ::_exit(0);
}

std::string read_to_end(int descriptor) {
  std::string text;
  std::array<char, 4096> piece{};
  for (;;) {
    const ssize_t some = ::read(descriptor, piece.data(), piece.size());
    if (some < 0 && errno == EINTR) continue;
    if (some <= 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(some));
  }
}

}  // namespace

Found found_by_child(const std::filesystem::path& file, const std::function<Found()>& check) {
  std::array<int, 2> ends{};
  if (mpi_is_started() || ::pipe2(ends.data(), O_CLOEXEC) != 0) return check();
  const pid_t child = ::fork();
  if (child == 0) be_child(ends[1], most_cpu_s(file), check);
  ::close(ends[1]);
  const std::string report = child < 0 ? "" : read_to_end(ends[0]);
  ::close(ends[0]);
  if (child < 0) return check();
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const Json told = Json::from_cbor(report, true, false);
  if (told.is_discarded()) {
    const std::string how = WIFSIGNALED(status) ? ::strsignal(WTERMSIG(status)) : "it ended early";
    return {{fmt::format("reading it crashes or stalls the HDF5 library ({}): the file is damaged", how), file.string(),
             "restore it from a copy"}};
  }
  Found found;
  for (const Json& one : told.at("found")) found.push_back({one.at(0), one.at(1), one.at(2)});
  if (told.at("other") == true) throw NotAnArchive(found.at(0).what, found[0].where, found[0].advice);
  return found;
}

}  // namespace palstudy
