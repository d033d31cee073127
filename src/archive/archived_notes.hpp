// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/note.hpp"

namespace palstudy {

namespace hdf5 {
class File;
}

/// A note, and the sentence that was made of it. Programs read the note, people the sentence.
struct WordedNote {
  Note note;  ///< without an id where an older program kept the sentence alone
  std::string text;
  friend bool operator==(const WordedNote&, const WordedNote&) = default;
};

/// The inverse of name_of. Errors (data, at `where`): there is none of this name.
[[nodiscard]] Severity severity_named(const std::string& name, const std::string& where);

/// Where a file keeps them.
inline const std::string notes_group = "/notes";
inline constexpr const char* restore_or_remake = "restore the file from a copy or make it again";

/// Writes /notes, a row a note; nothing for none.
void write_notes(hdf5::File& file, const std::vector<WordedNote>& notes);
/// The notes of a file, also of one that has sentences alone, in an attribute. Errors (data): damaged.
[[nodiscard]] std::vector<WordedNote> read_notes(const hdf5::File& file);

}  // namespace palstudy
