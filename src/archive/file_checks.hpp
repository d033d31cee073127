// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "hdf5/file.hpp"
#include "record/tables.hpp"

namespace palstudy {

/// What a check found wrong with a file: the parts of an error.
using Found = std::vector<ErrorParts>;

/// "/jobs/run: differs": a finding without its advice and the name of the file.
[[nodiscard]] std::string fact_of(const ErrorParts& finding, const std::filesystem::path& file);

/// Errors (data): the first of the findings, and how many there are; nothing where there are none. `what` the file is:
/// "archive" or "profile".
void refuse_damaged(const Found& found, const std::filesystem::path& file, const char* what);

/// Runs `step` and turns its refusal into a finding, so that one bad dataset does not hide
/// the others; whether there was none. Errors: NotAnArchive goes on to the caller.
template <class Step>
bool attempt(Found& found, const Step& step) {
  try {
    step();
    return true;
  } catch (const NotAnArchive&) {
    throw;
  } catch (const Error& error) {
    found.push_back(error.parts());
    return false;
  }
}

/// Refuses a file of another schema than `name`, or of another first number of its version. `kind`: "archive" or
/// "profile"; `maker`: the command that writes one. Errors: NotAnArchive.
void require_schema(const hdf5::File& file, const std::string& name, const std::string& version, const char* kind,
                    const char* maker);

/// Reads every dataset whole, which checks its fletcher32 sums, and requires its unit and description. Whether all
/// could be read.
bool check_datasets(const hdf5::File& file, const char* advice, Found& found);

/// Every dataset is a dimension scale or has one. The references between them lie in a part of the file that HDF5 keeps
/// no checksum of, so both ways are held against each other.
void check_scales(const hdf5::File& file, const char* advice, Found& found);

/// Holds the checksum of a file against its content and names the parts that differ. Only of a file without other
/// findings: see hdf5::content_checksum.
void check_checksum(const hdf5::File& file, const char* advice, Found& found);

/// What `check` finds, in a child process: see found_by_child. A file whose schema is not known but that bears a
/// checksum of this program, which does not hold, is no other program's file but one that was altered: a finding.
/// Errors: NotAnArchive, as `check` throws it.
[[nodiscard]] Found found_in(const std::filesystem::path& file, const char* advice,
                             const std::function<void(Found&)>& check);

/// Bytes behind the end of the HDF5 file, which belong to nothing.
void check_file_end(const hdf5::File& file, const char* advice, Found& found);

/// Checks the rows of a run in /solves, one finding at most: their order, that each gap follows from the primal and the
/// dual value and is as small as its objective allows (sim/state/solves.hpp), and that the dual value bounds the primal
/// one from the right side.
void check_solves(const RunRecord& record, Found& found);

/// Checks the output of a command that writes HDF5 files of the schema `schema`, such as "palstudy-archive". With
/// `force` it may take the place of a file of the same schema, or of an empty one, and of nothing else: a name may be
/// mistyped, and what a trace or a profile was is not computed again. Errors (usage): those of require_new_output; a
/// file is there that is another, or cannot be read, or is among `inputs`, forced or not.
void require_new_hdf5(const std::filesystem::path& path, bool force, const char* schema,
                      const std::vector<std::filesystem::path>& inputs = {});

}  // namespace palstudy
