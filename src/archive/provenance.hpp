// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "archive/archived_notes.hpp"
#include "archive/batch_jobs.hpp"
#include "core/value.hpp"
#include "workload/synthetic/resample.hpp"

namespace palstudy {

/// How an archive came to be: attributes of its root and the notes, left out of the digest. (More than 15 members: an
/// attribute each.)
struct Provenance {
  std::string command_line, start_utc, end_utc, host;
  std::int64_t ranks = 1;
  std::string mpi_version;                          ///< of the library, "" if it ran without MPI
  std::map<std::string, std::string> input_sha256;  ///< path as written in the study -> hex digest
  std::string resolved_study;                       ///< TOML, axes expanded; runs again from there
  std::string study_name, study_title, study_question;
  std::string study_license = {}, study_creator = {};  ///< "" where they are not stated
  std::string study_folder = {};                       ///< where its paths began
  std::string profile_origin;                          ///< "bundled-kernels", "imported" or ""
  std::vector<WordedNote> notes;                       ///< on the inputs: the table /notes
  std::vector<std::string> baselines;                  ///< compare.baseline
  std::string compare_metric;
  Value measured_sets = {};  ///< the measured jobs and their load (inputs/measured_jobs.hpp); nothing if not known
  Value looks = {};          ///< those of `[stop]`, and why they ended (analysis/looks_taken.hpp); nothing without
  /// Where a bundle replaced the paths of the study: id of a run by the study's text -> id in /runs.
  std::map<std::string, std::string> renamed_ids = {};
  TraceBlocks resampled = {};       ///< of `workload.resample`: of the trace with the fewest; `none` without
  std::vector<BatchJob> jobs = {};  ///< that worked on it, in the order in which they began
};

/// Writes the root attributes of how a file came to be, and the notes; they are the same for all kinds of file.
void write_origin(hdf5::File& file, const Provenance& from);
/// The names of the attributes. A check reads each by its name: HDF5 1.10 crashes when it lists the attributes of a
/// damaged heap.
[[nodiscard]] const std::vector<std::string>& origin_attributes();

/// The same and the study: its name, title and comparison, and its resolved text as /study/resolved.
void write_provenance(hdf5::File& file, const Provenance& from);

/// Provenance::renamed_ids as two datasets; nothing if there are none.
void write_renamed_ids(hdf5::File& file, const std::map<std::string, std::string>& ids);
inline constexpr const char* renamed_from_path = "/study/resolved_id";
inline constexpr const char* renamed_to_path = "/study/archived_id";

}  // namespace palstudy
