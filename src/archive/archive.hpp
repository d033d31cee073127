// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "archive/batch_jobs.hpp"
#include "record/digest.hpp"
#include "record/record_source.hpp"
#include "variability/sources/cluster_sources.hpp"
#include "workload/synthetic/resample.hpp"

namespace palstudy {

class Helpers;
namespace hdf5 {
class File;
}

/// What the root of an archive says of how it came to be. Left out of the digest.
struct Provenance {
  std::string command_line, start_utc, end_utc, host;
  std::int64_t ranks = 1;
  std::string mpi_version;                          ///< of the library, "" if it ran without MPI
  std::map<std::string, std::string> input_sha256;  ///< path as written in the study -> hex digest
  std::string resolved_study;                       ///< TOML, axes expanded; runs again from there
  std::string study_name, study_title;
  std::string creator = {}, license = {};  ///< study.creator, study.license; "" where the study does not say
  std::string study_folder = {};           ///< where its paths began
  std::string profile_origin;              ///< "bundled-kernels", "imported" or ""
  std::vector<std::string> notes;          ///< what was said of the inputs
  std::vector<std::string> baselines;      ///< compare.baseline
  std::string compare_metric;
  std::string measured = "";  ///< which jobs are measured, in one line; "" if it is not known
  std::string load = "";      ///< the offered load, in one line; "" if it is not known
  std::string stopping = "";  ///< the looks of `[stop]` and why they ended; "" without
  /// Of a study whose paths a bundle replaced: id of a run by its text -> id in /runs.
  std::map<std::string, std::string> renamed_ids = {};
  TraceBlocks resampled = {};      ///< of `workload.resample`: of the trace with the fewest; `none` without
  std::vector<HostJob> jobs = {};  ///< what worked on it, in the order in which they began
};

/// Clusters of more GPUs are archived as their recipe, if they were drawn: their slowdowns would be larger than the
/// rest.
inline constexpr std::uint32_t archived_slowdowns_limit = 65536;

/// A distinct cluster of the study, for /cluster: the slowdowns of its GPUs, or none and how they are made.
struct ClusterRecord {
  std::string key;  ///< hash of the cluster part of the resolved point
  Slowdowns slowdowns;
  std::vector<std::string> recipe = {};  ///< lines of TOML, of [cluster]; empty for one that was read from a table
};

/// Writes `path`: `path.part`, fsync, rename. Byte for byte the same for the same records and provenance, however they
/// came to lie where they do. Each is asked for twice, and in memory is one, a chunk of each column, and about a
/// hundred bytes of every run. hdf5-schemas/archive.md says what is where. Errors (data): a full disk, an unwritable
/// directory, no record; nothing is left behind. `helpers` (who do `do_filter_work`) share the packing of chunks, which
/// is most of the work, and change nothing of the file.
void write_archive(const std::filesystem::path& path, RecordSource& records, const std::vector<ClusterRecord>& clusters,
                   const Provenance& provenance, const std::vector<const Measurements*>& profile = {},
                   Helpers* helpers = nullptr);
/// The same of records in memory, in any order.
void write_archive(const std::filesystem::path& path, const std::vector<RunRecord>& records,
                   const std::vector<ClusterRecord>& clusters, const Provenance& provenance,
                   const std::vector<const Measurements*>& profile = {});

/// An open archive. Errors (data): damaged; NotAnArchive: no HDF5 file, not ours, another major schema version.
class ArchiveReader {
 public:
  explicit ArchiveReader(const std::filesystem::path& path);
  ~ArchiveReader();
  ArchiveReader(const ArchiveReader&) = delete;
  ArchiveReader& operator=(const ArchiveReader&) = delete;

  /// A whole table, columns in schema order (axes included). Errors (data): the archive has none of it.
  [[nodiscard]] TableData table(TableId id) const;
  [[nodiscard]] bool has(TableId id) const;
  /// The names of its columns in schema order; none if there is no such table.
  [[nodiscard]] std::vector<std::string> columns(TableId id) const;
  /// One column alone. Errors (data): the archive has none of it.
  [[nodiscard]] ColumnValues column(TableId id, const std::string& name) const;
  /// Hex digest as stored in the root.
  [[nodiscard]] std::string digest() const;
  /// Of the root; a list gives one line an element; "" if missing.
  [[nodiscard]] std::string attribute(const std::string& name) const;
  /// The axes that have columns of their own in /runs (the axis "seed" is the fixed column `seed`).
  [[nodiscard]] std::vector<std::string> axis_keys() const;
  [[nodiscard]] std::vector<ClusterRecord> clusters() const;
  /// TOML, of any length. The attribute `study` has it too.
  [[nodiscard]] std::string resolved_study() const;
  /// See Provenance::renamed_ids.
  [[nodiscard]] std::map<std::string, std::string> renamed_ids() const;
  /// The paths of all datasets, sorted, and their sizes, for who checks the file.
  [[nodiscard]] std::vector<std::string> datasets() const;
  /// Its number of values, by what the file says; nothing is read.
  [[nodiscard]] std::size_t values_of(const std::string& dataset) const;
  /// Reads a dataset whole and gives its number of values. Errors (data): its checksum does not hold.
  [[nodiscard]] std::size_t read_through(const std::string& dataset) const;
  /// The datasets that no dimension scale names the rows of.
  [[nodiscard]] std::vector<std::string> without_scale() const;
  /// An attribute of a dataset; "" if missing.
  [[nodiscard]] std::string attribute_of(const std::string& dataset, const std::string& name) const;
  /// For what is checked of any HDF5 file.
  [[nodiscard]] const hdf5::File& file() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Checks schema, checksums, digests, metrics against rows. Empty if all holds, else one finding a line; a file that is
/// damaged so far that it cannot be opened is a finding too. Errors (data): NotAnArchive.
[[nodiscard]] std::vector<std::string> verify_archive(const std::filesystem::path& path);

/// How far two archives agree: the same digest; the same schedule (of every run, the event tables, or where either
/// has none the starts and finishes of its jobs); within intervals (the 95 % t-intervals of the mean of the compare
/// metric over the runs of each combination of `policy.` axes overlap; a single run has no interval and must agree to
/// 1e-9); or different. Runs are matched by id; a run that only one has makes them different. Errors (data): one of
/// them is damaged, whatever it says of itself; NotAnArchive.
enum class Agreement { identical, same_schedule, within_intervals, different };
struct Difference {
  Agreement agreement;
  std::string detail;  ///< the first difference, in words
};
[[nodiscard]] Difference diff_archives(const std::filesystem::path& a, const std::filesystem::path& b);

/// CSV or JSON of one table, axes by name, names instead of codes, full precision; `run` < 0 for all.
/// Events: run,time_s,kind,job,gpus.
[[nodiscard]] std::string export_table(const ArchiveReader& archive, TableId table, std::int64_t run, bool json);

}  // namespace palstudy
