// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "archive/archived_notes.hpp"
#include "archive/cluster_file.hpp"
#include "core/value.hpp"
#include "record/tables.hpp"

namespace palstudy {

namespace hdf5 {
class File;
}

/// How the texts of an archive are handed on: as they are, or for sentences that a terminal gets (`shown`).
enum class ArchiveTexts { raw, shown };

/// An open archive. Errors (data): damaged; NotAnArchive: no HDF5 file, not ours, another major schema version.
class ArchiveReader {
 public:
  explicit ArchiveReader(const std::filesystem::path& path, ArchiveTexts texts = ArchiveTexts::raw);
  ~ArchiveReader();
  ArchiveReader(const ArchiveReader&) = delete;
  ArchiveReader& operator=(const ArchiveReader&) = delete;

  /// A whole table, columns in schema order (axes included). Errors (data): the archive has none of it; columns of
  /// several lengths, of which none is read.
  [[nodiscard]] TableData table(TableId id) const;
  [[nodiscard]] bool has(TableId id) const;
  /// The names of its columns in schema order; none if there is no such table.
  [[nodiscard]] std::vector<std::string> columns(TableId id) const;
  [[nodiscard]] bool has_column(TableId id, const std::string& name) const;
  /// One column alone. Errors (data): the archive has none of it.
  [[nodiscard]] ColumnValues column(TableId id, const std::string& name) const;
  /// Hex digest as stored in the root.
  [[nodiscard]] std::string digest() const;
  /// An attribute of the root; a list gives one line an element; "" if missing.
  [[nodiscard]] std::string attribute(const std::string& name) const;
  /// A value that an attribute of the root has as JSON; nothing if it is missing. Errors (data): it is no JSON.
  [[nodiscard]] Value value(const std::string& name) const;
  /// What was noted of the inputs.
  [[nodiscard]] std::vector<WordedNote> notes() const;
  /// The axes that have columns of their own in /runs (the axis "seed" is the fixed column `seed`).
  [[nodiscard]] std::vector<std::string> axis_keys() const;
  [[nodiscard]] std::vector<ClusterRecord> clusters() const;
  /// TOML, of any length. The attribute `study` has it too.
  [[nodiscard]] std::string resolved_study() const;
  /// See Provenance::renamed_ids.
  [[nodiscard]] std::map<std::string, std::string> renamed_ids() const;
  /// The file itself, for checks of any HDF5 file (hdf5/file.hpp).
  [[nodiscard]] const hdf5::File& file() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// A dataset of texts, or of codes with the names that its attribute `names` leads to. Errors (data, with this advice):
/// no names, a code without one.
[[nodiscard]] TextColumn read_text_column(const hdf5::File& file, const std::string& path, const char* advice);

}  // namespace palstudy
