// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace palstudy {

/// What `sacct -P` or `-p` prints: a header line (but with -n) and a record a line, with a separator between the fields
/// that may stand in the last field as well, as may line ends. Ours and not a library's because Slurm quotes nothing.
class SacctText {
 public:
  /// `columns`: their names where there is no header line. Errors (data, file:line): no header, or one beside names;
  /// columns of fixed width, a record with another number of fields.
  SacctText(std::string text, std::string name, std::vector<std::string> columns = {});

  struct Record {
    std::size_t line;
    std::vector<std::string_view> fields;  // fewer than columns where the file is cut off
  };
  [[nodiscard]] const std::vector<Record>& records() const { return records_; }
  [[nodiscard]] bool whole(const Record& record) const { return record.fields.size() == columns_.size(); }
  /// The place of a column, however its name is capitalized; none if it is not there.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const;
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  /// Whether the text was no UTF-8, and was taken for Latin-1.
  [[nodiscard]] bool latin_1() const { return latin_1_; }

 private:
  void read_header(std::string_view line);
  void begin_without_header();
  void add_line(std::string_view line, std::size_t number);
  [[nodiscard]] std::vector<std::string_view> fields_of(std::string_view line) const;

  std::string name_, text_;
  std::string header_;
  std::vector<std::string> columns_;
  std::string separator_;
  std::size_t id_ = 0;  // a column that tells records from lines of names
  std::vector<Record> records_;
  bool latin_1_ = false;
};

/// The command that prints what the reader needs.
[[nodiscard]] const std::string& sacct_command();

}  // namespace palstudy
