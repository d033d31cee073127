// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace palstudy {

/// One setting of a line. `text.substr(value_begin, end - value_begin)` of its line is the value as it is written.
struct SlurmSetting {
  std::string name, value;  ///< as written, the value without quotes
  std::size_t value_begin = 0, end = 0;
};

/// A line of a slurm.conf as Slurm reads it: several lines of the file where all but the last end with a backslash.
struct SlurmLine {
  std::vector<SlurmSetting> settings;  ///< one at least; an include is called "Include" and has its path as the value
  std::string text;                    ///< the lines of the file as one, without comments and without what joins them
  std::string written;                 ///< the lines of the file as they are
  std::string comment;                 ///< "# of a rack", of all of them; "" without
  std::string where;                   ///< file:line, the last of them
};

/// All lines that have a setting. Comments go, quotes hold spaces together, spaces may stand around the equals sign.
/// Errors (data, file:line): no name and value.
[[nodiscard]] std::vector<SlurmLine> slurm_lines(const std::string& text, const std::string& name);

/// Slurm does not tell capitals from small letters in names.
[[nodiscard]] std::string in_small_letters(std::string text);

}  // namespace palstudy
