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
    check.damage = error.what();
  }
  return check;
}

namespace {

// The child writes one of these, then each finding or the one message with a NUL behind it, then `complete`.
constexpr char findings_follow = 'F', other_file_follows = 'N', complete = '\n';

std::string report_of(const std::function<Findings()>& check) {
  std::string report(1, findings_follow);
  try {
    for (const std::string& finding : check()) report += finding + '\0';
  } catch (const NotAnArchive& error) {
    report = other_file_follows + (error.what() + std::string(1, '\0'));
  } catch (const std::exception& error) {  // such as a length that no memory can hold
    report = findings_follow + (error.what() + std::string(1, '\0'));
  }
  return report + complete;
}

/// Damage may also make the library go round without end: far more processor time than any whole file of so many bytes
/// takes.
rlim_t most_cpu_s(const std::filesystem::path& file) {
  std::error_code unknown;
  const auto bytes = std::filesystem::file_size(file, unknown);
  return 5 + (unknown ? 0 : 10 * (bytes >> 20U));
}

/// Runs without output, since HDF5, the C library and sanitizers print about a crash, and without a core file.
[[noreturn]] void be_child(int descriptor, rlim_t cpu_s, const std::function<Findings()>& check) {
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

Findings findings_in(std::string_view report) {
  Findings findings;
  for (report.remove_prefix(1); report.size() > 1; report.remove_prefix(findings.back().size() + 1)) {
    findings.emplace_back(report.substr(0, report.find('\0')));
  }
  return findings;
}

}  // namespace

Findings found_by_child(const std::filesystem::path& file, const std::function<Findings()>& check) {
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
  if (report.empty() || report.back() != complete) {
    const std::string how = WIFSIGNALED(status) ? ::strsignal(WTERMSIG(status)) : "it ended early";
    return {fmt::format(
        "{}: reading it crashes or stalls the HDF5 library ({}): the file is damaged; restore it from a copy",
        file.string(), how)};
  }
  if (report.front() == other_file_follows) throw NotAnArchive(findings_in(report).front(), "", "");
  return findings_in(report);
}

}  // namespace palstudy
